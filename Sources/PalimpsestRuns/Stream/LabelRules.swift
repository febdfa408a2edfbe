/// Rules that look at labels alone, run beside the learner on the same rows: they learn a label when the learner does.
struct LabelRules: Sendable, Equatable, Codable {
  private var counts: [Int] = []
  /// The label learned last; before the first that is 0.
  private(set) var last = 0
  /// The most frequent label so far, the smallest one on a tie.
  private(set) var majority = 0

  mutating func learn(_ label: Int) {
    if label >= counts.count { counts += [Int](repeating: 0, count: label + 1 - counts.count) }
    counts[label] += 1
    last = label
    if counts[label] > counts[majority] || (counts[label] == counts[majority] && label < majority) { majority = label }
  }

  /// What contradicts itself.
  var problem: String? {
    let isRight =
      counts.allSatisfy { $0 >= 0 && $0 < Int.max / 2 }
      && (counts.isEmpty
        ? last == 0 && majority == 0 : counts.indices.contains(last) && counts.indices.contains(majority))
    return isRight ? nil : "\(counts.count) counts of labels, the last \(last)"
  }
}
