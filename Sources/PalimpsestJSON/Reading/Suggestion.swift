/// The candidate that `word` was most likely meant to be, or nil if none is near.
///
/// Near means at most one slip in three characters (in the longer of the two, never more than three), and one slip in
/// words of two characters. A slip is a character left out, added or replaced, or two neighbours swapped; upper and
/// lower case count as the same. Among equally near candidates the first wins.
///
/// - Source: Damerau–Levenshtein distance in its restricted form (optimal string alignment).
public func didYouMean(_ word: String, among candidates: some Sequence<String>) -> String? {
  let typed = Array(word.lowercased())
  var best: (distance: Int, candidate: String)?
  for candidate in candidates where candidate != word {
    let letters = Array(candidate.lowercased())
    let allowed = min(slipsAllowed(max(typed.count, letters.count)), best.map { $0.distance - 1 } ?? .max)
    guard abs(typed.count - letters.count) <= allowed else { continue }
    let distance = slips(from: typed, to: letters)
    if distance <= allowed { best = (distance, candidate) }
  }
  return best?.candidate
}

/// `; did you mean "fisherSamples"?`, or nothing: the end of a message about a name that isn't known.
public func suggestion(for word: String, among candidates: some Sequence<String>) -> String {
  didYouMean(word, among: candidates).map { "; did you mean \(quotedForMessage($0))?" } ?? ""
}

private func slipsAllowed(_ length: Int) -> Int {
  length < 2 ? 0 : min(max(length / 3, 1), 3)
}

/// d(i, j) = min( d(i−1, j) + 1,  d(i, j−1) + 1,  d(i−1, j−1) + [aᵢ ≠ bⱼ],
///                d(i−2, j−2) + 1 if the last two are swapped ).
private func slips(from a: [Character], to b: [Character]) -> Int {
  var twoAbove: [Int] = []
  var above = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var least = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, twoAbove[j - 1] + 1) }
      row.append(least)
    }
    (twoAbove, above) = (above, row)
  }
  return above[b.count]
}
