import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct AsymmetricCrossEntropyTests {
  /// A new row of label 3 whose step shows classes 2 and 3, and a stored row of label 0; all four were seen.
  private func rows(seen: Range<Int> = 0..<4) -> LossRows {
    var rows = LossRows(labels: [3, 2, 0], weights: [1, 0, 1], rows: 0..<3, outputs: 0..<4)
    rows.target = .classes(4)
    rows.task = 1
    rows.new = 0..<2
    rows.draws = [2..<3]
    rows.seen = seen
    rows.own = 2..<4
    return rows
  }

  private let logits = Matrix([[1, 0.5, 0, 2], [0, 0, 0, 0], [0, 1, 2, 3]])

  @Test(arguments: [AsymmetricCrossEntropy.Incoming.batch, .task])
  func `new rows compete with what they come with, stored ones with all seen`(incoming: AsymmetricCrossEntropy.Incoming)
  {
    // ln(e⁰ + e²) − 2 = 0.126928; ln(1 + e + e² + e³) − 0 = 3.440190.
    var (part, gradient) = (AsymmetricCrossEntropy(), Matrix(rows: 3, columns: 4))
    part.incoming = incoming
    let value = part.add(logits, rows(), to: &gradient)
    #expect(abs(value - (0.126928 + 3.440190)) < 1e-5)
    #expect(gradient.row(0)[0] == 0 && gradient.row(0)[1] == 0 && abs(gradient.row(0)[2] - 0.119203) < 1e-5)
    #expect(gradient.row(2).allSatisfy { $0 != 0 })
  }

  @Test func `classes never seen compete with new rows and not with stored ones`() {
    // Seen: 0 to 2. The new row's softmax runs over 2, 3; so it does over 3 where only 2 is present.
    var (part, gradient) = (AsymmetricCrossEntropy(), Matrix(rows: 3, columns: 4))
    var unseen = rows(seen: 0..<3)
    unseen.labels = [2, 2, 0]
    unseen.own = 2..<3
    _ = part.add(logits, unseen, to: &gradient)
    #expect(gradient.row(0)[3] > 0 && gradient.row(0)[0] == 0)
    // The stored row: ln(1 + e + e²) over 0 to 2 alone.
    #expect(gradient.row(2)[3] == 0 && gradient.row(2)[2] > 0)
  }

  /// Published code masks all below the largest label seen: that one comes in, and the order of labels decides.
  @Test func `the largest label seen is masked like the others, wherever the task's own stand`() {
    var (part, gradient) = (AsymmetricCrossEntropy(), Matrix(rows: 3, columns: 4))
    var absent = rows()
    absent.labels = [2, 2, 0]
    _ = part.add(logits, absent, to: &gradient)
    #expect(gradient.row(0) == [0, 0, 0, 0])
    (part.incoming, gradient) = (.task, Matrix(rows: 3, columns: 4))
    var turned = rows()
    (turned.labels, turned.own) = ([0, 0, 3], 0..<2)
    _ = part.add(logits, turned, to: &gradient)
    #expect(gradient.row(0)[1] > 0 && gradient.row(0)[2] == 0 && gradient.row(0)[3] == 0)
  }

  @Test func `in the first task it is the cross-entropy`() {
    var (part, plain) = (AsymmetricCrossEntropy(), CrossEntropy())
    var (a, b) = (Matrix(rows: 3, columns: 4), Matrix(rows: 3, columns: 4))
    var first = rows()
    first.task = 0
    #expect(part.add(logits, first, to: &a) == plain.add(logits, first, to: &b) && a == b)
  }

  @Test func `networks with one output are refused`() {
    let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 1), hidden: [], seed: Seed(1))
    #expect(throws: CompositionError("\"er-ace\": it masks classes, and there is one output; leave it out.")) {
      try ComposedLearner(setup, [AsymmetricCrossEntropy()])
    }
  }

  @Test func `two losses in the place of one are refused`() {
    let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 3), hidden: [], seed: Seed(1))
    #expect(
      throws: CompositionError("two losses, \"er-ace\" and \"er-ace\": the loss of rows is one; keep one of them")
    ) { try ComposedLearner(setup, [AsymmetricCrossEntropy(), AsymmetricCrossEntropy()]) }
  }

  @Test func `it combines with replay, stored logits and penalties`() {
    var reservoir = Reservoir()
    reservoir.limits.capacity = 15
    let combinations: [[any StrategyPart]] = [
      [AsymmetricCrossEntropy(), reservoir], [AsymmetricCrossEntropy(), DarkReplay(), reservoir],
      [AsymmetricCrossEntropy(), EWC(), Herding()],
    ]
    for parts in combinations {
      #expect(LearnerLaws.violations(of: parts) == [])
      #expect(CheckpointLaws.violations(of: parts) == [])
    }
  }
}
