import PalimpsestMetrics
import PalimpsestResults

/// How often what was given a probability came true, after the last task.
enum ReliabilityFigure {
  static func figures(_ data: ReportData) throws -> [Figure] {
    let counts = try data.arrays("reliability_count")
    if counts.isEmpty { return [] }
    let (given, came) = (try data.arrays("reliability_confidence"), try data.arrays("reliability_frequency"))
    return data.scenarios.compactMap { scenario in
      let lines = scenario.few.compactMap { row -> LinesFigure.Line? in
        guard let counts = counts[row.place], let given = given[row.place], let came = came[row.place] else {
          return nil
        }
        let bins = (zip(counts, zip(given, came))).reduce(into: [Int: (n: Double, q: Double, y: Double)]()) {
          bins, run in
          add(run.0.numbers, run.1.0.numbers, run.1.1.numbers, width: run.0.axes.last?.length ?? 1, &bins)
        }
        let order = bins.values.filter { $0.n > 0 }.map { (x: $0.q / $0.n, y: $0.y / $0.n) }.sorted { $0.x < $1.x }
        if order.isEmpty { return nil }
        return LinesFigure.Line(style: row.style, name: row.short, x: order.map(\.x), mean: order.map(\.y))
      }
      let rows = counts[scenario.rows.first?.place ?? -1]?.first?.numbers.filter(\.isFinite).reduce(0, +) ?? 0
      if lines.isEmpty { return nil }
      return LinesFigure(
        name: "reliability-\(scenario.slug)", title: "\(scenario.name): reliability after the last task",
        note:
          "Bins of equal mass, all tasks and seeds together (\(Int(rows)) test rows a run); on the dashed diagonal what is given a probability comes true as often."
          + scenario.leavesOut(lines.count),
        lines: lines, xTitle: "probability given", yTitle: "share that came true", hasDiagonal: true
      ).figure
    }
  }

  private static func add(
    _ counts: [Double], _ given: [Double], _ came: [Double], width: Int,
    _ bins: inout [Int: (n: Double, q: Double, y: Double)]
  ) {
    for place in counts.indices where counts[place].isFinite && given.indices.contains(place) && given[place].isFinite {
      let known = bins[place % width] ?? (0, 0, 0)
      let n = counts[place]
      bins[place % width] = (known.n + n, known.q + n * given[place], known.y + n * came[place])
    }
  }
}
