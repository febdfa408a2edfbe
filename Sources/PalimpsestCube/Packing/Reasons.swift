/// Distinct reasons in the order in which they came up.
struct Reasons: Sendable {
  /// More than that are only counted: each failed run may have a message of its own.
  private static let shown = 8
  private var known: Set<String> = []
  /// In order.
  private var distinct: [String] = []
  private var latest: String?

  init() {}

  init(_ reasons: [String]) { for reason in reasons { add(reason) } }

  mutating func add(_ reason: String) {
    if reason == latest { return }
    latest = reason
    if known.insert(reason).inserted { distinct.append(reason) }
  }

  mutating func add(_ others: Reasons) { for reason in others.distinct { add(reason) } }

  /// Nil where there are none.
  var text: String? {
    if distinct.isEmpty { return nil }
    let more = distinct.count - Reasons.shown
    return (distinct.prefix(Reasons.shown) + (more > 0 ? ["and \(more) more reasons"] : [])).joined(separator: "; ")
  }
}
