import Foundation
import Palimpsest
import PalimpsestTesting
import TestFixtures
import Testing

/// Workers as processes, as an engine starts, stops, loses and kills them.
@Suite struct WorkerTests {
  @Test func `two workers do every run once, and the cube has the bits of one process`() async throws {
    let trial = try Trial(epochs: 5)
    let answer = try await trial.script("(worker 0) & one=$!; (worker 1 --jobs 2) & two=$!; wait $one && wait $two")
    #expect(answer.status == 0)
    try await trial.check()
  }

  @Test func `one more worker than tasks finds nothing, and says so`() async throws {
    let trial = try Trial(seeds: 2, epochs: 1)
    #expect(try await trial.script("(worker 0); (worker 7)").status == 0)
    #expect(try trial.said(7).hasSuffix("Z 0 runs, 0 blocks; the launch is done\n"))
  }

  @Test func `a worker that is killed has an heir, who does what is left`() async throws {
    let trial = try Trial()
    let answer = try await trial.script(
      """
      (worker 0) & first=$!
      until_true '[ $(lines) -ge 2 ]'
      kill -9 $first; wait $first
      sleep 1.6
      (worker 1)
      """)
    #expect(answer.status == 0)
    try await trial.check()
  }

  @Test func `a worker that stands still beyond the patience leaves its block when it comes back`() async throws {
    let trial = try Trial(tasks: 1, patience: 1)
    let answer = try await trial.script(
      """
      (worker 0) & first=$!
      until_true '[ $(lines) -ge 1 ]'
      kill -STOP $first
      sleep 1
      (worker 1); second=$?
      kill -CONT $first; wait $first
      exit $((second + $?))
      """)
    #expect(answer.status == 0)
    #expect(try trial.said(0).contains(": another worker has taken it over; the run in hand is the last of it here"))
    try await trial.check(doubled: 1)
  }

  @Test(arguments: ["TERM", "USR2"])
  func `SIGTERM finishes the run in hand, gives the block back and ends with 143`(signal: String) async throws {
    let trial = try Trial(patience: 60)
    let stopped = try await trial.script(
      """
      (worker 0) & first=$!
      until_true '[ $(lines) -ge 1 ]'
      kill -\(signal) $first; wait $first
      """)
    #expect(stopped.status == 143)
    #expect(try trial.results.leases(ofLaunch: 1).filter { !$0.isDone }.map(\.age) == [.infinity])
    // Nobody waits for the patience.
    #expect(try await trial.script("(worker 1)").status == 0)
    try await trial.check()
  }

  @Test func `SIGUSR1 finishes the run in hand, gives the block back and ends with 75`() async throws {
    let trial = try Trial(patience: 60)
    let stopped = try await trial.script(
      """
      (worker 0) & first=$!
      until_true '[ $(lines) -ge 1 ]'
      kill -USR1 $first; wait $first
      """)
    #expect(stopped.status == 75)
    #expect(try await trial.script("(worker 1)").status == 0)
    try await trial.check()
  }

  /// Two runs of some seconds.
  @Test func `where checkpoints are on SIGTERM saves the run in hand, and it goes on elsewhere`() async throws {
    let trial = try Trial(seeds: 2, epochs: 60_000, tasks: 1, patience: 60, checkpointEvery: "1h")
    let stopped = try await trial.script(
      """
      (worker 0) & first=$!
      until_true 'ls r.palimpsest/launch/1.lease | grep -q 0000.0'
      sleep 0.3
      kill -TERM $first; wait $first
      """)
    #expect(stopped.status == 143)
    #expect(try Files.names(in: trial.results.detailFolder).count { $0.hasSuffix(".ckpt") } == 1)
    #expect(try await trial.script("(worker 1)").status == 0)
    #expect(try Files.names(in: trial.results.detailFolder) == [])
    try await trial.check()
  }

  /// The task that is started anew need not wait for its own silence.
  @Test func `a task that the engine starts anew has its blocks at once`() async throws {
    let trial = try Trial(tasks: 1, patience: 1000)
    let answer = try await trial.script(
      """
      (worker 0 --engine-job 35) & first=$!
      until_true '[ $(lines) -ge 2 ]'
      kill -9 $first; wait $first
      (worker 0 --engine-job 35 --restart 1)
      """)
    #expect(answer.status == 0)
    try await trial.check()
  }

  /// SIGSEGV is a fault's, whoever sends it: both workers have the one run in hand. One that was sent does not end a process that Swift
  /// makes a report of.
  @Test func `a run that two workers died over is recorded as failed`() async throws {
    let trial = try Trial(seeds: 1, epochs: 60_000, tasks: 1, patience: 1000)
    let answer = try await trial.script(
      """
      export SWIFT_BACKTRACE=enable=no
      for attempt in 0 1; do
        (worker 0 --engine-job 35 --attempt $attempt) & first=$!
        until_true "grep -qE '[0-9a-f]{8}' r.palimpsest/progress/*-$first-*.hand"
        kill -SEGV $first; wait $first
        echo $?
      done
      (worker 0 --engine-job 35 --attempt 2)
      """)
    #expect(answer.status == 0 && answer.output == "139\n139\n")
    let entries = try trial.results.journal().entries
    #expect(entries.count == 1 && entries[0].record.status == .failed)
    #expect(entries[0].record.error.hasPrefix("its process died twice while it ran (process "))
    #expect(try trial.results.leases(ofLaunch: 1).allSatisfy { $0.isDone && !$0.isPoisoned })
  }

  @Test func `a worker of a cancelled launch does nothing`() async throws {
    let trial = try Trial(seeds: 2, epochs: 1)
    #expect(try await trial.tool("cancel", "r").status == 0)
    #expect(try await trial.script("(worker 0)").status == 0)
    #expect(try trial.said(0).hasSuffix("Z launch 1: it was cancelled\n"))
    #expect(try trial.results.journal().entries.isEmpty)
  }

  @Test func `a task that was started anew too often ends with 75 and says so`() async throws {
    let trial = try Trial(seeds: 1, epochs: 1)
    #expect(try await trial.script("(worker 0 --engine-job 35 --restart 21)").status == 75)
    #expect(
      try trial.said(0).hasSuffix(
        "Z task 0: started anew 21 times, which is enough; the log tells what ended it. Submit again\n"))
  }

  @Test func `a launch that is not there ends with 66, a damaged one with 65, a folder that is gone with 73`()
    async throws
  {
    let trial = try Trial(seeds: 1, epochs: 1)
    #expect(try await trial.tool("worker", "r", "--launch", "2", "--task", "0").status == 66)
    let lease = trial.results.launchFolder + "/1.lease"
    try FileManager.default.moveItem(atPath: lease, toPath: lease + ".away")
    #expect(try await trial.tool("worker", "r", "--launch", "1", "--task", "0").status == 73)
    try Files.replace(trial.results.launchFolder + "/1.todo", with: "PLMPTODO")
    let damaged = try await trial.tool("worker", "r", "--launch", "1", "--task", "0")
    #expect(damaged.status == 65)
    #expect(
      damaged.errors.hasSuffix(
        "Z r.palimpsest/launch/1.todo: this file is damaged. No finished run is lost: cancel the launch and submit again "
          + "(\"palimpsest run FILE --launcher …\"), which takes what is still to do\n"))
  }

  @Test func `numbers that are none are refused`() async throws {
    let tool = try Tool()
    let answer = try await tool("worker", "r", "--launch", "0", "--task", "0")
    #expect(answer.status == 64)
    #expect(answer.errors.contains("--launch: 0 is no launch; they are counted from 1."))
    #expect(try await tool("worker", "r", "--launch", "1", "--task", "-1").status == 64)
    #expect(try await tool("worker", "r", "--launch", "1", "--task", "0", "--jobs", "0").status == 64)
  }

  /// For nodes on which no HDF5 is installed.
  @Test func `the worker's own program does the same, and links no HDF5`() async throws {
    let trial = try Trial(seeds: 2, epochs: 1)
    let program = Tool.executable + "-worker"
    let libraries = try await Tool.run("ldd", [program], in: trial.tool.folder)
    #expect(libraries.status == 0 && !libraries.output.contains("hdf5"))
    #expect(try await Tool.run("ldd", [Tool.executable], in: trial.tool.folder).output.contains("hdf5"))
    let answer = try await Tool.run(
      program, ["worker", "r", "--launch", "1", "--task", "0"], in: trial.tool.folder)
    #expect(answer.status == 0)
    try await trial.check()
  }

  /// Twelve workers on a folder, one of which is killed each half second and another stands still; each is started anew.
  @Test(.enabled(if: Tier.slow, "slow: PALIMPSEST_TIER=slow runs it"))
  func `no run is lost or done without need where workers are killed without end`() async throws {
    let trial = try Trial(seeds: 300, epochs: 500, tasks: 4, patience: 2)
    let answer = try await trial.script(
      """
      for task in 0 1 2 3; do
        ( restart=0
          while true; do
            (worker $task --engine-job 35 --restart $restart); status=$?
            [ $status -eq 0 ] && break
            restart=$(( (restart + 1) % 20 ))
          done ) &
      done
      for kill in $(seq 40); do
        sleep 0.5
        victims=($(pgrep -f "worker r --launch 1 --task $((kill % 4)) " -P "$(pgrep -d, -P $$)"))
        [ ${#victims[@]} -gt 0 ] && kill -9 ${victims[0]}
      done
      wait
      (worker 9); sleep 3; (worker 9)
      """)
    #expect(answer.status == 0)
    try await trial.check(doubled: 10)
  }
}
