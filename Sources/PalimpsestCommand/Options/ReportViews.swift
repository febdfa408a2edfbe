import ArgumentParser
import Foundation
import Palimpsest

/// Other views of a report than its table.
struct ReportViews: ParsableArguments {
  @Flag(help: "A plot instead of the table: a line a strategy, with its interval as a bar and how it came about.")
  var plot = false
  @Flag(help: "Draw the plot in ASCII (so it is where TERM is dumb or the locale is not UTF-8).") var ascii = false
  @Flag(help: "Accuracy against cost instead of the table: which strategies are beaten by none. Bounds take no part.")
  var pareto = false
  @Option(help: "Cost of --pareto: bytes (kept between updates) or multiply-adds.") var cost: ParetoReport.Cost?

  var isGiven: Bool { plot || ascii || pareto || cost != nil }

  /// - Parameter besides: an option of the table was given.
  /// - Throws: ``UsageError`` where options contradict each other.
  func isAsked(json: Bool, besides: Bool) throws -> Bool {
    if ascii && !plot { throw UsageError("--ascii: only a plot is drawn; add --plot") }
    if cost != nil && !pareto { throw UsageError("--cost: only fronts have one; add --pareto") }
    if plot && pareto { throw UsageError("--plot and --pareto are two views; give one of them") }
    if plot && json { throw UsageError("--plot is for people; --json alone has its numbers") }
    if (plot || pareto) && besides {
      throw UsageError(
        "--\(plot ? "plot" : "pareto") takes the place of the table; leave out --metrics, --format and --best")
    }
    return plot || pareto
  }

  /// - Parameters:
  ///   - standard: the report as it is printed, whose first metric is the worth.
  ///   - report: the report of other metrics.
  func showPareto(_ standard: Report, json: Bool, _ report: ([Metric]) throws -> Report) rethrows {
    let worth = standard.metrics.first ?? .averageAccuracy
    let pareto = ParetoReport(
      try report(ParetoReport.metrics(worth: worth)), worth: worth, cost: cost ?? .bytes)
    print(json ? pareto.json.prettyText : visibleLines(pareto.text))
  }

  func showPlot(_ report: Report, _ curves: PlottedCurves?) {
    let marks = TerminalMarks(isASCII: ascii, environment: ProcessInfo.processInfo.environment)
    print(visibleLines(TerminalPlot(report, curves, marks, width: StandardOutput.columns).text))
    if curves == nil {
      StandardError.write("\(report.name): a cube by itself gives bars alone; its folder has the curves")
    }
  }
}

extension ParetoReport.Cost: ExpressibleByArgument {}

extension StandardOutput {
  /// Columns of the terminal; 80 where standard output is none or does not say.
  static var columns: Int {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }
}
