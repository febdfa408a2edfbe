import PalimpsestCore

/// How far the laws of tasks lie apart in what rows show, how often labels come, and what the rows of a label show.
///
/// Inputs are compared column by column: histograms of 20 equal bins from the least to the largest value of any task, the Hellinger
/// distance of two of them, the largest of all columns. The numbers are those of laws at 8,192 points: where tasks share one law
/// of inputs, up to weights that are known, they share the points, and what is equal is 0 whatever the points are. Else each task has
/// points of its own, drawn from the same numbers; what is equal then is about .01.
struct LawDistances {
  let distances: DriftDistances

  /// Bins of a histogram are counted for every task, column and label.
  private static let mostHistograms = 20_000

  /// - Parameter moments: one a task.
  /// - Returns: nil where p* of rows is not known, or tasks, columns and labels are more than can be compared.
  /// - Cost: 8,192 rows of each task and their p*.
  init?(_ generator: any ConceptGenerator, _ moments: [ConceptMoment]) {
    let (columns, labels) = (generator.columns.count, generator.labels.count)
    guard moments.count * columns * (labels + 1) <= LawDistances.mostHistograms else { return nil }
    let points = LawDistances.points(generator, moments)
    let bins = ColumnBins(points.map(\.inputs), columns: columns)
    var laws: [JointHistogram] = []
    for (points, moment) in zip(points, moments) {
      var law = JointHistogram(columns: columns, labels: labels)
      for (row, weight) in points.weights.enumerated() {
        let inputs = Array(points.inputs.row(row))
        guard let p = generator.probabilities(inputs, moment) else { return nil }
        law.add(bins.places(of: inputs), p, weight)
      }
      laws.append(law.normalised)
    }
    var distances = DriftDistances(laws, rates: LawDistances.rates(generator, moments) ?? laws.map(\.rates))
    distances.twoSample = TwoSample.pairs(points.map { TwoSample.Sample($0.inputs, weights: $0.weights) })
    self.distances = distances
  }

  /// One a task; tasks that share their law of inputs share the points.
  private static func points(_ generator: any ConceptGenerator, _ moments: [ConceptMoment]) -> [InputPoints] {
    if let shifted = generator as? ShiftedLaw { return moments.map { shifted.points(at: $0) } }
    if generator is any RuleGenerator {
      return [InputPoints](repeating: InputPoints(generator, moments[0]), count: moments.count)
    }
    return moments.map { InputPoints(generator, $0) }
  }

  /// Of rules: how often each label comes.
  private static func rates(_ generator: any ConceptGenerator, _ moments: [ConceptMoment]) -> [[Double]]? {
    guard let rule = generator as? any RuleGenerator else { return nil }
    let cells = rule.cells
    return moments.map { moment in
      let positive = cells.reduce(0) { $0 + ($1.answers[moment.concept] ? $1.weight : 0) }
      let yes = rule.noise + (1 - 2 * rule.noise) * positive
      return [1 - yes, yes]
    }
  }
}

extension DriftDistances {
  /// - Parameters:
  ///   - laws: one a task, normalised.
  ///   - rates: how often each label comes, by task.
  init(_ laws: [JointHistogram], rates: [[Double]]) {
    func pairs(_ distance: (Int, Int) -> Double) -> [[Double]] {
      laws.indices.map { j in laws.indices.map { k in distance(j, k) } }
    }
    self.init(
      inputs: pairs { laws[$0].inputDistance(to: laws[$1]) },
      labels: pairs { Distance.totalVariation(rates[$0], rates[$1]) },
      inputsOfLabels: pairs { laws[$0].conditionalDistance(to: laws[$1], rates[$0], rates[$1]) })
  }

  /// Those of rows at hand, where no law of inputs is written down: of equal laws they are what samples of such a size differ by: of sixty
  /// people with sixty rows each .14.
  ///
  /// - Parameter tasks: test rows of each task, with two labels and p*.
  /// - Returns: nil where p* is not known, or a task has no rows.
  /// - Cost: about 5 ns a row and column.
  init?(testRows tasks: [Rows]) {
    guard tasks.count <= 200, tasks.allSatisfy({ $0.truth != nil && $0.count > 0 }) else { return nil }
    let inputs = tasks.map { $0.batch.inputs }
    let bins = ColumnBins(inputs, columns: tasks[0].columns)
    let laws = zip(tasks, inputs).map { JointHistogram($1, truth: $0.truth ?? [], bins).normalised }
    self.init(laws, rates: laws.map(\.rates))
    twoSample = TwoSample.pairs(zip(tasks, inputs).map { TwoSample.Sample($1, owners: $0.owners) })
  }
}

extension ScenarioTruth {
  /// With what rows, labels and the rows of a label differ by from task to task, measured on the test rows.
  func with(distancesOf tests: [EvaluationSet]) -> ScenarioTruth {
    var copy = self
    copy.distances = DriftDistances(testRows: tests.map(\.rows))
    return copy
  }
}
