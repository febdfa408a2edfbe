import PalimpsestMetrics
import PalimpsestResults

/// A part of the page: a heading, and figures or other content under it.
struct ReportSection: Sendable {
  /// Its anchor.
  let name: String
  let title: String
  /// What stands above the figures, as HTML.
  var text = ""
  var figures: [Figure] = []

  var isEmpty: Bool { text.isEmpty && figures.isEmpty }
}

/// All figures of some results, by the section that they stand in, and what could not be drawn.
package struct ReportFigures: Sendable {
  let sections: [ReportSection]
  /// Which kinds are left out and why, a sentence each.
  package let leftOut: [String]

  package var all: [Figure] { sections.flatMap(\.figures) }

  /// - Throws: what reading a cube's columns throws.
  package init(_ data: ReportData) throws {
    var leftOut: [String] = []
    func section(_ name: String, _ title: String, _ figures: [Figure], without: String) -> ReportSection {
      if figures.isEmpty { leftOut.append("\(title): \(without)") }
      return ReportSection(name: name, title: title, figures: figures)
    }
    let intervals = data.scenarios.flatMap { scenario in
      data.table.prefix(2).compactMap { IntervalFigure(data: data, scenario: scenario, metric: $0).figure }
    }
    sections = [
      section(
        "accuracy", "Accuracy", intervals + (try TaskFigures.figures(data)) + (try TaskFigures.gaps(data)),
        without: "no run has completed"),
      section(
        "matrices", "Matrices", try MatrixFigure.figures(data), without: "no accuracies on several tasks were measured"),
      section(
        "forgetting", "Where forgetting comes from",
        data.scenarios.compactMap { ForgettingSplitFigure(data: data, scenario: $0).figure },
        without: "the truth of the scenarios (p*) is not known"),
      section(
        "cost", "Cost",
        data.scenarios.flatMap { scenario in
          ParetoReport.Cost.allCases.compactMap { CostFigure(data: data, scenario: scenario, cost: $0).figure }
        }, without: "no costs were counted"),
      section(
        "comparison", "Comparison", PairsFigure.figures(data) + AcrossFigures.figures(data),
        without: "nothing was tested, and one scenario has nothing to pool"),
      section("sweep", "Sweep", SweepFigures.figures(data), without: "no setting has two values"),
      section("streams", "Streams", try TimelineFigure.figures(data), without: "no run goes through a stream"),
      section(
        "people", "People", try PeopleFigure.figures(data) + PeopleFigure.curves(data),
        without: "rows belong to no users"),
      section(
        "calibration", "Calibration", try ReliabilityFigure.figures(data),
        without: "evaluation.probes has no calibration"),
    ]
    self.leftOut = leftOut
  }
}
