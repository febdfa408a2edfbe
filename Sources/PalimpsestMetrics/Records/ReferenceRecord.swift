extension RunRecord {
  /// What metrics see of a run that they compare others with: its accuracies, and whether it has any. A tenth of the record, or less.
  package var asReference: RunRecord {
    let kept: [ObservationName] = [.accuracy, .expectedAccuracy, .prequentialRows]
    var record = RunRecord(status: status, tasks: tasks, observations: observations.filter { kept.contains($0.name) })
    record.error = error
    return record
  }
}
