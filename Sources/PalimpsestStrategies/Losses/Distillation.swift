import PalimpsestCore

/// Learning without forgetting: the network is held to what it said when the last task ended, on the rows at hand.
///
/// The term is α · D(teacher(x), z(x)), a cross-entropy of softened outputs with temperature T:
///
/// - `heads`: Σ over earlier tasks of the cross-entropy over the task's outputs;
/// - `old`: one cross-entropy over all earlier outputs;
/// - `padded`: the student's softmax runs over all outputs that take part, the teacher's over the earlier ones;
/// - `sigmoid`: a logistic loss for each earlier output (one-output networks always); iCaRL's is that with temperature 1.
///
/// Every row counts by its weight in the base loss. Earlier outputs are held whether or not they take part in that: with `outputs`
/// "current" the new rows train their own task's and are held to the teacher in the others.
///
/// - Memory: a copy of the network, whatever the number of tasks. Time: a forward pass of the teacher on the step's rows.
/// - Source: Li & Hoiem 2016; Rebuffi et al. 2017 (`sigmoid`); the forms are those of public toolkits. The teacher's softmax is taken
///   over the outputs it knows, after they were cut out.
public struct Distillation: OutputLoss, ConsolidatingPart {
  public static let name = "distillation"
  public static let summary = "Holds the network to what it said of the rows when the last task ended (LwF)."
  public static let source = """
    Li & Hoiem, \"Learning without forgetting\", ECCV 2016; Rebuffi et al., CVPR 2017 (sigmoid). Cross-entropy of softened \
    outputs; squared multiplies by the square of the temperature.
    """

  /// What is compared.
  public enum Form: String, ParameterChoice {
    case heads, old, padded, sigmoid
  }

  /// The rows that are held to the teacher.
  public enum Subject: String, ParameterChoice {
    case new, stored, both
  }

  /// How much the term counts.
  public enum Weight: String, ParameterChoice {
    /// α, beside the base loss.
    case constant
    /// 1 − 1/k in task k, with 1/k left to the base loss.
    case balanced
    /// α (k − 1).
    case tasks
  }

  @Parameter(
    "Which softmax is compared: one for each earlier task, over all earlier outputs, over all, or logistic ones.")
  public var form: Form = .old
  @Parameter("Whether new rows, stored rows or both are held to the teacher.") public var on: Subject = .new
  @Parameter("Weight α of the term.", .atLeast(0)) public var alpha: Double = 1
  @Parameter("Temperature T that logits are divided by.", .above(0)) public var temperature: Double = 2
  @Parameter("Whether the term is multiplied by the temperature's square.") public var squared: Bool = false
  @Parameter("How the term is weighed: by alpha, 1 - 1/k in task k with 1/k for the labels, or alpha (k - 1).")
  public var weight: Weight = .constant

  private var teacher: Teacher?
  /// The outputs of each task that has ended.
  private var earlier: [Range<Int>] = []
  private var base = BaseLoss()

  public init() {}

  public func bytes(in layout: ParameterLayout) -> Int { teacher.map { layout.bytes(of: $0.parameters) } ?? 0 }

  public var teachers: [Teacher] { alpha > 0 || weight == .balanced ? teacher.map { [$0] } ?? [] : [] }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    teacher = Teacher(parameters: ended.model.parameters, way: ended.way)
    if !earlier.contains(ended.info.outputs) { earlier.append(ended.info.outputs) }
  }

  public mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double {
    guard let answers = rows.teachers.first else { return 0 }
    let factor = factor(inTask: rows.task + 1)
    var sum = 0.0
    if weight == .balanced {
      var less = rows
      for row in rows.rows { less.weights[row] *= Float(-factor) }
      sum = base.add(logits, less, to: &gradient)
    }
    for row in rows.rows where isMeant(row, rows) {
      let share = factor * Double(rows.weights[row])
      for group in groups(rows, of: logits.columns) {
        sum += share * compare(row, logits, answers, group, rows.outputs, share, &gradient)
      }
    }
    return sum
  }

  private func factor(inTask k: Int) -> Double {
    switch weight {
    case .constant: alpha
    case .balanced: 1 - 1 / Double(k)
    case .tasks: alpha * Double(k - 1)
    }
  }

  private func isMeant(_ row: Int, _ rows: LossRows) -> Bool {
    switch on {
    case .new: rows.new.contains(row)
    case .stored: !rows.new.contains(row)
    case .both: true
    }
  }

  /// Columns of the earlier outputs, in the groups that are compared: whether or not they take part in the base loss, which with
  /// outputs "current" they never do.
  private func groups(_ rows: LossRows, of count: Int) -> [Range<Int>] {
    let columns = earlier.map { rows.columns(of: $0, among: count) }.filter { !$0.isEmpty }
    if form == .heads { return columns }
    guard let first = columns.map(\.lowerBound).min(), let last = columns.map(\.upperBound).max() else { return [] }
    return [first..<last]
  }

  /// Adds share times the derivative.
  /// - Returns: the cross-entropy of one row over one group.
  private func compare(
    _ row: Int, _ z: Matrix, _ teacher: Matrix, _ group: Range<Int>, _ outputs: Range<Int>, _ share: Double,
    _ gradient: inout Matrix
  ) -> Double {
    let known = group.filter { !teacher[row, $0].isNaN }
    if known.isEmpty { return 0 }
    if form == .sigmoid || z.columns == 1 { return compareLogistic(row, z, teacher, known, share, &gradient) }
    let active =
      form == .padded
      ? Array(min(outputs.lowerBound, group.lowerBound)..<max(outputs.upperBound, group.upperBound)) : known
    let target = Softened(known.map { Double(teacher[row, $0]) / temperature })
    let student = Softened(active.map { Double(z[row, $0]) / temperature })
    let scale = squared ? temperature * temperature : 1
    var value = 0.0
    for (i, column) in active.enumerated() {
      let p = known.firstIndex(of: column).map { target.probabilities[$0] } ?? 0
      value -= p * student.logarithms[i]
      gradient[row, column] += Float(share * scale * (student.probabilities[i] - p) / temperature)
    }
    return scale * value
  }

  private func compareLogistic(
    _ row: Int, _ z: Matrix, _ teacher: Matrix, _ known: [Int], _ share: Double, _ gradient: inout Matrix
  ) -> Double {
    let scale = squared ? temperature * temperature : 1
    return scale
      * known.reduce(0) { sum, column in
        let logit = Double(z[row, column]) / temperature
        let target = Elementary.logistic(Double(teacher[row, column]) / temperature)
        gradient[row, column] += Float(share * scale * (Elementary.logistic(logit) - target) / temperature)
        return sum + max(logit, 0) + Elementary.log(1 + Elementary.exp(-abs(logit))) - target * logit
      }
  }
}

/// A softmax with its logarithms.
private struct Softened {
  let logarithms: [Double]
  let probabilities: [Double]

  init(_ logits: [Double]) {
    let largest = logits.max() ?? 0
    let sum = largest + Elementary.log(logits.reduce(0) { $0 + Elementary.exp($1 - largest) })
    logarithms = logits.map { $0 - sum }
    probabilities = logarithms.map(Elementary.exp)
  }
}

extension Distillation: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    if let problem = teacher?.problem(within: limits) { return "its teacher: \(problem)" }
    let outputs = limits.outputs ?? .max
    return earlier.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= outputs } ? nil : "outputs \(earlier)"
  }
}
