import Palimpsest

/// Learning without forgetting for one output: the logistic loss against what the network said when the last task ended.
///
/// It keeps a teacher and is handed what the teacher says of the rows at hand.
/// - Memory: a copy of the network. Time: its forward pass.
public struct PlainDistillation: OutputLoss {
  public static let name = "plain-distillation"
  public static let summary = "Holds new rows to what the network said of them when the last task ended."
  public static let source = "Li & Hoiem, \"Learning without forgetting\", ECCV 2016, with a logistic loss an output."

  @Parameter("Weight of the term.", .atLeast(0)) public var alpha: Double = 1

  private var teacher: Teacher?

  public init() {}

  public var teachers: [Teacher] { teacher.map { [$0] } ?? [] }

  public func bytes(in layout: ParameterLayout) -> Int { teacher.map { layout.bytes(of: $0.parameters) } ?? 0 }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    teacher = Teacher(parameters: ended.model.parameters, way: ended.way)
  }

  public mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double {
    guard let answers = rows.teachers.first else { return 0 }
    var sum = 0.0
    for row in rows.new.clamped(to: rows.rows) {
      for column in rows.outputs where !answers[row, column].isNaN {
        let (z, share) = (Double(logits[row, column]), alpha * Double(rows.weights[row]))
        let target = Elementary.logistic(Double(answers[row, column]))
        gradient[row, column] += Float(share * (Elementary.logistic(z) - target))
        sum += share * (max(z, 0) + Elementary.log(1 + Elementary.exp(-abs(z))) - target * z)
      }
    }
    return sum
  }
}
