import PalimpsestJSON
import PalimpsestLaunch
import PalimpsestRuns
import Testing

/// What is said where folder and engine do not agree.
struct LaunchRemarksTests {
  private func lease(_ block: Int, task: Int, age: Double, done: Bool = false, poisoned: Bool = false) -> LeaseState {
    var lease = LeaseState(block: block)
    (lease.task, lease.age, lease.isDone, lease.isPoisoned, lease.host) = (task, age, done, poisoned, "n1")
    return lease
  }

  private func status(_ blocks: Int, _ tasks: [TaskState], _ leases: [LeaseState]) -> LaunchStatus {
    var record = Work.record(4)
    (record.blocks, record.jobs) = (blocks, ["35"])
    return LaunchStatus(record: record, tasks: tasks, leases: leases)
  }

  private func task(_ number: Int, _ phase: TaskState.Phase, _ word: String, reason: String = "") -> TaskState {
    TaskState(task: number, job: "35_\(number)", phase: phase, word: word, reason: reason)
  }

  @Test func `a task that runs and is silent has lost its step`() {
    let status = status(
      3, [task(2, .running, "RUNNING"), task(1, .running, "RUNNING")],
      [lease(0, task: 2, age: 240), lease(1, task: 1, age: 3)])
    #expect(
      status.remarks == [
        "task 2 is RUNNING for slurm but silent for 4 min 0 s: its step is gone; \"scancel 35_2\" ends it"
      ])
    #expect(status.line == "launch 3 (slurm 35): 0 of 3 blocks done, 1 in hand; tasks: 2 running")
    #expect(status.failedTasks == [2] && !status.isOver)
  }

  @Test func `a task that runs on when all is done is named`() {
    let status = status(
      1, [task(0, .running, "RUNNING"), task(1, .ended, "FAILED")], [lease(0, task: 0, age: 0, done: true)])
    #expect(status.remarks == ["all blocks are done, and 1 task is still RUNNING for slurm: \"scancel 35_0\" ends it"])
    #expect(status.isOver && status.failedTasks == [1])
  }

  @Test func `work that nobody will do is told`() {
    let status = status(3, [task(0, .ended, "COMPLETED")], [lease(0, task: 0, age: 0, done: true)])
    #expect(
      status.remarks == [
        "no task is left, and 2 of 3 blocks are not done; \"palimpsest resubmit\" submits what is missing"
      ])
  }

  @Test func `a task that waits for somebody is named with the reason`() {
    let status = status(
      3, [task(1, .waiting, "PENDING", reason: "JobHeldAdmin"), task(2, .waiting, "PENDING", reason: "Resources")], [])
    #expect(status.remarks == ["task 1 (35_1) waits and does not begin by itself: JobHeldAdmin"])
  }
}
