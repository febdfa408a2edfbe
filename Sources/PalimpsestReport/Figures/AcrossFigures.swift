import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// Over several scenarios: which share of all runs exceeds what, their interquartile means, and mean ranks.
enum AcrossFigures {
  /// Scenarios from which on ranks say anything.
  private static let leastOfRanks = 5
  /// Labels that figures of all runs show.
  static let mostOfLabels = 12

  static func figures(_ data: ReportData) -> [Figure] {
    guard data.scenarios.count > 1 else { return [] }
    return [profile(data), interquartileMeans(data), ranks(data)].compactMap(\.self)
  }

  /// What is pooled: normalised retention where every scenario has it, else the worth as it is.
  static func pooled(_ data: ReportData) -> Metric {
    let known = data.scenarios.allSatisfy { scenario in
      scenario.all.contains { data.cell($0, .normalisedRetention)?.interval != nil }
    }
    return known && data.worth.subject == .accuracy ? .normalisedRetention : data.worth
  }

  /// Labels that stand in every scenario, with their rows in the order of scenarios.
  static func common(_ data: ReportData) -> [(label: String, rows: [ReportData.Row])] {
    let first = data.scenarios[0].all
    return first.compactMap { row in
      let rows = data.scenarios.compactMap { scenario in scenario.all.first { $0.label == row.label } }
      return rows.count == data.scenarios.count ? (row.short, rows) : nil
    }
  }

  /// Where raw numbers of unlike scenarios are pooled.
  static func warning(_ metric: Metric) -> String {
    metric.name == Metric.normalisedRetention.name
      ? "" : " Scenarios differ in what can be reached: raw numbers are pooled."
  }

  private static func profile(_ data: ReportData) -> Figure? {
    let metric = pooled(data)
    let lists = common(data).map { entry in
      (entry, entry.rows.flatMap { data.cell($0, metric)?.values.filter(\.isFinite) ?? [] })
    }.filter { !$0.1.isEmpty }
    let all = lists.flatMap(\.1)
    guard lists.count > 1, lists.count <= mostOfLabels, let low = all.min(), let high = all.max(), high > low else {
      return nil
    }
    let thresholds = (0...100).map { low + (high - low) * Double($0) / 100 }
    let lines = lists.map { entry, values in
      let shares = performanceProfile(values, above: thresholds)
      // Within a level stretch nothing is lost by its ends alone.
      let kept = shares.indices.filter { place in
        place == 0 || place == shares.count - 1 || shares[place - 1] != shares[place]
          || shares[place + 1] != shares[place]
      }
      return LinesFigure.Line(
        style: entry.rows[0].style, name: entry.label, x: kept.map { thresholds[$0] }, mean: kept.map { shares[$0] })
    }
    return LinesFigure(
      name: "profile", title: "all scenarios: share of runs above each \(spaced(metric.name))",
      note:
        "Performance profile of all runs of \(data.scenarios.count) scenarios together; higher and farther right is better."
        + warning(metric),
      lines: lines, xTitle: spaced(metric.name), yTitle: "share of runs above", hasMarks: false
    ).figure
  }

  /// Mean ranks over scenarios with Nemenyi's critical difference.
  private static func ranks(_ data: ReportData) -> Figure? {
    let rows = common(data).filter { !$0.rows[0].isBound }
    guard data.scenarios.count >= leastOfRanks, (2...20).contains(rows.count) else { return nil }
    let scores = data.scenarios.indices.map { scenario in
      rows.map { data.worth.sign * (data.cell($0.rows[scenario], data.worth)?.interval?.mean ?? .nan) }
    }
    guard scores.allSatisfy({ $0.allSatisfy(\.isFinite) }), let test = FriedmanTest(scores),
      let critical = test.criticalDifference
    else { return nil }
    let entries = zip(rows, test.meanRanks).map { (row: $0.rows[0], name: $0.label, rank: $1) }.sorted {
      $0.rank < $1.rank
    }
    let frame = Frame(left: 132, top: 34, right: 470, bottom: 34 + 20 * Double(entries.count))
    guard let x = Scale(holding: [1, Double(entries.count)], from: frame.left, to: frame.right) else { return nil }
    var drawing = Drawing(width: 520, height: frame.bottom + 42)
    drawing.lowerAxis(x, frame, "mean rank over scenarios, 1 is best", about: 6)
    let best = entries[0].rank
    drawing.rectangle(
      (x.place(best), frame.top), max(0, x.place(min(best + critical, x.high)) - x.place(best)), frame.height, "shade")
    drawing.text(
      "critical difference \(decimalText(critical, places: 2))", at: (x.place(best), frame.top - 8), .start, "soft")
    for (place, entry) in entries.enumerated() {
      let y = frame.top + 20 * (Double(place) + 0.5)
      drawing.group(entry.row.style) { drawing in
        drawing.text(
          TextWidth.fitted(entry.name, within: 116, size: Drawing.textSize), at: (frame.left - 8, y + 4), .end)
        drawing.mark(
          entry.row.style, at: (x.place(entry.rank), y), radius: 4.5,
          title: "\(entry.name): \(decimalText(entry.rank, places: 2))")
      }
    }
    let texts = entries.map { "\($0.name) \(decimalText($0.rank, places: 2))" }.joined(separator: "; ")
    return Figure(
      "ranks", title: "all scenarios: mean ranks",
      note:
        "Over \(data.scenarios.count) scenarios, whose seeds are averaged first. Shaded: not told apart from the best (Nemenyi, .05); Iman–Davenport p \(shareText(test.p)), Friedman's own \(shareText(test.chiSquareP)).",
      summary: "mean ranks: \(texts); critical difference \(decimalText(critical, places: 2))", drawing,
      specification: VegaLite.chart(
        entries.map { ["strategy": JSONValue($0.name), "rank": fourDigits($0.rank)] },
        [
          "mark": ["type": "point", "filled": true],
          "encoding": [
            "y": VegaLite.field("strategy", "nominal", ["sort": .null]), "x": VegaLite.quantity("rank", "mean rank"),
          ],
        ]))
  }
}
