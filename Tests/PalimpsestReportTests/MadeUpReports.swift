import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// What pages must bear: each a made-up report that is unlike the others in one thing.
extension MadeUp {
  static let all: [MadeUp] =
    [
      ordinary, oneRun, ragged, unknownTruth, many, hostile, alike, failures, unfinished, bounds, closeReferences,
      longLife,
      twelveTasks, extremes, twoTasks, manySeeds, cheapAndDear,
    ] + others

  /// Two scenarios, four strategies and a bound, five seeds.
  static let ordinary = MadeUp(
    what: "two scenarios, four strategies and a bound",
    configurations: ["visible", "hidden"].flatMap { scenario in
      [
        strategy("naive", in: scenario, learned: 0.86, lost: 0.09, curved: true),
        strategy("ewc", in: scenario, learned: 0.84, lost: 0.05, bytes: 12_000, curved: true),
        strategy("replay", in: scenario, learned: 0.85, lost: 0.01, bytes: 90_000, curved: true),
        strategy("adapters", in: scenario, learned: 0.88, lost: 0, bytes: 30_000, curved: true),
        strategy("joint", in: scenario, learned: 0.89, lost: 0, bytes: 900_000, isBound: true, curved: true),
      ]
    })

  static let oneRun = MadeUp(
    what: "one run", configurations: [.init(strategy: "naive", runs: [.madeUp(seed: 0)])])

  /// Runs of two to six tasks, of one configuration too.
  static let ragged = MadeUp(
    what: "ragged tasks",
    configurations: [
      .init(strategy: "naive", runs: (0..<4).map { .madeUp(seed: $0, tasks: 2 + $0) }),
      .init(strategy: "replay", runs: (0..<4).map { .madeUp(seed: $0, tasks: 6) }),
      .init(strategy: "ewc", runs: (0..<4).map { .madeUp(seed: $0, tasks: 1) }),
    ])

  static let unknownTruth = MadeUp(
    what: "labels without p*",
    configurations: ["naive", "replay"].map { label in
      .init(strategy: label, runs: (0..<3).map { .madeUp(seed: $0, knowsTruth: false) })
    })

  /// 44 settings of one strategy, and two bounds.
  static let many = MadeUp(
    what: "more configurations than figures show",
    configurations: (0..<44).map { place in
      var one = strategy("ewc", learned: 0.7 + 0.003 * Double(place), lost: 0.05, bytes: 8000 + 10 * place)
      one.settings = [("ewc_strength", JSONValue(place))]
      return one
    } + [
      strategy("joint", learned: 0.9, lost: 0, isBound: true), strategy("frozen", learned: 0.5, lost: 0, isBound: true),
    ])

  static let hostileLabels = [
    "</script><script>alert(1)</script>", "<b onmouseover=\"x\">bold & 'brave'</b>", "🌅🧠 emoji 👩‍👩‍👧‍👦", "עברית مرحبا",
    String(repeating: "long ", count: 60), "tab\tand\u{1}control\u{7F}", "]]> --> <!-- &amp; &#60;",
    "http://example.org/x",
  ]

  static let hostile = MadeUp(
    what: "labels with markup", name: "</title><h1>x", question: "<img src=x onerror=alert(1)> & \"so\"?",
    configurations: hostileLabels.map { label in
      strategy(label, in: "<i>" + label.prefix(4), learned: 0.8, lost: 0.05)
    } + hostileLabels.map { strategy($0, in: "all </svg>", learned: 0.8, lost: 0.05) })

  /// Nine strategies of the same accuracy.
  static let alike = MadeUp(
    what: "strategies that are alike",
    configurations: (0..<9).map { strategy("method \($0)", learned: 0.8, lost: 0.05, bytes: 5000) })

  static let failures = MadeUp(
    what: "runs that did not complete",
    configurations: [
      .init(
        strategy: "naive", runs: [.madeUp(seed: 0), .ended(.diverged, "the loss is nan in step 3 of task 1")]),
      .init(
        strategy: "replay", runs: [.ended(.failed, "the file <b>x</b> is gone"), .ended(.cancelled, "stopped")]),
    ])

  static let unfinished = MadeUp(
    what: "an unfinished sweep",
    configurations: [
      .init(strategy: "naive", runs: [.madeUp(seed: 0), .madeUp(seed: 1)], missing: 2),
      .init(strategy: "replay", runs: [], missing: 4),
    ])

  /// Three bounds within a hair of each other.
  static let bounds = MadeUp(
    what: "bounds that are alike",
    configurations: [strategy("naive", learned: 0.8, lost: 0.04), strategy("replay", learned: 0.82, lost: 0.02)]
      + ["joint", "scratch", "frozen", "joint again"].map { strategy($0, learned: 0.8201, lost: 0.02, isBound: true) })

  /// J* and the tracker in one place, at the edge of all accuracies.
  static let closeReferences = MadeUp(
    what: "references in one place",
    configurations: ["naive", "replay"].map { label in
      var one = strategy(label, learned: 0.95, lost: 0)
      one.runs = one.runs.map { run in
        var run = run
        run.truth = .madeUp(tasks: 5, ceiling: 0.801)
        return run
      }
      return one
    })

  static let longLife = MadeUp(
    what: "fifty tasks",
    configurations: ["naive", "replay"].map { label in
      .init(strategy: label, runs: (0..<2).map { .madeUp(seed: $0, tasks: 50, lost: 0.004) })
    })

  static let twelveTasks = MadeUp(
    what: "twelve tasks, nine strategies",
    configurations: (0..<9).map { place in
      .init(strategy: "a strategy's label \(place)", runs: (0..<2).map { .madeUp(seed: $0, tasks: 12, lost: 0.02) })
    })

  /// All right, all wrong, and not measured.
  static let extremes = MadeUp(
    what: "accuracies of 0 and 1",
    configurations: [
      strategy("right", learned: 2, lost: 0), strategy("wrong", learned: -1, lost: 0),
      .init(
        strategy: "unmeasured",
        runs: [
          {
            var run = RunRecord.madeUp(seed: 0)
            run.accuracy[4, 4] = .nan
            run.expectedAccuracy = run.accuracy
            return run
          }()
        ]),
    ])

  static let twoTasks = MadeUp(
    what: "two tasks", configurations: ["naive", "replay"].map { strategy($0, learned: 0.8, lost: 0.05, tasks: 2) })

  static let manySeeds = MadeUp(
    what: "sixty seeds",
    configurations: ["naive", "replay"].map { label in .init(strategy: label, runs: (0..<60).map { .madeUp(seed: $0) })
    })

  /// Costs over eight decades.
  static let cheapAndDear = MadeUp(
    what: "costs over eight decades",
    configurations: (0..<9).map { place in
      let power = (0..<place).reduce(10) { product, _ in product * 10 }
      return strategy("of \(place)", learned: 0.7 + 0.02 * Double(place), lost: 0.02, bytes: power, work: power * 100)
    })

  static func strategy(
    _ label: String, in scenario: String = "visible", learned: Double, lost: Double, tasks: Int = 5, bytes: Int = 4000,
    work: Int = 1_000_000, isBound: Bool = false, curved: Bool = false
  ) -> Configuration {
    let runs = (0..<5).map { seed in
      RunRecord.madeUp(seed: seed, tasks: tasks, learned: learned, lost: lost, bytes: bytes, work: work)
    }
    return Configuration(
      scenario: scenario, strategy: label, isBound: isBound, runs: curved ? runs.map(\.withCurve) : runs)
  }
}
