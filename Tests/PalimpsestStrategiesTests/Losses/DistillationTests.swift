import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// z = (1, 0, −1, 2), teacher (2, 0, 0, −1), earlier outputs 0 to 2, T = 2: worked out in double.
@Suite struct DistillationTests {
  private func ended(_ outputs: [Range<Int>], columns: Int = 4) -> Distillation {
    var (part, rng) = (Distillation(), Seed(1).stream("model"))
    let model = MLP(shape: TaskShape(inputs: 2, outputs: columns), hidden: [], using: &rng)
    for (index, own) in outputs.enumerated() {
      let info = ExperienceInfo(index: index, name: "task", outputs: own, seenOutputs: 0..<own.upperBound, rows: 1)
      part.consolidate(
        EndedExperience(
          info: info, data: Rows(Matrix([[0, 0]]), labels: [0], experience: index), network: Network(model),
          way: model.plainProgram, outputs: own), using: &rng)
    }
    return part
  }

  private func rows(_ count: Int = 1, columns: Int = 4, weight: Float = 1) -> LossRows {
    var rows = LossRows(
      labels: Array(repeating: 0, count: count), weights: Array(repeating: weight, count: count), rows: 0..<count,
      outputs: 0..<columns)
    rows.target = .classes(columns)
    rows.task = 1
    rows.teachers = [Matrix(Array(repeating: Array([2, 0, 0, -1][..<columns]), count: count))]
    return rows
  }

  private let logits = Matrix([[1, 0, -1, 2]])

  private func value(_ part: Distillation, _ rows: LossRows? = nil) -> (Double, [Float]) {
    var (part, gradient) = (part, Matrix(rows: 1, columns: 4))
    let value = part.add(logits, rows ?? self.rows(), to: &gradient)
    return (value, gradient.row(0))
  }

  private func close(_ a: [Float], _ b: [Double]) -> Bool { zip(a, b).allSatisfy { abs(Double($0) - $1) < 1e-5 } }

  @Test func `one softmax over the earlier outputs`() {
    let (sum, slopes) = value(ended([0..<3]))
    #expect(abs(sum - 0.998182) < 1e-5 && close(slopes, [-0.034818, 0.047627, -0.012809, 0]))
  }

  @Test func `the temperature's square multiplies value and gradient once`() {
    var part = ended([0..<3])
    part.squared = true
    let (sum, slopes) = value(part)
    #expect(abs(sum - 4 * 0.998182) < 4e-5 && close(slopes, [-0.034818, 0.047627, -0.012809, 0].map { 4 * $0 }))
  }

  @Test func `the student's softmax over all, the teacher's over the earlier ones`() {
    var part = ended([0..<3])
    part.form = .padded
    let (sum, slopes) = value(part)
    #expect(abs(sum - 1.605251) < 1e-5 && close(slopes, [-0.150056, -0.022268, -0.055203, 0.227527]))
  }

  @Test func `one softmax for each earlier task`() {
    var part = ended([0..<2])
    part.form = .heads
    #expect(abs(value(part).0 - 0.608548) < 1e-5)
    // A second earlier task of one output says nothing: its softmax is 1.
    part = ended([0..<2, 2..<3])
    part.form = .heads
    #expect(abs(value(part).0 - 0.608548) < 1e-5)
  }

  @Test func `a logistic loss for each earlier output`() {
    var part = ended([0..<3])
    part.form = .sigmoid
    #expect(abs(value(part).0 - 2.025772) < 1e-5)
  }

  /// The divergence is the cross-entropy without the teacher's own entropy, which is what a student like it has.
  @Test func `the divergence is the cross-entropy beyond the teacher's entropy`() {
    var (part, gradient) = (ended([0..<3]), Matrix(rows: 1, columns: 4))
    let entropy = part.add(rows().teachers[0], rows(), to: &gradient)
    #expect(abs(value(part).0 - entropy - 0.022854) < 1e-5)
    (part.squared, gradient) = (true, Matrix(rows: 1, columns: 4))
    let scaled = part.add(rows().teachers[0], rows(), to: &gradient)
    #expect(abs(value(part).0 - scaled - 0.091417) < 1e-5)
  }

  /// Two softmaxes over the same outputs differ by nothing in sum. With T = 1 the teacher's over all four outputs would leave 0.962296
  /// for the first three, and the gradient a sum of 0.037704.
  @Test func `the teacher's softmax is taken over what was cut out`() {
    var part = ended([0..<3])
    part.temperature = 1
    #expect(abs(value(part).1.reduce(0, +)) < 1e-6)
    let all = [2, 0, 0, -1].map { Elementary.exp(Double($0)) }
    #expect(abs(1 - all[3] / all.reduce(0, +) - 0.962296) < 1e-5)
  }

  @Test func `a student that is its teacher has no gradient`() {
    var same = rows()
    same.teachers = [logits]
    for form in Distillation.Form.allCases where form != .padded {
      var part = ended([0..<3])
      part.form = form
      #expect(close(value(part, same).1, [0, 0, 0, 0]))
    }
  }

  @Test func `outputs that the teacher has not are left out`() {
    var (part, some) = (ended([0..<3]), rows())
    some.teachers = [Matrix([[2, 0, .nan, -1]])]
    // As with earlier outputs 0 and 1 alone.
    #expect(abs(value(part, some).0 - 0.608548) < 1e-5)
    part = Distillation()
    #expect(value(part).0 == 0)
  }

  /// With outputs "current" the earlier ones take no part in the base loss, and are all the more to be held.
  @Test(arguments: Distillation.Form.allCases)
  func `earlier outputs are held where only the current ones take part`(form: Distillation.Form) {
    var (part, current) = (ended([0..<3]), rows())
    part.form = form
    current.outputs = 3..<4
    let (all, alone) = (value(part), value(part, current))
    #expect(all.0 > 0 && alone == all)
  }

  @Test func `rows that are meant, each by its weight`() {
    var (part, gradient, two) = (ended([0..<3]), Matrix(rows: 2, columns: 4), rows(2, weight: 0.5))
    two.new = 0..<1
    let both = Matrix([logits.row(0), logits.row(0)])
    for (on, share) in [(Distillation.Subject.new, 0.5), (.stored, 0.5), (.both, 1)] {
      part.on = on
      #expect(abs(part.add(both, two, to: &gradient) - share * 0.998182) < 1e-5)
    }
  }

  @Test func `shares of task k`() {
    var third = rows()
    third.task = 2
    var (part, ce, gradient) = (ended([0..<3]), CrossEntropy(), Matrix(rows: 1, columns: 4))
    part.weight = .tasks
    part.alpha = 0.5
    #expect(abs(value(part, third).0 - 0.5 * 2 * 0.998182) < 1e-5)
    // k = 3: two thirds of the term, and two thirds of the base loss taken back.
    part.weight = .balanced
    let base = ce.add(logits, third, to: &gradient)
    #expect(abs(value(part, third).0 - 2.0 / 3 * (0.998182 - base)) < 1e-5)
  }

  @Test func `the teacher is a copy, and costs a forward pass a row`() throws {
    let setup = LearnerSetup(shape: TaskShape(inputs: 4, outputs: 3), hidden: [6], seed: Seed(2))
    var learner = try ComposedLearner(setup, [Distillation()])
    var taught = FloatBuffer(count: 0)
    var work: [Int] = []
    for task in 0..<2 {
      let info = ExperienceInfo(index: task, name: "task", outputs: 0..<3, seenOutputs: 0..<3, rows: 16)
      let rows = PenaltyWorld.rows(16, inputs: 4, labels: 0..<3, seed: UInt64(task))
      learner.begin(info)
      for step in 0..<3 { _ = learner.learn(rows.batch, StepContext(experience: info, epoch: step, step: step)) }
      learner.finish(info, revisiting: rows)
      work.append(learner.cost.multiplyAdds)
      if task == 0 { taught = learner.model.parameters }
    }
    // 4 · 6 + 6 · 3 = 42 forward, as many for the gradients, 18 passed down; the teacher's 42 in the second task.
    #expect(work == [3 * 16 * 102, 3 * 16 * (102 + 102 + 42)])
    #expect(learner.cost.bytesImportance == 4 * learner.model.parameterCount)
    let part = try #require(learner.parts.compactMap { $0 as? Distillation }.first)
    #expect(part.teachers[0].parameters == learner.model.parameters && taught != learner.model.parameters)
  }

  @Test func `each loss hears its own teachers, whatever stands before it`() throws {
    let orders: [[any StrategyPart]] = [[Distillation(), Silent()], [Silent(), Distillation()], [Silent()]]
    let ends = try orders.map { parts in
      let setup = LearnerSetup(shape: TaskShape(inputs: 4, outputs: 3), hidden: [6], seed: Seed(2))
      var learner = try ComposedLearner(setup, parts)
      for task in 0..<2 {
        let info = ExperienceInfo(index: task, name: "task", outputs: 0..<3, seenOutputs: 0..<3, rows: 16)
        let rows = PenaltyWorld.rows(16, inputs: 4, labels: 0..<3, seed: UInt64(task))
        learner.begin(info)
        for step in 0..<3 { _ = learner.learn(rows.batch, StepContext(experience: info, epoch: step, step: step)) }
        learner.finish(info, revisiting: rows)
      }
      return learner.model.parameters
    }
    #expect(ends[0] == ends[1] && ends[1] != ends[2])
  }

  @Test func `it holds to the teacher beside other parts`() {
    var reservoir = Reservoir()
    reservoir.limits.capacity = 15
    for form in Distillation.Form.allCases {
      var part = Distillation()
      (part.form, part.on, part.weight) = (form, .both, .balanced)
      #expect(OutputLossLaws.violations(of: part) == [])
      #expect(LearnerLaws.violations(of: [part, reservoir]) == [])
    }
  }
}

private struct Silent: OutputLoss {
  static let name = "silent"
  static let summary = "Adds nothing."
  static let source = "For tests."

  func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double { 0 }
}
