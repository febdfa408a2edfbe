import PalimpsestCore

/// The model stays as it was shipped.
public struct NeverUpdate: UpdatePolicy {
  public static let name = "never"
  public static let summary = "Never updates: the model stays as it was shipped."
  public static let source = "The control: what personal training is worth is what it has more than none."

  public init() {}

  public mutating func decide(_ now: Moment) -> UpdateOrder? { nil }
}

/// An update every so many days.
///
/// It keeps nothing: an order that is not followed is given again with the next row.
public struct UpdateInterval: UpdatePolicy {
  public static let name = "interval"
  public static let summary = "Updates every so many days."
  public static let source =
    "The plain schedule of on-device training, as in Yang et al. 2018 (Gboard). Days are counted from the latest update's "
    + "beginning, before the first update from the person's first row."

  @Parameter("Days from the beginning of an update to that of the next.", .above(0)) public var days: Double = 7

  public init() {}

  public mutating func decide(_ now: Moment) -> UpdateOrder? {
    now.daysSinceUpdate >= days ? UpdateOrder(.interval) : nil
  }
}

/// An update after so many rows.
///
/// It keeps nothing: an order that is not followed is given again with the next row.
public struct UpdateRows: UpdatePolicy {
  public static let name = "rows"
  public static let summary = "Updates after every so many rows whose outcome is known."
  public static let source = "The plain schedule by data: who uses the app more is updated more often."

  @Parameter("Rows from the beginning of an update to that of the next.", .count) public var rows: Int = 10

  public init() {}

  public mutating func decide(_ now: Moment) -> UpdateOrder? {
    now.rowsSinceUpdate >= rows ? UpdateOrder(.rows) : nil
  }
}
