import ArgumentParser
import Palimpsest

/// `palimpsest compare RESULTS A B`, `palimpsest compare OLD.h5 NEW.h5`.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Is A better than B? Differences seed by seed, with exact tests and what could have been seen.",
    discussion: """
      "compare RESULTS A B" compares strategies by their labels, "compare RESULTS" all with all, with --reference all with \
      one; "ewc@strength=10" names one configuration of a sweep. "compare OLD.h5 NEW.h5" compares the same strategies of \
      two files. The exit code says nothing of the outcome, but for --same-bits: 1 where a number differs.
      """)

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @Argument(help: "Strategies, or one other file with results.") var names: [String] = []
  @Option(help: "Metric or cost to compare (\"palimpsest list metrics\" has all); else the report's first.")
  var metric: String?
  @Option(help: "Only this scenario.") var scenario: String?
  @Option(help: "Compare all with this strategy.") var reference: String?
  @Option(help: "How p-values are adjusted for the number of comparisons: max-t, holm or none.")
  var adjust = Adjustment.maxT
  @Option(help: "A difference within so much counts as none; of accuracies 0.005 where not given.")
  var equivalence: Double?
  @Option(help: "Say how many seeds it takes to see a difference of so much.") var plan: Double?
  @Flag(help: "Two files: are their accuracies equal, bit for bit? If not, 1 and the first difference.")
  var sameBits = false
  @OptionGroup var form: JSONOption

  func validate() throws {
    for (value, option) in [(equivalence, "--equivalence"), (plan, "--plan")] {
      if let value, !(value > 0 && value.isFinite) {
        throw ValidationError("\(option): \(value) is no difference; expected more than 0.")
      }
    }
  }

  func run() throws {
    let other = names.count == 1 && CompareCommand.isFile(names[0]) ? names[0] : nil
    guard sameBits else { return try compare(other) }
    guard let other else { throw UsageError("--same-bits: two files are compared so; give OLD.h5 NEW.h5") }
    if metric != nil || reference != nil || equivalence != nil || plan != nil {
      throw UsageError("--same-bits: nothing is tested; leave out --metric, --reference, --equivalence and --plan")
    }
    let (old, new) = try (measured(results, nil, bits: true), measured(other, nil, bits: true))
    let found = try SameBits(old, new, scenario: scenario)
    form.print(found.text, or: found.json)
    if found.difference != nil { throw End(.someFailed) }
  }

  private func compare(_ other: String?) throws {
    let asked = try metric.map { try PalimpsestTool.metric($0, option: "--metric") }
    let comparison: Comparison
    if let other {
      if reference != nil { throw UsageError("--reference: of two files each strategy is compared with itself") }
      let new = try measured(other, asked)
      let metric = new.metrics[0]
      comparison = try Comparison(old: measured(results, metric), new: new, metric: metric, question)
    } else {
      if names.count == 1 && reference == nil {
        throw UsageError("one strategy is named; name a second, or give --reference")
      }
      let runs = try measured(results, asked)
      comparison = try Comparison(runs, names, metric: runs.metrics[0], question)
    }
    form.print(comparison.text, or: comparison.json)
  }

  private var question: Comparison.Question {
    var question = Comparison.Question()
    (question.scenario, question.reference) = (scenario, reference)
    (question.adjustment, question.equivalence, question.wanted) = (adjust, equivalence, plan)
    return question
  }

  private static func isFile(_ name: String) -> Bool {
    [".h5", ".palimpsest", ".palimpsest/"].contains(where: name.hasSuffix) || name.contains("/")
  }

  /// - Parameter metric: nil: those that suit the runs.
  private func measured(_ file: String, _ metric: Metric?, bits: Bool = false) throws -> MeasuredRuns {
    try OpenedResults(file).measured(source: file, metric, bits: bits)
  }
}

extension Adjustment: ExpressibleByArgument {}
