import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// Sweeps, streams, people and probabilities.
extension MadeUp {
  static let others: [MadeUp] = [
    sweepOfOne, sweepOfThree, sweepOfMany, sweepOfTexts, sweepOfDoses, stream, quietStream, onePerson, people,
    reliability,
  ]

  private static func swept(_ settings: [(name: String, value: JSONValue)], worth: Double) -> Configuration {
    var one = strategy("ewc", learned: worth, lost: 0.05)
    one.settings = settings
    return one
  }

  static let sweepOfOne = MadeUp(
    what: "one setting with three values",
    configurations: [0.1, 10, 1000].map { swept([("ewc_strength", JSONValue($0))], worth: 0.7 + 0.00005 * $0) }
      + [strategy("naive", learned: 0.7, lost: 0.1)])

  /// Not every combination has been run, and one setting does nothing.
  static let sweepOfThree = MadeUp(
    what: "three settings",
    configurations: (0..<60).filter { $0 % 7 != 0 }.map { place in
      let (rate, size, hidden) = (place % 5, place / 5 % 4, place / 20)
      let rates = [0.001, 0.01, 0.1, 1, 10]
      let settings: [(name: String, value: JSONValue)] = [
        ("rate", JSONValue(rates[rate])), ("capacity", JSONValue([20, 200, 2000, 20_000][size])),
        ("model_hidden_first_layer", JSONValue(16 << hidden)),
      ]
      let worth = 0.6 + 0.03 * Double(rate) + 0.02 * Double(size)
      return swept(settings, worth: worth)
    })

  static let sweepOfMany = MadeUp(
    what: "thirty values of a setting by eight of another",
    configurations: (0..<240).map { place in
      let (strength, rate) = (0.5 * Double(place % 30), 0.001 * Double(1 + place / 30))
      var one = swept([("strength", JSONValue(strength)), ("rate", JSONValue(rate))], worth: 0.6 + 0.01 * strength)
      one.runs = Array(one.runs.prefix(2))
      return one
    })

  static let sweepOfTexts: MadeUp = {
    let choices: [JSONValue] = ["a rather long choice of words", "<b>", true, .null]
    let configurations = choices.indices.flatMap { place -> [Configuration] in
      let worth = 0.7 + 0.02 * Double(place)
      return ["off", "on"].map { swept([("choice", choices[place]), ("switch", JSONValue($0))], worth: worth) }
    }
    return MadeUp(what: "settings that are texts, switches and absent", configurations: configurations)
  }()

  /// A setting of the scenario is varied, and with it what is possible.
  static let sweepOfDoses = MadeUp(
    what: "three doses of drift",
    configurations: ["naive", "ewc"].flatMap { label in
      [0, 0.5, 1].map { dose in
        var one = strategy(label, learned: 0.8 - 0.1 * dose, lost: 0.02)
        one.settings = [("scenario_dose", JSONValue(dose))]
        one.runs = one.runs.map { run in
          var run = run
          run.truth = .madeUp(tasks: run.tasks.count, ceiling: 0.85 - 0.2 * dose)
          return run
        }
        return one
      }
    })

  // MARK: Streams

  private static func along(_ axis: String, _ numbers: [Double]) -> (ObservationName) -> Observation {
    { Observation($0, along: [Axis(axis, numbers.count)], .numbers(numbers)) }
  }

  private static func streamed(_ seed: Int, level: Double, windows: Int, events: Int, alarms: [Int]) -> RunRecord {
    var rng = Seed(UInt64(seed)).stream("stream")
    var record = RunRecord(status: .completed, tasks: ["before", "after"])
    let regrets = (0..<windows).map { 0.1 * level + 0.05 * rng.uniform() + ($0 % 12 < 3 ? 0.1 : 0) }
    record.observe(along("window", regrets.map { _ in 100 })("prequential_rows"))
    record.observe(along("window", regrets)("prequential_regret"))
    record.observe(along("window", regrets.map { 0.85 - $0 })("expected_prequential_accuracy"))
    record.observe(along("window", regrets.map { 0.7 - $0 / 2 })("repeat_last_accuracy"))
    record.observe(along("event", (0..<events).map { 1200 * Double($0 + 1) })("event_example"))
    record.observe(along("event", (0..<events).map { 1200 * Double($0 + 1) + 300 })("event_end"))
    record.observe(
      Observation("event_kind", along: [Axis("event", events)], .integers((0..<events).map { $0 % 3 == 2 ? 2 : 1 })))
    record.observe(along("alarm", alarms.map(Double.init))("alarm_example"))
    record.observe(Observation("alarm_kind", along: [Axis("alarm", alarms.count)], .integers(alarms.map { _ in 1 })))
    record.observe(Observation("detection_f1", 0.5))
    return record
  }

  static let stream = MadeUp(
    what: "a stream with changes, blips and alarms",
    configurations: (0..<6).map { place in
      .init(
        strategy: "detector with a long name \(place)",
        runs: (0..<3).map { seed in
          streamed(
            seed, level: Double(place) / 5, windows: 52, events: 4, alarms: (0..<place * 9).map { 90 * $0 + 13 * place }
          )
        })
    })

  static let quietStream = MadeUp(
    what: "a stream of one window in which nothing happens",
    configurations: [
      .init(strategy: "never", runs: [streamed(0, level: 0, windows: 1, events: 0, alarms: [])])
    ])

  // MARK: People and probabilities

  private static func lived(_ seed: Int, people: Int, gain: Double) -> RunRecord {
    var rng = Seed(UInt64(seed)).stream("people")
    var record = RunRecord.madeUp(seed: seed, tasks: 2)
    record.observe(along("user", (0..<people).map { _ in gain + 0.2 * (rng.uniform() - 0.5) })("user_life_gain"))
    let days = [3.0, 7, 30, 120]
    record.observe(along("curve_day", days)("curve_day"))
    record.observe(along("curve_day", days.map { gain + 0.0005 * $0 })("curve_gain"))
    record.observe(along("curve_day", days.map { 0.6 / $0 })("curve_share_worse"))
    record.observe(along("user", (0..<people).map { _ in 0.6 + 0.3 * rng.uniform() })("user_test_accuracy"))
    return record
  }

  static let people = MadeUp(
    what: "people",
    configurations: (0..<5).map { place in
      .init(
        strategy: "policy \(place)",
        runs: (0..<3).map { lived($0, people: [1, 12, 40, 90, 400][place], gain: 0.03 * Double(place) - 0.05) })
    })

  static let onePerson = MadeUp(
    what: "one person", configurations: [.init(strategy: "one", runs: [lived(0, people: 1, gain: -0.2)])])

  static let reliability = MadeUp(
    what: "probabilities",
    configurations: ["sure", "unsure"].enumerated().map { place, label in
      var one = strategy(label, learned: 0.8, lost: 0.02, tasks: 2)
      one.runs = one.runs.map { run in
        var run = run
        let given = (0..<10).map { 0.5 + 0.05 * Double($0) }
        let axes = [Axis("task", 2), Axis("bin", 10)]
        run.observe(Observation("reliability_count", along: axes, .numbers((given + given).map { _ in 30 })))
        run.observe(Observation("reliability_confidence", along: axes, .numbers(given + given)))
        let came = given.map { $0 - 0.1 * Double(place) * ($0 - 0.4) }
        run.observe(Observation("reliability_frequency", along: axes, .numbers(came + came)))
        return run
      }
      return one
    })
}
