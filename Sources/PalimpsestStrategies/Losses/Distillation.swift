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

  /// None before a task has ended.
  private var teacher: [Teacher] = []
  /// The outputs of each task that has ended.
  private var earlier: [Range<Int>] = []
  private var base = BaseLoss()
  private var room = WorkingRoom(Room())

  public init() {}

  public func bytes(in layout: ParameterLayout) -> Int { teacher.reduce(0) { $0 + layout.bytes(of: $1.parameters) } }

  public var teachers: [Teacher] { alpha > 0 || weight == .balanced ? teacher : [] }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    teacher = [Teacher(parameters: ended.model.parameters, way: ended.way)]
    if !earlier.contains(ended.info.outputs) { earlier.append(ended.info.outputs) }
  }

  public mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double {
    guard let answers = rows.teachers.first else { return 0 }
    let factor = factor(inTask: rows.task + 1)
    var sum = weight == .balanced ? addLess(logits, rows, factor, to: &gradient) : 0
    findGroups(rows, of: logits.columns)
    for row in rows.rows where isMeant(row, rows) {
      let share = factor * Double(rows.weights[row])
      for i in room.value.groups.indices {
        sum += share * compare(row, logits, answers, room.value.groups[i], rows.outputs, share, &gradient)
      }
    }
    return sum
  }

  /// Takes a share of the base loss away.
  private mutating func addLess(_ logits: Matrix, _ rows: LossRows, _ share: Double, to gradient: inout Matrix)
    -> Double
  {
    room.value.weights.removeAll(keepingCapacity: true)
    for row in rows.weights.indices {
      room.value.weights.append(rows.rows.contains(row) ? rows.weights[row] * Float(-share) : rows.weights[row])
    }
    var less = rows
    less.weights = room.value.weights
    return base.add(logits, less, to: &gradient)
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

  /// Leaves the columns of the earlier outputs in the groups that are compared: whether or not they take part in the base loss,
  /// which with outputs "current" they never do.
  private mutating func findGroups(_ rows: LossRows, of count: Int) {
    room.value.groups.removeAll(keepingCapacity: true)
    for outputs in earlier {
      let columns = rows.columns(of: outputs, among: count)
      if columns.isEmpty { continue }
      if let all = room.value.groups.first, form != .heads {
        room.value.groups[0] = min(all.lowerBound, columns.lowerBound)..<max(all.upperBound, columns.upperBound)
      } else {
        room.value.groups.append(columns)
      }
    }
  }

  /// Adds share times the derivative.
  /// - Returns: the cross-entropy of one row over one group.
  private mutating func compare(
    _ row: Int, _ z: Matrix, _ teacher: Matrix, _ group: Range<Int>, _ outputs: Range<Int>, _ share: Double,
    _ gradient: inout Matrix
  ) -> Double {
    if form == .sigmoid || z.columns == 1 { return compareLogistic(row, z, teacher, group, share, &gradient) }
    let all = min(outputs.lowerBound, group.lowerBound)..<max(outputs.upperBound, group.upperBound)
    let (temperature, padded) = (temperature, form == .padded ? all : nil)
    let scale = squared ? temperature * temperature : 1
    let value = room.value.compare(row, z, teacher, group, padded: padded, temperature) { column, slope in
      gradient[row, column] += Float(share * scale * slope / temperature)
    }
    return scale * value
  }

  private func compareLogistic(
    _ row: Int, _ z: Matrix, _ teacher: Matrix, _ group: Range<Int>, _ share: Double, _ gradient: inout Matrix
  ) -> Double {
    let scale = squared ? temperature * temperature : 1
    var sum = 0.0
    for column in group where !teacher[row, column].isNaN {
      let logit = Double(z[row, column]) / temperature
      let target = Elementary.logistic(Double(teacher[row, column]) / temperature)
      gradient[row, column] += Float(share * scale * (Elementary.logistic(logit) - target) / temperature)
      sum += max(logit, 0) + Elementary.log(1 + Elementary.exp(-abs(logit))) - target * logit
    }
    return scale * sum
  }
}

/// What a step works in: kept for its memory.
private struct Room: Sendable, Empty {
  static let empty = Room()

  /// The columns compared, in the groups that share a softmax.
  var groups: [Range<Int>] = []
  /// Of the rows in the base loss.
  var weights: [Float] = []
  private var target = Softened()
  private var student = Softened()

  /// The cross-entropy of what the student says of a row to what the teacher says, both softened.
  /// - Parameters:
  ///   - group: the teacher's softmax runs over what it knows of these columns, and the student's over the same.
  ///   - padded: the student's runs over all of these, where it is given.
  ///   - differentiate: is given each column of the student's softmax and the derivative times the temperature.
  mutating func compare(
    _ row: Int, _ z: Matrix, _ teacher: Matrix, _ group: Range<Int>, padded: Range<Int>?, _ temperature: Double,
    _ differentiate: (_ column: Int, _ slope: Double) -> Void
  ) -> Double {
    target.soften(group, where: { !teacher[row, $0].isNaN }) { Double(teacher[row, $0]) / temperature }
    if target.columns.isEmpty { return 0 }
    student.soften(padded ?? group, where: { padded != nil || !teacher[row, $0].isNaN }) {
      Double(z[row, $0]) / temperature
    }
    var (value, known) = (0.0, 0)
    for (i, column) in student.columns.enumerated() {
      let isKnown = known < target.columns.count && target.columns[known] == column
      let p = isKnown ? target.probabilities[known] : 0
      if isKnown { known += 1 }
      value -= p * student.logarithms[i]
      differentiate(column, student.probabilities[i] - p)
    }
    return value
  }
}

/// A softmax over some columns, with its logarithms.
private struct Softened: Sendable {
  private(set) var columns: [Int] = []
  private(set) var logarithms: [Double] = []
  private(set) var probabilities: [Double] = []

  mutating func soften(_ all: Range<Int>, where takesPart: (Int) -> Bool, _ logit: (Int) -> Double) {
    columns.removeAll(keepingCapacity: true)
    logarithms.removeAll(keepingCapacity: true)
    probabilities.removeAll(keepingCapacity: true)
    for column in all where takesPart(column) {
      columns.append(column)
      logarithms.append(logit(column))
    }
    let largest = logarithms.max() ?? 0
    let sum = largest + Elementary.log(logarithms.reduce(0) { $0 + Elementary.exp($1 - largest) })
    for i in logarithms.indices {
      logarithms[i] -= sum
      probabilities.append(Elementary.exp(logarithms[i]))
    }
  }
}

extension Distillation: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    for one in teacher {
      if let problem = one.problem(within: limits) { return "its teacher: \(problem)" }
    }
    let outputs = limits.outputs ?? .max
    return earlier.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= outputs } ? nil : "outputs \(earlier)"
  }
}
