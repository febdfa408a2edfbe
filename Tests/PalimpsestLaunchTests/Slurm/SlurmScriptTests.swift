import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestLaunch
import PalimpsestRuns
import TestFixtures
import Testing

/// Job scripts as sbatch reads them.
struct SlurmScriptTests {
  @Test func `a script asks for what the settings say`() throws {
    var settings = ExecutionSettings()
    settings.slurm.partition = "cpu"
    settings.slurm.account = "cl-lab"
    settings.slurm.extra = ["--constraint=avx2", "--comment=two words"]
    settings.slurm.atOnce = 16
    let script = try SlurmScript(Work.work(ResultsFolder("/r/a.h5"), 64, settings), mostTasks: 1000)
    #expect(
      script.script(script.arrays[0]) == """
        #!/bin/bash
        #SBATCH --job-name=plmp-strategies-3
        #SBATCH --array=0-63%16
        #SBATCH --requeue
        #SBATCH --open-mode=append
        #SBATCH --output=/r/a.palimpsest/log/3/%A_%a.log
        #SBATCH --time=240
        #SBATCH --cpus-per-task=2
        #SBATCH --mem=500M
        #SBATCH --signal=USR1@300
        #SBATCH --partition=cpu
        #SBATCH --account=cl-lab
        #SBATCH --constraint=avx2
        #SBATCH "--comment=two words"
        # again COMMAND...: a worker that was killed alone is begun anew, at most 20 times
        again() {
          attempt=0 ended=
          trap 'ended=yes' TERM INT USR1 USR2
          while :; do
            "$@" --attempt "$attempt" && return
            status=$?
            case $status in 1 | 132 | 133 | 134 | 135 | 136 | 137 | 139) ;; *) return "$status" ;; esac
            if [ -n "$ended" ] || [ "$attempt" -ge 20 ]; then return "$status"; fi
            attempt=$((attempt + 1))
            sleep "$attempt"
            if [ -n "$ended" ]; then return "$status"; fi
          done
        }
        again srun --ntasks=1 --cpus-per-task=2 --kill-on-bad-exit=0 /r/bin/palimpsest-9c41 worker /r/a.palimpsest --launch 3 --task "$SLURM_ARRAY_TASK_ID" --jobs 2

        """)
    #expect(script.collectScript.hasSuffix("\nexec /r/bin/palimpsest-9c41 collect /r/a.palimpsest\n"))
  }

  @Test func `odd paths reach sbatch and the worker as they are`() throws {
    let folder = ResultsFolder("/r/it's 50% \"$(date)\" #1/a.h5")
    let script = try SlurmScript(Work.work(folder, 2, program: "/r/my bin/palimpsest"), mostTasks: 10)
    let lines = script.script(script.arrays[0]).split(separator: "\n").map(String.init)
    // Between quotes a backslash takes what follows as it is, and two percent signs are one.
    #expect(
      lines.contains(
        #"#SBATCH "--output=/r/it's 50%% \"$(date)\" #1/a.palimpsest/log/3/%A_%a.log""#))
    #expect(
      lines.last?.contains(#" '/r/my bin/palimpsest' worker '/r/it'\''s 50% "$(date)" #1/a.palimpsest' "#) == true)
  }

  @Test func `a shell gives the worker the words that were meant`() async throws {
    let folder = ResultsFolder("/r/it's 50% \"$(date)\" `x` #1/a.h5")
    let script = try SlurmScript(Work.work(folder, 9, program: "/r/a b/'"), mostTasks: 4)
    let text = script.script(script.arrays[1]).replacing("again srun", with: "again printf '%s\\n'")
    var calls = Work.calls
    calls.environment["SLURM_ARRAY_TASK_ID"] = "2"
    let answer = try await calls.output("bash", ["-s"], input: text)
    #expect(
      answer.lines.suffix(11) == [
        "/r/a b/'", "worker", folder.folder, "--launch", "3", "--task", "6", "--jobs", "2", "--attempt", "0",
      ])
  }

  @Test(arguments: ["/r/a\nb.h5", "/r/a\u{7F}.h5", "/r/a\\b.h5"])
  func `what no script can hold is refused`(path: String) throws {
    let work = try Work.work(ResultsFolder(path), 2)
    let error = #expect(throws: EngineError.self) { try SlurmScript(work, mostTasks: 10) }
    #expect(error?.kind == .refused && error?.description.hasSuffix("choose another folder") == true)
  }

  @Test(arguments: [(6, 4, 64), (6, 4, 3), (1, 1000, 64), (2500, 1000, 100), (5, 1, 1)])
  func `arrays have every task once and what may run at once together`(tasks: Int, most: Int, atOnce: Int) throws {
    var settings = ExecutionSettings()
    settings.slurm.atOnce = atOnce
    let arrays = try SlurmScript(Work.work(ResultsFolder("/r/a"), tasks, settings), mostTasks: most).arrays
    #expect(arrays.flatMap { Array($0.first..<$0.first + $0.count) } == Array(0..<tasks))
    #expect(arrays.allSatisfy { $0.count <= most && (1...$0.count).contains($0.atOnce) })
    #expect(arrays.reduce(0) { $0 + $1.atOnce } <= max(min(tasks, atOnce), arrays.count))
  }

  @Test func `a short limit is told early enough, and no earlier than it begins`() throws {
    var work = try Work.work(ResultsFolder("/r/a"), 1)
    work.needs.minutes = 2
    let script = try SlurmScript(work, mostTasks: 10)
    #expect(script.script(script.arrays[0]).contains("--signal=USR1@30\n"))
  }
}
