import PalimpsestCore

/// How the rows of a table are cut into tasks.
public struct TaskCut: NestedParameters {
  public enum By: String, ParameterChoice {
    /// Runs of equally many rows.
    case blocks
    /// Rows with the same value of a column, or of the same day, month …
    case column
    /// Runs of rows with the same value: where it comes back, another task begins.
    case runs
    /// Visits of a concept that a column names: runs of rows with the same value, all of which are judged on the test rows of each.
    case concept
    /// Rows of the same owner.
    case user
  }

  /// Which part of a column's value counts.
  public enum Every: String, ParameterChoice {
    /// All of it.
    case value
    case day, week, month, quarter, year
  }

  @Parameter(
    "What tasks are: blocks of rows, values of a column, runs of equal values, visits of a concept that a column names (and all visits of one are judged on the same rows), or users; null: as the manifest says of a known data set, else blocks."
  )
  public var by: By? = nil
  @Parameter(
    "The column of values or dates; null where tasks are no matter of a column, or the one called concept (concept).")
  public var column: String? = nil
  @Parameter("Several columns instead of one, whose values count together.") public var columns: [String] = []
  @Parameter("Whether a column of dates makes a task a day, week (from Monday), month, quarter or year.")
  public var every: Every = .value
  @Parameter("Blocks; rows that do not divide go to the later ones.", .within(1...100_000)) public var count: Int = 10
  @Parameter("How many values, users or dates make a task together.", .count) public var size: Int = 1
  @Parameter("A task of fewer rows is joined with the one before it, the first with the one behind.", .count)
  public var mergeUnder: Int = 1
  @Parameter("Whether the columns that tasks are cut by are inputs as well.") public var keep: Bool = false

  public init() {}

  /// The columns it speaks of.
  public var named: [String] {
    let said = (column.map { [$0] } ?? []) + columns
    return said.isEmpty && by == .concept ? ["concept"] : said
  }

  /// The column of dates among them: rows are put in its order where nothing else says the time.
  public var dates: String? { every == .value ? nil : named.first }

  /// - Throws: ``ScenarioError`` for settings that contradict each other.
  package func check(owner: String?) throws(ScenarioError) {
    let usesColumn = by == .column || by == .runs || by == .concept
    if usesColumn && named.isEmpty {
      throw refusal("column", "tasks by \"\(by?.rawValue ?? "")\" need a column: name it, or choose \"by\": \"blocks\"")
    }
    if !usesColumn && !named.isEmpty {
      throw refusal(
        column == nil ? "columns" : "column",
        "it counts where \"by\" is \"column\", \"runs\" or \"concept\" alone; take it away")
    }
    if column != nil && !columns.isEmpty {
      throw refusal("columns", "\"column\" names one already. Name all of them here, or none")
    }
    if every != .value && (named.count > 1 || !usesColumn || by == .concept) {
      throw refusal(
        "every",
        "a \"\(every.rawValue)\" is part of the dates of one column, and \"by\" is to be \"column\" or \"runs\"")
    }
    if by == .user && owner == nil {
      throw refusal("by", "tasks by \"user\" need the scenario's \"owner\": the column that says whose each row is")
    }
  }

  private func refusal(_ key: String, _ text: String) -> ScenarioError {
    ScenarioError(parameter: "tasks.\(key)", text)
  }
}
