import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns

extension ResultsFolder {
  /// Makes several cubes of so many plan positions each, `NAME-000.h5` and on, in the form that one of all runs would have: behind each other
  /// along `run` they are that one. A part without a finished run has no file. What an earlier call made goes; `NAME.h5` stays as it is.
  ///
  /// - Parameters:
  ///   - size: plan positions of a cube, at least 1.
  ///   - metrics, origin, date, note: as of ``collect(metrics:origin:at:note:)``.
  /// - Returns: what was found, with the size of all files, and their paths.
  /// - Throws: what ``collect(metrics:origin:at:note:)`` throws; ``PalimpsestJSON/FileError`` where a file that is none of these has their
  ///   name.
  /// - Memory: one of the cubes, and about 200 bytes a run. Time: records are read twice.
  public func collectShards(
    of size: Int, metrics: [Metric] = standardMetrics, origin: CubeOrigin = .current, at date: Date = .now,
    note: (String) -> Void = { _ in }
  ) throws -> (summary: CollectSummary, files: [String]) {
    let lock = CollectLock(self, patience: CollectLock.patience, note: note)
    defer { lock?.release() }
    let runs = try FinishedRuns(self)
    let parts = ShardParts(runs, size: max(1, size))
    let files = parts.numbers.map { shard($0) }
    try checkAreOurs(files)
    let (survey, form) = try CubeForm.read(runs)
    try keep(shards: Array(Set(files + shards)).sorted())
    var bytes = 0
    for (number, file) in zip(parts.numbers, files) {
      let range = parts.ranges[number] ?? 0..<0
      let pack = try CubePack(part: runs[range], metrics, survey, form, planned: parts.planned[number] ?? 0)
      let line =
        "\(date.formatted(.iso8601)) \(origin.program): collect, runs \(number * size) to \((number + 1) * size - 1) of the plan"
      let image = try Cube.image(of: pack, history: [line], origin: origin)
      try image.replace(file)
      bytes += image.count
    }
    try removeShards(besides: files)
    try keep(shards: files)
    return (CollectSummary(runs, bytes: bytes), files)
  }

  private func checkAreOurs(_ files: [String]) throws(FileError) {
    let known = Set(shards)
    guard let other = files.first(where: { Files.exists($0) && !known.contains(Paths.last(of: $0)) }) else { return }
    throw FileError(
      .unwritable,
      "\(other): this file would be replaced, and it is none that \"collect --shard\" made of these results. Move it away"
    )
  }
}

/// Which runs are in which part, by the positions of the plan.
private struct ShardParts {
  /// Of the parts that have finished runs, in order.
  let numbers: [Int]
  /// The runs of each, among all that have ended.
  private(set) var ranges: [Int: Range<Int>] = [:]
  /// How many runs of the plan each has.
  private(set) var planned: [Int: Int] = [:]

  init(_ runs: FinishedRuns, size: Int) {
    for (place, run) in runs.runs.enumerated() {
      let part = run.index / size
      ranges[part] = (ranges[part]?.lowerBound ?? place)..<place + 1
    }
    for run in runs.plan.runs { planned[run.index / size, default: 0] += 1 }
    numbers = ranges.keys.sorted()
  }
}

extension CubeForm {
  /// What all runs together observed, and the form of their cube.
  fileprivate static func read(_ runs: FinishedRuns) throws -> (ObservationSurvey, CubeForm) {
    var survey = ObservationSurvey()
    var labels: [String: CubeLabels] = [:]
    for range in runs.blocks(of: CubePack.block) {
      let rows = try runs.rows(range)
      survey.add(rows)
      for axis in survey.tickedAxes.union([MeasureAxis.task.name]) {
        for row in rows { labels[axis, default: CubeLabels()].add(row.entry.record.labels(along: axis)) }
      }
    }
    var form = CubeForm(runs, try ReferenceRuns(runs))
    form.labels = labels.mapValues(\.lists)
    return (survey, form)
  }
}
