import HDF5
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestResults

/// The columns of a cube, made in one pass over the records of its runs: a block of these is in memory at a time, and of what they measured
/// only the compressed chunks stay.
///
/// How long the axes are has to be known before the first chunk. It is guessed from a run of each configuration; where another run then is
/// longer, or observed something else, a second pass follows.
package struct CubePack: Sendable {
  /// Runs whose records are in memory at once.
  package static let block = 4096
  /// Runs that the first guess is made from, at most.
  private static let mostGuessed = 1024

  let runs: FinishedRuns
  /// Runs of the plan.
  let planned: Int
  /// Configurations with a run.
  let seen: Set<Int>
  let survey: ObservationSurvey
  let references: ReferenceRuns
  /// Columns that name the run which another is compared with: where any is.
  let compared: Set<String>
  private(set) var metrics: [PackedMetrics] = []
  private(set) var measures: [PackedMeasure] = []
  private(set) var facts = RunFacts()
  /// By axis.
  private(set) var labels: [String: CubeLabels] = [:]

  /// - Parameters:
  ///   - metrics: of accuracies.
  ///   - readers: are given the rows of the pass that counts.
  /// - Throws: what reading records throws.
  package init(
    _ runs: FinishedRuns, _ metrics: [Metric], block: Int = CubePack.block, for readers: [any RowReader] = []
  ) throws {
    let references = try ReferenceRuns(runs)
    var survey = try ObservationSurvey(runs.rows(CubePack.guessed(runs)))
    while true {
      self.init(runs, metrics, survey, CubeForm(runs, references))
      for reader in readers { reader.begin(runs, observed: survey.has) }
      let found = try add(blocksOf: block, for: readers)
      if found == survey { return }
      survey = found
    }
  }

  /// Of a part of some runs, in the form that they have together.
  /// - Parameter planned: runs of the plan in this part.
  init(part runs: FinishedRuns, _ metrics: [Metric], _ survey: ObservationSurvey, _ form: CubeForm, planned: Int) throws
  {
    self.init(runs, metrics, survey, form, planned: planned)
    _ = try add(blocksOf: CubePack.block, for: [])
  }

  /// Of no run yet.
  private init(
    _ runs: FinishedRuns, _ metrics: [Metric], _ survey: ObservationSurvey, _ form: CubeForm, planned: Int? = nil
  ) {
    (self.runs, self.survey) = (runs, survey)
    (references, seen, compared) = (form.references, form.seen, form.compared)
    self.planned = planned ?? runs.plan.runCount
    let kinds = AccuracyKind.allCases.filter { $0 == .sampled || survey.knowsExpected }
    self.metrics = kinds.map { PackedMetrics($0, metrics, runs: runs.count) }
    let lengths = CubeAxes.lengths(runs, survey)
    measures = survey.measures.map { measure in PackedMeasure(measure, measure.dimensions.map { lengths[$0] ?? 0 }) }
    for axis in survey.tickedAxes.union([MeasureAxis.task.name]) { labels[axis] = CubeLabels(form.labels[axis] ?? []) }
  }

  /// The first run of each configuration, or of some of them.
  private static func guessed(_ runs: FinishedRuns) -> [Int] {
    var met: Set<Int> = []
    let first = runs.runs.indices.filter { met.insert(runs.runs[$0].configuration).inserted }
    let step = max(1, (first.count + mostGuessed - 1) / mostGuessed)
    return stride(from: 0, to: first.count, by: step).map { first[$0] }
  }

  /// Packs the runs, up to the first block that does not fit the survey.
  /// - Returns: the survey of all of them.
  private mutating func add(blocksOf size: Int, for readers: [any RowReader]) throws -> ObservationSurvey {
    let (references, keeps) = (references, !readers.isEmpty)
    var (found, fits) = (ObservationSurvey(), true)
    for range in runs.blocks(of: size) {
      let parts = try runs.parts(of: range, PackedPart(self)) { [fits] part, rows in
        part.find(rows)
        if fits { part.add(rows, references) }
        if fits && keeps { part.keep(rows) }
      }
      for part in parts { found.add(part.found) }
      fits = fits && survey.holds(found)
      if !fits { continue }
      for part in parts { take(part) }
      for reader in readers { reader.add(parts.flatMap(\.rows), references) }
    }
    return found
  }

  private mutating func take(_ part: PackedPart) {
    for kind in metrics.indices { metrics[kind].take(part.metrics[kind]) }
    let measures = measures
    _ = Cores.map(measures.count, atLeast: 1) { range in
      for measure in range { measures[measure].append(part.measures[measure]) }
    }
    for measure in measures.indices { self.measures[measure].note(part.measures[measure]) }
    facts.add(part.facts)
    for axis in labels.keys { if let own = part.labels[axis] { labels[axis]?.add(own) } }
  }
}

/// What a cube's datasets have in common with those of other parts of the same runs, beside the survey.
struct CubeForm {
  let references: ReferenceRuns
  /// Configurations with a run.
  let seen: Set<Int>
  /// Columns that name the run which another is compared with: where any is.
  let compared: Set<String>
  /// Lists of names that come first, by axis.
  var labels: [String: [[String]]] = [:]

  init(_ runs: FinishedRuns, _ references: ReferenceRuns) {
    self.references = references
    seen = Set(runs.runs.lazy.map(\.configuration))
    let columns = Requirement.references.filter { need, _ in
      runs.runs.contains { references.runID(need, of: $0) != nil }
    }
    compared = Set(columns.map(\.column))
  }
}
