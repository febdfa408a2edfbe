import ArgumentParser
import Palimpsest

/// Where runs are done: options beside what the experiment and a profile say.
struct LaunchOptions: ParsableArguments {
  @Option(help: "Who starts workers: none (the runs are done here), local, slurm, or script:FILE, a template.")
  var launcher: String?
  @Option(help: "A JSON file with settings of \"execution\", over those of the experiment.") var profile: String?
  @Option(help: "Workers (default: as many as there are blocks of runs, at most --at-once).") var tasks: Int?
  @Option(help: "Workers that run at once.") var atOnce: Int?
  @Option(help: "Processors of a worker: as many runs at a time.") var taskCpus: Int?
  @Option(help: "Time limit of a worker: 30min, 4h.") var time: String?
  @Option(help: "Memory of a worker: 500M, 2G.") var memory: String?
  @Option(help: "Slurm's partition.") var partition: String?
  @Option(help: "Account that Slurm charges.") var account: String?
  @Option(
    parsing: .unconditionalSingleValue,
    help: "One more option of sbatch: --slurm-extra=--constraint=avx2. May be repeated.")
  var slurmExtra: [String] = []
  @Flag(help: "Show progress until all workers have ended, and report. Ctrl-C leaves them at work.") var wait = false
  @Flag(help: "Print the job scripts and how they are submitted; nothing is written or submitted.") var printScript =
    false

  /// What the experiment, the profile and these options say together.
  /// - Throws: ``Problems`` for the profile; ``UsageError`` for an option.
  func settings(_ experiment: Experiment) throws -> ExecutionSettings { try settings(over: experiment.execution) }

  func settings(over execution: Component) throws -> ExecutionSettings {
    var layers = [execution]
    if let profile {
      layers.append(try ExecutionProfile(try Files.read(profile, atMost: 1 << 20, pipes: true), file: profile).given)
    }
    layers.append(try given())
    let settings = try ExecutionSettings(layers)
    try check(settings)
    return settings
  }

  /// These options as settings.
  private func given() throws -> Component {
    var given: [String: ParameterValue] = [:]
    func set(_ name: String, _ option: String, _ text: String?, _ expected: (String) -> String?) throws {
      guard let text else { return }
      if let expected = expected(text) { throw UsageError("\(option) \"\(text)\": expected \(expected)") }
      given[name] = .string(text)
    }
    try set("launcher", "--launcher", launcher) { LauncherName($0) == nil ? LauncherName.expectation : nil }
    try set("task.time", "--time", time) { $0 == "auto" || TimeLimit($0) != nil ? nil : TimeLimit.expectation }
    try set("task.memory", "--memory", memory) {
      $0 == "auto" || MemoryAmount($0) != nil ? nil : MemoryAmount.expectation
    }
    try set("slurm.partition", "--partition", partition, ExecutionTexts.name)
    try set("slurm.account", "--account", account, ExecutionTexts.name)
    for option in slurmExtra {
      guard let expected = ExecutionTexts.option(option) else { continue }
      throw UsageError("--slurm-extra \"\(option)\": expected \(expected)")
    }
    if !slurmExtra.isEmpty { given["slurm.extra"] = .list(slurmExtra.map { .string($0) }) }
    let counts = [
      ("slurm.tasks", "--tasks", tasks), ("slurm.atOnce", "--at-once", atOnce), ("task.cpus", "--task-cpus", taskCpus),
    ]
    for (name, option, value) in counts {
      guard let value else { continue }
      let most = name == "task.cpus" ? 4096 : 1_000_000
      guard (1...most).contains(value) else {
        throw UsageError("\(option) \(value): expected a number in [1, \(most)]")
      }
      given[name] = .number(String(value))
    }
    return Component(given: given)
  }

  /// What counts only beside a launcher is refused without one.
  private func check(_ settings: ExecutionSettings) throws {
    if settings.who == .local && printScript {
      throw UsageError("--print-script: local workers are started by no script; --launcher script:shell prints one")
    }
    guard settings.who == .none else { return }
    let given: [(String, Bool)] = [
      ("--tasks", tasks != nil), ("--at-once", atOnce != nil), ("--task-cpus", taskCpus != nil),
      ("--time", time != nil),
      ("--memory", memory != nil), ("--partition", partition != nil), ("--account", account != nil),
      ("--slurm-extra", !slurmExtra.isEmpty), ("--wait", wait), ("--print-script", printScript),
    ]
    guard let first = given.first(where: \.1) else { return }
    throw UsageError(
      "\(first.0): nobody starts workers here; add --launcher local, --launcher slurm or --launcher script:FILE")
  }
}

extension ExecutionSettings {
  /// Who starts workers.
  var who: LauncherName { launcher.flatMap { LauncherName($0) } ?? .none }
}
