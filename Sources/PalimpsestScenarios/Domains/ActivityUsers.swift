import PalimpsestCore

/// Which of six activities does a sensor show? Tasks are users, or groups of classes of one user.
///
/// - Rows: twelve measures, normal of deviation 1 about the activity's centre. User 0's centres are drawn from N(0, `separation`); each
///   other user's are those, turned by exp(`rotation` · (A − Aᵀ)/√24) with A standard normal, and moved by N(0, `offset`).
/// - Truth: p* is a softmax of squared distances; J* is the rule of the mean posterior, weighted by density. Means are over the test rows
///   of each seed, which draws centres and users.
public struct ActivityUsers: GeneratorScenario {
  public static let name = "activity-users"
  public static let summary =
    "Six activities as clusters: new users, whose clusters are turned, or new classes of one user."
  public static let source = """
    A law of our own, after wearable activity data: known users are recognised far better than unknown ones. "users" is \
    domain-incremental (new instances), "classes" class-incremental (new classes).
    """
  public static let drawsConcepts = true

  /// What a task is.
  public enum Composition: String, ParameterChoice { case users, classes }

  @Parameter("Whether tasks are users with all six activities, or two activities each of one user.")
  public var composition: Composition = .users
  @Parameter("Users, a task each where tasks are users.", .within(1...1000)) public var users: Int = 5
  @Parameter("Activities of a task where tasks are classes: 1, 2 or 3.", .within(1...3)) public var classesPerTask:
    Int = 2
  @Parameter("Deviation of the centres of user 0's activities, in deviations of a row.", .within(0...100))
  public var separation: Double = 1.25
  @Parameter("How far users' centres are turned; 0: not at all.", .within(0...10)) public var rotation: Double = 1
  @Parameter("Deviation of what users' centres are moved by, a measure at a time.", .within(0...100))
  public var offset: Double = 0.25
  public var rows = GeneratorSettings(rowsPerTask: 1200)

  public init() {}

  public var extent: (tasks: Int, columns: Int) {
    (composition == .users ? users : ActivityLaw.classes / classesPerTask, ActivityLaw.measures)
  }

  public func checkConcepts() throws(ScenarioError) {
    guard composition == .classes && !rows.isPlain else { return }
    throw ScenarioError(
      parameter: rows.schedule.name == nil ? "transition" : "schedule.name",
      "tasks would show each other's classes. With \"composition\": \"classes\" transitions are \"abrupt\", and there is no schedule."
    )
  }

  public func generator(seed: Seed) -> any ConceptGenerator { ActivityLaw(self, seed) }
}

struct ActivityLaw: DensityGenerator {
  static let classes = 6
  static let measures = 12

  /// Users or groups of classes, one a concept.
  private let isOfUsers: Bool
  /// One list of centres a concept, one a class.
  private let centres: [[[Double]]]
  /// One a concept.
  private let shown: [Range<Int>]

  let columns = (1...ActivityLaw.measures).map { "x\($0)" }
  let labels = (1...ActivityLaw.classes).map { "activity \($0)" }
  let concepts: [String]
  let scales: [InputScaling] = [.column(shift: 0, divisor: 2)]
  var truth: GeneratorTruth { .ofTestRows }

  init(_ settings: ActivityUsers, _ seed: Seed) {
    isOfUsers = settings.composition == .users
    let first = ActivityLaw.drawn(ActivityLaw.classes, settings.separation, seed.derived("activity-centres"))
    let tasks = settings.extent.tasks
    if isOfUsers {
      concepts = (0..<tasks).map { "user \($0 + 1)" }
      centres = (0..<tasks).map {
        $0 == 0 ? first : ActivityLaw.moved(first, settings, seed.derived("activity-user", $0))
      }
      shown = Array(repeating: 0..<ActivityLaw.classes, count: tasks)
    } else {
      let size = settings.classesPerTask
      shown = (0..<tasks).map { $0 * size..<($0 + 1) * size }
      concepts = shown.map {
        $0.count == 1 ? "activity \($0.upperBound)" : "activities \($0.lowerBound + 1)-\($0.upperBound)"
      }
      centres = Array(repeating: first, count: tasks)
    }
  }

  func outputs(of concept: Int) -> Range<Int> { shown[concept] }
  func owner(_ moment: ConceptMoment) -> Int? { isOfUsers ? moment.concept : 0 }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let shown = shown[moment.concept]
    let label = shown.lowerBound + draws.index(below: shown.count, .label)
    let centre = centres[moment.concept][label]
    for column in inputs.indices { inputs[column] = Float(centre[column] + draws.normal(.inputs, column)) }
    return label
  }

  func logDensities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double] {
    let shown = shown[moment.concept]
    return centres[moment.concept].enumerated().map { label, centre in
      shown.contains(label) ? -squareDistance(inputs, centre) / 2 - Elementary.log(Double(shown.count)) : -.infinity
    }
  }

  // MARK: - Users

  /// Points whose coordinates are N(0, deviation).
  private static func drawn(_ count: Int, _ deviation: Double, _ seed: Seed) -> [[Double]] {
    (0..<count).map { point in
      (0..<measures).map { deviation * Quantile.normal(seed.uniform(point, $0, 0)) }
    }
  }

  /// Another user's centres.
  private static func moved(_ centres: [[Double]], _ settings: ActivityUsers, _ seed: Seed) -> [[Double]] {
    let a = drawn(measures, 1, seed.derived("rotation"))
    let step = settings.rotation / Double(2 * measures).squareRoot()
    let turn = SkewExponential((0..<measures).map { i in (0..<measures).map { step * (a[i][$0] - a[$0][i]) } }).matrix
    let offset = drawn(1, settings.offset, seed.derived("offset"))[0]
    return centres.map { centre in
      zip(turn, offset).map { row, shift in zip(row, centre).reduce(shift) { $0 + $1.0 * $1.1 } }
    }
  }
}

/// exp(K) of a skew-symmetric matrix: a rotation. By a Taylor series of K/2ˢ, squared s times; its rows are orthonormal up to 1e-14 for the
/// sizes in use.
package struct SkewExponential {
  package let matrix: [[Double]]

  package init(_ skew: [[Double]]) {
    let size = skew.joined().reduce(0) { max($0, abs($1)) } * Double(skew.count)
    var halvings = 0
    while size > Double(1 << halvings) / 16 && halvings < 40 { halvings += 1 }
    let part = skew.map { $0.map { $0 / Double(1 << halvings) } }
    let unit = skew.indices.map { row in skew.indices.map { $0 == row ? 1.0 : 0 } }
    var (sum, term) = (unit, unit)
    for order in 1...10 {
      term = SkewExponential.product(term, part).map { $0.map { $0 / Double(order) } }
      sum = zip(sum, term).map { zip($0, $1).map { $0 + $1 } }
    }
    for _ in 0..<halvings { sum = SkewExponential.product(sum, sum) }
    matrix = sum
  }

  private static func product(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] {
    let columns = b.transposed
    return a.map { row in columns.map { column in zip(row, column).reduce(0) { $0 + $1.0 * $1.1 } } }
  }
}
