import PalimpsestJSON
import PalimpsestRuns

/// The files in which the tasks of a launch say what they do.
public struct LaunchLogs: Sendable {
  private let folder: String
  private let names: [String]
  private let record: LaunchRecord

  /// - Throws: ``PalimpsestJSON/FileError`` where the folder cannot be listed.
  public init(_ folder: ResultsFolder, _ record: LaunchRecord) throws(FileError) {
    self.folder = folder.launchLogFolder(record.number)
    self.record = record
    names = try Files.names(in: self.folder).filter { $0.hasSuffix(".log") }
  }

  /// Paths of the logs of those tasks in their order; nil: of all that are there.
  public func files(ofTasks tasks: [Int]?) -> [String] {
    let wanted = tasks.map { $0.map(name) } ?? names
    return wanted.filter(names.contains).map { folder + "/" + $0 }
  }

  /// `35_2.log` where Slurm names it, else `2.log`.
  private func name(_ task: Int) -> String {
    (record.engine == "slurm" ? SlurmJobs(record).job(task) : nil).map { $0 + ".log" } ?? "\(task).log"
  }
}

extension LaunchStatus {
  /// Tasks that ended badly by the engine's word, and those that fell silent over a block.
  public var failedTasks: [Int] {
    let ended = tasks.filter { $0.phase == .ended && $0.word != "COMPLETED" }.map(\.task)
    let silent = leases.filter { !$0.isDone && $0.age.isFinite && $0.age >= record.patience || $0.isPoisoned }.map(
      \.task)
    return Set(ended + silent).sorted()
  }
}
