/// The rows a loss is asked for, and what stands behind their logits. All that is said of rows is one a row of the logits, all that is
/// said of outputs counts columns of the logits.
public struct LossRows: Sendable {
  /// The right column (0 or 1 where there is one column). No meaning where rows have values.
  public var labels: [Int32]
  /// What each row counts in the base loss: Σ weight · ℓ is the loss.
  public var weights: [Float]
  /// The rows meant.
  public var rows: Range<Int>
  /// The columns that take part.
  public var outputs: Range<Int>
  /// What each output is to be, rows × columns of the logits; NaN where that is not known. Nil: rows have labels.
  public var values: Matrix?
  /// What the outputs of the scenario stand for.
  public var target = TaskTarget.classes(2)

  // MARK: Behind the logits

  /// The task at hand, counted from 0.
  public var task = 0
  /// The task each row belongs to.
  public var tasks: [Int32] = []
  /// The step's own rows; the others came back from memory.
  public var new: Range<Int>
  /// The rows that each draw from memory brought back.
  public var draws: [Range<Int>] = []
  /// What each row counts by itself, before new and stored rows were weighed: 1, or what its memory says.
  public var ownWeights: [Float] = []
  /// Rows of each draw in the whole step, of which these may be a part.
  public var drawn: [Int] = []
  /// The scenario's output that column 0 stands for.
  public var firstOutput = 0
  /// The columns of the outputs used by the tasks begun so far.
  public var seen: Range<Int>
  /// The columns of the outputs used by the task at hand.
  public var own: Range<Int>

  // MARK: Where a loss asks for it

  /// rows × columns of an input.
  public var inputs: Matrix?
  /// What enters the last layer, rows × its width.
  public var features: Matrix?
  /// The logits stored with the rows, rows × columns; NaN where an output took no part then, and for rows without.
  public var answers: Matrix?
  /// What each teacher says, rows × columns; NaN where it has no such output.
  public var teachers: [Matrix] = []

  public init(
    labels: [Int32], weights: [Float], rows: Range<Int>, outputs: Range<Int>, values: Matrix? = nil
  ) {
    self.labels = labels
    self.weights = weights
    self.rows = rows
    self.outputs = outputs
    self.values = values
    new = rows
    seen = outputs
    own = outputs
  }
}

extension LossRows {
  /// The columns of some of the scenario's outputs, of so many that there are, whether or not they take part.
  public func columns(of outputs: Range<Int>, among count: Int) -> Range<Int> {
    ((outputs.lowerBound - firstOutput)..<(outputs.upperBound - firstOutput)).clamped(to: 0..<count)
  }

  /// The same for some of the rows.
  public func selecting(_ part: Range<Int>) -> LossRows {
    var copy = self
    copy.rows = part.clamped(to: rows)
    return copy
  }
}
