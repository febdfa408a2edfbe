/// What is said of runs while a sweep goes on: three numbers a run, whatever kind of run it is.
extension Metric {
  /// Of runs through tasks.
  package static let taskStatus: [Metric] = [.averageAccuracy, .forgetting, .learningAccuracy]

  /// Of runs of a kind, as many for each.
  package static func status(isStream: Bool, isPersonal: Bool) -> [Metric] {
    isPersonal ? personalStatus : isStream ? streamStatus : taskStatus
  }

  /// Of a run.
  package static func status(of record: RunRecord) -> [Metric] {
    status(isStream: record.isStream, isPersonal: record.isPersonal)
  }
}
