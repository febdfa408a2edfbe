import PalimpsestCore

/// Where the runs of an experiment are done: the block `execution` of its file, or a file of its own. It changes no result and is no part of a run's identity.
public struct ExecutionSettings: Configurable {
  static let summary =
    "Where runs are done: in this process, or by workers that an engine starts; no result depends on it."

  @Parameter(
    "Who starts workers: \"local\" (processes on this machine), \"slurm\", \"script:FILE\" (a job script from a template), \"none\" (the runs are done in the process itself); null: none."
  )
  public var launcher: String? = nil
  public var task = TaskSettings()
  public var slurm = SlurmSettings()
  public var block = BlockSettings()

  public init() {}
}

/// What one worker asks for.
public struct TaskSettings: NestedParameters {
  @Parameter("Processors of a worker: as many runs at a time.", .within(1...4096)) public var cpus: Int = 1
  @Parameter(
    "Memory of a worker, such as \"500M\" or \"2G\"; \"auto\": half as much again as \"expand\" expects, and 150 MB.")
  public var memory: String = "auto"
  @Parameter(
    "Time limit of a worker, such as \"30min\" or \"4h\"; \"auto\": 4 h. One that is reached goes on where it stood.")
  public var time: String = "auto"

  public init() {}
}

/// What Slurm is asked for beside what every engine is.
public struct SlurmSettings: NestedParameters {
  @Parameter("Partition; null: the cluster's own choice.") public var partition: String? = nil
  @Parameter("Account that is charged; null: the user's own.") public var account: String? = nil
  @Parameter("Quality of service; null: the cluster's own choice.") public var qos: String? = nil
  @Parameter("Tasks of the array; null: one a block of runs, at most atOnce.", .within(1...1_000_000)) public var tasks:
    Int? = nil
  @Parameter("Tasks that run at once.", .within(1...1_000_000)) public var atOnce: Int = 64
  @Parameter("More options of sbatch, each as one text: \"--constraint=avx2\".") public var extra: [String] = []

  public init() {}
}

/// How work is cut into pieces that a worker takes one after another.
public struct BlockSettings: NestedParameters {
  @Parameter("Estimated work of one block, in seconds, at most.", .within(0.001...1_000_000)) public var seconds:
    Double =
      120

  public init() {}
}
