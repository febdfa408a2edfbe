import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import TestFixtures
import Testing

@Suite struct SelectConstraintTests {
  private let base = SelectionTests()

  /// Accuracy grows with the strength (.5, .51, .6 of EWC), and so does forgetting: 0, .02, .2.
  private func selection(_ bounds: String) throws -> Selection {
    let tuning = try base.tuning("\"subjectTo\": \(bounds),")
    let results = try base.results(
      tuning, forgotten: { base.strength($0) / 50 }, { configuration, _ in 0.5 + base.strength(configuration) / 50 })
    return tuning.choose(from: results)
  }

  /// Average accuracy .5 + s/50 - s/100: the strongest is the best, but forgets .2; under .1 the middle one wins. All of SI keep to it.
  @Test func `the best that keeps to the bounds wins`() throws {
    let free = try selection(#"{ "forgetting": { "atMost": 1 } }"#)
    #expect(free.cells.map(\.chosen) == [2, 2])
    let bound = try selection(#"{ "forgetting": { "atMost": 0.1 } }"#)
    #expect(bound.cells.map(\.chosen) == [1, 2])
    #expect(bound.cells[0].trials.map(\.breaks.count) == [0, 0, 1])
    #expect(Selection(bound.json) == bound)
    #expect(bound.text.contains("subject to forgetting at most 0.1; no reported run has these seeds:"))
    #expect(bound.text.contains("small, ewc: 1 of 3 trials do not keep to forgetting at most 0.1."))
  }

  /// The learners of these records keep no byte, so that at least one is too much to ask.
  @Test func `where none keeps to them the strategy is left out and its numbers are told`() throws {
    let selection = try selection(#"{ "bytes_kept": { "atLeast": 1, "atMost": 4096 } }"#)
    #expect(selection.cells.map(\.chosen) == [nil, nil])
    #expect(
      selection.text.contains(
        "small, ewc: no trial keeps to bytes_kept at least 1 and at most 4096 (found: bytes_kept 0); "
          + "the strategy is left out."))
  }

  @Test func `without bounds nothing is written of them`() throws {
    let tuning = try base.tuning()
    let json = tuning.choose(from: try base.results(tuning) { _, _ in 0.5 }).json.compactText
    #expect(!json.contains("subject_to") && !json.contains("breaks"))
  }

  @Test(arguments: [
    ("{}", #"expected an object such as {"bytes_kept": {"atMost": 4096}}"#),
    (
      #"{ "bytes_memry": { "atMost": 1 } }"#,
      #"no metric or cost is called "bytes_memry"; did you mean "bytes_memory"?"#
    ),
    (
      #"{ "time_total": { "atMost": 1 } }"#,
      #""time_total" cannot bound a choice: it needs runs that trials do not have, or differs from run to run"#
    ),
    (#"{ "forgetting": 1 }"#, #"expected {"atMost": number}, {"atLeast": number} or both, found 1"#),
    (#"{ "forgetting": { "atMost": "x" } }"#, #"expected a number, found "x""#),
    (
      #"{ "forgetting": { "atLeast": 2, "atMost": 1 } }"#, "atLeast 2 is above atMost 1; nothing can keep to both"
    ),
  ])
  func `mistakes are told`(_ bounds: String, _ message: String) throws {
    do {
      _ = try selection(bounds)
      Issue.record("\(bounds) was taken")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }
}
