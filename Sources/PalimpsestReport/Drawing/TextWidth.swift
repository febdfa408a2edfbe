import PalimpsestJSON

/// How wide a text is on a drawing: from the advances of DejaVu Sans, the widest of the system fonts that a page is shown in, so
/// that what does not overlap in it does not in another.
package enum TextWidth {
  /// Of the characters 32 to 126, in thousandths of the font's size.
  private static let advances: [Double] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636,
    636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748,
    787,
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,
    635,
    634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
  ]
  private static let others: [Unicode.Scalar: Double] = [
    "–": 500, "·": 318, "†": 500, "‡": 500, "−": 838, "±": 838, "…": 1000, "×": 838,
  ]

  package static func of(_ text: String, size: Double) -> Double {
    let thousandths = text.unicodeScalars.reduce(0) { sum, scalar in
      let place = Int(scalar.value) - 32
      if advances.indices.contains(place) { return sum + advances[place] }
      return sum + (others[scalar] ?? 520 * Double(max(1, String(scalar).displayWidth)))
    }
    return thousandths * size / 1000
  }

  /// The text, or as much of its beginning as fits, with `…` behind it.
  package static func fitted(_ text: String, within width: Double, size: Double) -> String {
    if of(text, size: size) <= width { return text }
    var short = text
    while !short.isEmpty, of(short + "…", size: size) > width { short.removeLast() }
    return short + "…"
  }
}

/// Where a text stands on a drawing.
package struct TextBox: Sendable, Equatable {
  package let text: String
  package let left: Double
  package let top: Double
  package let right: Double
  package let bottom: Double

  package func overlaps(_ other: TextBox) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }
}
