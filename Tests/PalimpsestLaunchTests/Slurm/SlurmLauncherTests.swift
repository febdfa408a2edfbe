import Foundation
import PalimpsestJSON
import PalimpsestLaunch
import PalimpsestRuns
import Synchronization
import Testing

/// Submitting, looking and stopping, with programs that answer as Slurm's do. Answers of 22.05 were recorded; those of other versions
/// are as their sources have them.
struct SlurmLauncherTests {
  @Test func `an array and its collect job are submitted, and the record has the array's number`() async throws {
    let slurm = try FakeSlurm()
    let work = try slurm.work(64)
    let record = try await slurm.launcher().submit(work)
    #expect(record.jobs == ["35"] && record.tasks == 64)
    #expect(try LaunchRecord(work.folder, number: 3) == record)
    let calls = slurm.calls("sbatch")
    #expect(calls.count == 2 && calls[1].hasSuffix(" --dependency=afterany:35"))
    #expect(try record.script.contains(slurm.script(1)) && record.script.contains(slurm.script(2)))
  }

  @Test func `more tasks than an array may have are several arrays`() async throws {
    let slurm = try FakeSlurm()
    try slurm.answer("scontrol", "echo 'MaxArraySize            = 5'")
    let record = try await slurm.launcher().submit(slurm.work(6))
    #expect(record.jobs == ["35", "36"] && slurm.calls("sbatch")[2].hasSuffix(" --dependency=afterany:35:36"))
    #expect(try slurm.script(1).contains("--array=0-3%4\n") && slurm.script(2).contains("--array=0-1%2\n"))
    #expect(try slurm.script(2).contains(#"--task "$((SLURM_ARRAY_TASK_ID + 4))""#))
    try await slurm.launcher().cancel([1, 4, 5, 6], of: record)
    #expect(slurm.calls("scancel") == ["--jobname=plmp-strategies-3 35_1 36_0 36_1"])
  }

  @Test func `a limit on jobs makes an array smaller`() async throws {
    let slurm = try FakeSlurm()
    let limit =
      "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"
    try slurm.answer("sbatch", "if [ $n -le 2 ]; then echo \"\(limit)\" >&2; exit 1; fi; echo 7")
    let notes = Mutex<[String]>([])
    let record = try await slurm.launcher { note in notes.withLock { $0.append(note) } }.submit(slurm.work(64))
    #expect(record.tasks == 16 && record.jobs == ["7"])
    #expect(
      notes.withLock { $0 }.last?.hasSuffix("tasks 0 to 31 half are tried; the others take over their work") == true)
  }

  @Test(arguments: [
    (
      "sbatch: error: invalid partition specified: foo\\nsbatch: error: Batch job submission failed: Invalid partition name specified",
      "sbatch: error: invalid partition specified: foo\nsbatch: error: Batch job submission failed: Invalid partition name specified"
    ),
    (
      "sbatch: error: If munged is up, restart with --num-threads=10\\nsbatch: error: Munge encode failed: Failed to access \\\"/run/munge/munge.socket.2\\\": No such file or directory",
      "sbatch: error: If munged is up, restart with --num-threads=10\nsbatch: error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\": No such file or directory"
    ),
  ])
  func `what Slurm refuses is said in its words, and nothing stays behind`(said: String, quoted: String) async throws {
    let slurm = try FakeSlurm()
    try slurm.answer("scontrol", "echo 'MaxArraySize = 5'")
    try slurm.answer("sbatch", "if [ $n = 1 ]; then echo 41; else printf \"\(said)\\n\" >&2; exit 1; fi")
    await #expect(throws: EngineError(.refused, quoted)) { try await slurm.launcher().submit(slurm.work(6)) }
    #expect(slurm.calls("scancel") == ["41"])
  }

  @Test func `an sbatch without an answer is not repeated where its job is in the queue`() async throws {
    let slurm = try FakeSlurm()
    // The job is taken, the answer is lost.
    try slurm.answer("sbatch", "if [ $n = 1 ]; then sleep 3000; fi; echo 36")
    try slurm.answer(
      "squeue",
      "c=$(sed -n '1s/.*--comment=//p' '\(slurm.folder.path)/sbatch.calls'); echo \"12|other|x\"; echo \"35|plmp-strategies-3|$c\""
    )
    let record = try await slurm.launcher(limit: .seconds(2)).submit(slurm.work(4))
    #expect(record.jobs == ["35"] && slurm.calls("sbatch").count == 2)
  }

  @Test func `an sbatch that failed half-way is repeated once where the queue has nothing of it`() async throws {
    let slurm = try FakeSlurm()
    let failure = "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"
    try slurm.answer("sbatch", "if [ $n = 1 ]; then echo '\(failure)' >&2; exit 1; fi; echo $((n + 40))")
    #expect(try await slurm.launcher().submit(slurm.work(4)).jobs == ["42"])
    let other = try FakeSlurm()
    try other.answer("sbatch", "echo '\(failure)' >&2; exit 1")
    await #expect(
      throws: EngineError(
        .refused, "\(failure)\nno job called plmp-strategies-3 is in the queue; run the command again")
    ) { try await other.launcher().submit(other.work(4)) }
    #expect(other.calls("sbatch").count == 2)
  }

  @Test func `an answer that is no number is shown`() async throws {
    let slurm = try FakeSlurm()
    try slurm.answer("sbatch", "echo 'Submitted batch job 35'")
    await #expect(
      throws: EngineError(.strange, "sbatch: a job's number was expected, found \"Submitted batch job 35\n\"")
    ) { try await slurm.launcher().submit(slurm.work(4)) }
    try slurm.answer("sbatch", "echo 'sbatch: lua: hello'; echo '35;cluster'")
    #expect(try await slurm.launcher().submit(slurm.work(4)).jobs == ["35"])
  }

  // MARK: - Looking

  private func submitted(_ slurm: FakeSlurm) async throws -> LaunchRecord {
    try slurm.submitting(from: 35)
    return try await slurm.launcher().submit(slurm.work(4))
  }

  @Test func `states are read from plain columns`() async throws {
    let slurm = try FakeSlurm()
    let record = try await submitted(slurm)
    try slurm.answer(
      "squeue",
      """
      cat <<'END'
      35|3|PENDING||plmp-strategies-3|(null)|Resources
      35|0|RUNNING|n1|plmp-strategies-3||None
      35|1|COMPLETING|n[1-2]|plmp-strategies-3|the site's own|NonZeroExitCode
      34|0|RUNNING|n9|plmp-strategies-3||None
      35|2|PENDING|n/a|plmp-strategies-3||launch failed requeued held
      END
      """)
    #expect(
      try await slurm.launcher().states(of: record) == [
        TaskState(task: 0, job: "35_0", phase: .running, word: "RUNNING", host: "n1"),
        TaskState(task: 1, job: "35_1", phase: .ending, word: "COMPLETING", reason: "NonZeroExitCode", host: "n[1-2]"),
        TaskState(task: 2, job: "35_2", phase: .waiting, word: "PENDING", reason: "launch failed requeued held"),
        TaskState(task: 3, job: "35_3", phase: .waiting, word: "PENDING", reason: "Resources"),
      ])
  }

  @Test func `tasks that the queue has forgotten are known by the accounting where there is one`() async throws {
    let slurm = try FakeSlurm()
    let record = try await submitted(slurm)
    try slurm.answer("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1")
    #expect(try await slurm.launcher().states(of: record) == [])
    try slurm.answer(
      "sacct",
      "echo '35_0|COMPLETED|0:0|n1|plmp-strategies-3'; echo '35_1|CANCELLED by 1000|0:15|n2|plmp-strategies-3'; echo '35_[2-3]|PENDING|0:0|None assigned|plmp-strategies-3'; echo '35_3|RUNNING|0:0|n3|another'"
    )
    #expect(
      try await slurm.launcher().states(of: record) == [
        TaskState(task: 0, job: "35_0", phase: .ended, word: "COMPLETED", host: "n1"),
        TaskState(task: 1, job: "35_1", phase: .ended, word: "CANCELLED", reason: "exit 0:15", host: "n2"),
      ])
  }

  /// Its controller died before it had saved the array, and gave the number to the next who asked.
  @Test func `jobs of others under the launch's number are not its own, and what is lost is told`() async throws {
    let slurm = try FakeSlurm()
    let record = try await submitted(slurm)
    try slurm.answer(
      "squeue",
      "echo '35|0|RUNNING|n1|another||None'; echo '35|1|RUNNING|n1|plmp-strategies-3|palimpsest-0123456789ab-0|None'")
    let status = try await LaunchStatus(
      ResultsFolder(slurm.folder.path + "/a"), record, calls: slurm.calling())
    #expect(status.tasks == [] && status.isOver)
    #expect(
      status.remarks == [
        "slurm knows nothing of job 35: no task is left, and 400 of 400 blocks are not done; \"palimpsest resubmit\" "
          + "submits what is missing"
      ])
    try await slurm.launcher().cancel(record)
    #expect(slurm.calls("scancel") == ["--jobname=plmp-strategies-3 35"])
  }

  @Test func `a launch that is being submitted is not over, unless its maker has long been gone`() throws {
    var record = Work.record(4)
    record.time = Date().timeIntervalSince1970
    #expect(!LaunchStatus(record: record, tasks: [], leases: []).isOver)
    record.time -= 301
    #expect(LaunchStatus(record: record, tasks: [], leases: []).isOver)
  }

  @Test func `a status without Slurm's programs says why it knows nothing of tasks`() async throws {
    let slurm = try FakeSlurm()
    let record = try await submitted(slurm)
    let status = try await LaunchStatus(
      ResultsFolder(slurm.folder.path + "/a"), record, calls: EngineCalls(environment: ["PATH": "/nonexistent"]))
    #expect(status.unanswered == "squeue: this program is not on PATH" && !status.isOver)
    #expect(status.remarks == ["the engine cannot be asked: squeue: this program is not on PATH"])
  }

  @Test func `stopping what has ended already is no failure`() async throws {
    let slurm = try FakeSlurm()
    let record = try await submitted(slurm)
    try slurm.answer(
      "scancel", "echo 'scancel: error: Kill job error on job id 35: Invalid job id specified' >&2; exit 1")
    try await slurm.launcher().cancel(record)
    try slurm.answer("scancel", "echo 'scancel: error: Access/permission denied' >&2; exit 1")
    await #expect(throws: EngineError(.refused, "scancel: error: Access/permission denied")) {
      try await slurm.launcher().cancel(record)
    }
  }
}
