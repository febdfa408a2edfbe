import PalimpsestCore

/// Asymmetric cross-entropy: new rows compete only with the classes that come with them, stored rows with all seen so far.
///
/// From the second task on the softmax of a new row runs over the classes present in the step's new rows (or of its task) and those
/// never seen; that of a stored row over all seen. So the logits of older classes are not pushed down by rows that never show them.
/// New and stored rows are weighed as the memory says: `weighing` "added" gives the paper's sum of two means.
///
/// - Source: Caccia et al. 2022 (ER-ACE). Which classes were seen is what the tasks declare, not the largest label so far.
public struct AsymmetricCrossEntropy: OutputLoss {
  public static let name = "er-ace"
  public static let summary =
    "Cross-entropy of new rows over the classes that come with them, of stored rows over all seen."
  public static let source = """
    Caccia et al., \"New insights on reducing abrupt representation change in online continual learning\", ICLR 2022; masked \
    logits are left out of the softmax, not set to 0.
    """
  public static let replacesBase = true

  /// Which classes new rows compete with.
  public enum Incoming: String, ParameterChoice {
    /// Those present among the step's new rows.
    case batch
    /// Those of the task at hand.
    case task
  }

  @Parameter("Whether new rows compete with the classes present among them, or with all of their task.")
  public var incoming: Incoming = .batch

  private var base = BaseLoss()
  private var masked = WorkingRoom(Matrix.empty)
  /// 1 for each column that comes with the new rows.
  private var present = WorkingRoom(FloatBuffer.empty)

  public init() {}

  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    guard case .classes = setup.shape.target else { return "it masks classes, and there is one output; leave it out." }
    return nil
  }

  public mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double {
    guard rows.task > 0, logits.columns > 1 else { return base.add(logits, rows, to: &gradient) }
    findPresent(rows, of: logits.columns)
    masked.value.become(logits)
    for row in rows.rows {
      let isNew = rows.new.contains(row)
      for column in rows.outputs where !competes(column, with: rows, isNew: isNew) {
        masked.value[row, column] = -.infinity
      }
    }
    return base.add(masked.value, rows, to: &gradient)
  }

  /// Marks the columns that come with the new rows.
  private mutating func findPresent(_ rows: LossRows, of columns: Int) {
    present.value.resize(to: columns)
    present.value.fill(0)
    for row in rows.new where (0..<columns).contains(Int(rows.labels[row])) { present.value[Int(rows.labels[row])] = 1 }
  }

  /// A class that takes part in the softmax of a row: of those seen, in a new row's only what comes with the new rows; of those never
  /// seen none in a stored row's.
  private func competes(_ column: Int, with rows: LossRows, isNew: Bool) -> Bool {
    guard rows.seen.contains(column) else { return isNew }
    return !isNew || (incoming == .batch ? present.value[column] == 1 : rows.own.contains(column))
  }
}
