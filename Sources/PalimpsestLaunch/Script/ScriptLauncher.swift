import PalimpsestJSON
import PalimpsestRuns

/// A job script that the user hands over: nobody is called.
public struct ScriptLauncher: Launcher {
  private let template: ScriptTemplate

  /// - Throws: what ``ScriptTemplate/init(_:)`` throws.
  public init(_ name: String) throws { template = try ScriptTemplate(name) }

  /// Keeps the script with the launch; its tasks are there once somebody starts them.
  public func submit(_ work: SubmittedWork) async throws -> LaunchRecord {
    var record = work.record
    record.script = try template.script(work)
    try record.write(to: work.folder)
    return record
  }

  /// Nobody can be asked.
  public func states(of record: LaunchRecord) async throws -> [TaskState] { [] }

  public func cancel(_ record: LaunchRecord) async throws {}
}
