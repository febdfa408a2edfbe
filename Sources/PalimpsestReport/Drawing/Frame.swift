/// The field of a figure that its axes go around.
package struct Frame: Sendable {
  package let left: Double
  package let top: Double
  package let right: Double
  package let bottom: Double

  package init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  package var width: Double { right - left }
  package var height: Double { bottom - top }
}

extension Drawing {
  /// The lower axis with ticks, numbers and what they are.
  package mutating func lowerAxis(_ scale: Scale, _ frame: Frame, _ title: String, about: Int = 6, hasGrid: Bool = true)
  {
    let ticks = scale.ticks(about: about)
    line((frame.left, frame.bottom), (frame.right, frame.bottom), "axis")
    var edge = -Double.infinity
    for (tick, label) in zip(ticks, tickTexts(ticks)) {
      let x = scale.place(tick)
      if hasGrid { line((x, frame.top), (x, frame.bottom), "grid") }
      line((x, frame.bottom), (x, frame.bottom + 4), "axis")
      let box = Drawing.box(label, at: (x, frame.bottom + 17), .middle)
      guard box.left > edge + 4, box.right <= width else { continue }
      text(label, at: (x, frame.bottom + 17), .middle, "soft")
      edge = box.right
    }
    text(title, at: ((frame.left + frame.right) / 2, frame.bottom + 34), .middle, "soft")
  }

  /// Numbers of a lower axis that are whole and few: tasks.
  package mutating func lowerPlaces(_ count: Int, _ place: (Int) -> Double, _ frame: Frame, _ title: String) {
    line((frame.left, frame.bottom), (frame.right, frame.bottom), "axis")
    let widest = TextWidth.of(String(count - 1), size: Drawing.textSize) + 6
    let every = max(1, Int((widest * Double(count) / max(1, frame.width)).rounded(.up)))
    for i in stride(from: 0, to: count, by: every) where place(i) >= frame.left && place(i) <= frame.right {
      line((place(i), frame.bottom), (place(i), frame.bottom + 4), "axis")
      text(String(i), at: (place(i), frame.bottom + 17), .middle, "soft")
    }
    text(title, at: ((frame.left + frame.right) / 2, frame.bottom + 34), .middle, "soft")
  }

  /// The left axis with a grid across.
  package mutating func leftAxis(_ scale: Scale, _ frame: Frame, _ title: String, about: Int = 5) {
    let ticks = scale.ticks(about: about)
    let labels = tickTexts(ticks)
    // Between the title and the frame: numbers of many digits are smaller.
    let widest = labels.map { TextWidth.of($0, size: Drawing.textSize) }.max() ?? 0
    let size = Drawing.textSize * min(1, (frame.left - 6 - 16) / max(1, widest))
    for (tick, label) in zip(ticks, labels) {
      let y = scale.place(tick)
      line((frame.left, y), (frame.right, y), "grid")
      text(label, at: (frame.left - 6, y + 4), .end, "soft", size: size)
    }
    turnedText(
      TextWidth.fitted(title, within: frame.height + frame.top, size: Drawing.textSize),
      at: (12, (frame.top + frame.bottom) / 2))
  }

  /// Names at the ends of lines, pushed apart to 13 pixels, each with its mark.
  /// - Parameter ends: style, name and height of each line's end.
  package mutating func endLabels(_ ends: [(style: Int, name: String, y: Double)], at x: Double, within frame: Frame) {
    let room = width - x - 14
    let order = ends.indices.sorted { (ends[$0].y, $0) < (ends[$1].y, $1) }
    let places = apart(
      order.map { ends[$0].y }, by: 13, from: frame.top + 4,
      to: max(frame.bottom, frame.top + 4 + 13 * Double(ends.count)))
    for (place, index) in zip(places, order) {
      let end = ends[index]
      group(end.style) { drawing in
        drawing.mark(end.style, at: (x + 6, place), radius: 3.5)
        drawing.text(
          TextWidth.fitted(end.name, within: room, size: Drawing.textSize), at: (x + 14, place + 4), .start, "ink")
      }
    }
  }

  /// The strategies' marks and names in rows, as wide as the drawing.
  /// - Returns: the height that they take.
  @discardableResult
  package mutating func key(_ strategies: [(style: Int, name: String)], top: Double, left: Double = 8) -> Double {
    var (x, y) = (left, top + 12)
    for strategy in strategies {
      let name = TextWidth.fitted(strategy.name, within: width - left - 22, size: Drawing.textSize)
      let length = 16 + TextWidth.of(name, size: Drawing.textSize) + 16
      if x > left && x + length > width { (x, y) = (left, y + 17) }
      group(strategy.style) { drawing in
        drawing.mark(strategy.style, at: (x + 5, y - 4), radius: 4)
        drawing.text(name, at: (x + 14, y))
      }
      x += length
    }
    return y - top + 8
  }
}

/// Ascending places moved as little as needed to lie so far apart, within two ends where there is room.
package func apart(_ places: [Double], by gap: Double, from low: Double, to high: Double) -> [Double] {
  var result = places.map { min(high, max(low, $0.isFinite ? $0 : low)) }
  for i in result.indices.dropFirst() { result[i] = max(result[i], result[i - 1] + gap) }
  guard let last = result.last, last > high else { return result }
  result[result.count - 1] = high
  for i in result.indices.dropLast().reversed() { result[i] = min(result[i], result[i + 1] - gap) }
  return result
}
