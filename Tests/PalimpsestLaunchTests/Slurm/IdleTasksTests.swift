import PalimpsestJSON
import PalimpsestLaunch
import PalimpsestRuns
import Synchronization
import Testing

/// Tasks that Slurm holds for running when nothing is left to do.
struct IdleTasksTests {
  private func end(_ slurm: FakeSlurm, _ notes: @escaping @Sendable (String) -> Void = { _ in }) async throws {
    let folder = ResultsFolder(slurm.folder.path + "/a")
    await IdleTasks(folder, 3, calls: slurm.calling(), pause: .milliseconds(10), looks: 3, note: notes).end(besides: 2)
  }

  @Test func `those that do not end by themselves are ended, by the first who asks`() async throws {
    let slurm = try FakeSlurm()
    _ = try await slurm.launcher().submit(slurm.work(4))
    try slurm.answer(
      "squeue",
      "echo '35|0|COMPLETED|n1|plmp-strategies-3||None'; echo '35|1|RUNNING|n1|plmp-strategies-3||None'; echo '35|2|RUNNING|n2|plmp-strategies-3||None'"
    )
    let notes = Mutex<[String]>([])
    try await end(slurm) { note in notes.withLock { $0.append(note) } }
    #expect(slurm.calls("scancel") == ["--jobname=plmp-strategies-3 35_1"] && slurm.calls("squeue").count == 3)
    #expect(notes.withLock { $0 } == ["nothing is left to do, and Slurm holds 35_1 for running: ended"])
    try await end(slurm)
    #expect(slurm.calls("squeue").count == 3)
  }

  @Test func `where all end by themselves nobody is stopped`() async throws {
    let slurm = try FakeSlurm()
    _ = try await slurm.launcher().submit(slurm.work(4))
    try slurm.answer("squeue", "if [ $n = 1 ]; then echo '35|1|RUNNING|n1|plmp-strategies-3||None'; fi")
    try await end(slurm)
    #expect(slurm.calls("scancel") == [] && slurm.calls("squeue").count == 2)
  }
}
