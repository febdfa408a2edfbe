import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// What stands between people's days and the learner of a habit.
@Suite struct HabitOperatorTests {
  private func habit(users: Int = 4, _ change: (inout HabitPhases) -> Void) -> HabitPhases {
    var habit = HabitPhases()
    (habit.jointCeiling, habit.calibration, habit.context) = (.none, .table, .hidden)
    (habit.users, habit.days, habit.testUsers, habit.phases) = (users, 25, 3, [0, 1, 3])
    habit.identity = .hidden
    change(&habit)
    return habit
  }

  private func recurring(_ change: (inout HabitRecurring) -> Void) -> HabitRecurring {
    var habit = HabitRecurring()
    (habit.jointCeiling, habit.contexts, habit.visits, habit.visitDays) = (.none, [0, 1], 4, 5)
    (habit.users, habit.testUsers, habit.testDays) = (6, 3, 7)
    change(&habit)
    return habit
  }

  private func noise(_ kind: LabelNoise.Kind, _ rate: Double, _ tasks: [Int] = []) -> LabelNoise {
    var noise = LabelNoise()
    (noise.kind, noise.rate, noise.tasks) = (kind, rate, tasks)
    return noise
  }

  private func unavailable(
    _ columns: [String], _ mask: UnavailableColumns.Mask = .none, _ tasks: [Int] = []
  ) -> UnavailableColumns {
    var unavailable = UnavailableColumns()
    (unavailable.columns, unavailable.mask, unavailable.tasks) = (columns, mask, tasks)
    return unavailable
  }

  // MARK: - Labels

  /// 7,500 labels of a task: a share of .2 of them varies by .0046, one of the half that is 1 by .0065.
  @Test(arguments: [LabelNoise.Kind.symmetric, .missed]) func `labels are wrong as often as is said, where it is said`(
    kind: LabelNoise.Kind
  ) throws {
    let plain = try Classic.stream(habit(users: 300) { _ in })
    let noisy = try Classic.stream(habit(users: 300) { $0.operators.labelNoise = noise(kind, 0.2, [1]) })
    for task in 0..<3 {
      let (own, given) = (plain.trainingRows(for: task), noisy.trainingRows(for: task))
      #expect(own.batch.inputs == given.batch.inputs)
      #expect(plain.evaluationSet(for: task).rows.labels == noisy.evaluationSet(for: task).rows.labels)
      #expect(plain.evaluationSet(for: task).rows.truth == noisy.evaluationSet(for: task).rows.truth)
      if task != 1 {
        #expect(own.labels == given.labels && own.truth == given.truth)
        continue
      }
      let pairs = Array(zip(own.labels, given.labels))
      let may = pairs.filter { kind == .symmetric || $0.0 == 1 }
      #expect(abs(Double(may.count { $0.0 != $0.1 }) / Double(may.count) - 0.2) < 4.5 * 0.0065)
      #expect(kind == .symmetric || pairs.allSatisfy { $0.0 >= $0.1 })
    }
    #expect(
      plain.truth?.crossAccuracy == noisy.truth?.crossAccuracy && plain.truth?.distances == noisy.truth?.distances)
  }

  /// The label given is 1 where it was 1 and stayed, or was 0 and did not: p* (1 − η) + (1 − p*) η, and p* (1 − ρ).
  @Test func `p* is that of the label as it is given`() throws {
    let plain = try Classic.stream(habit { _ in }).trainingRows(for: 0)
    let turned = try Classic.stream(habit { $0.operators.labelNoise = noise(.symmetric, 0.3) }).trainingRows(for: 0)
    let missed = try Classic.stream(habit { $0.operators.labelNoise = noise(.missed, 0.3) }).trainingRows(for: 0)
    for (row, p) in try #require(plain.truth).map(Double.init).enumerated() {
      #expect(abs(Double(turned.truth?[row] ?? .nan) - (p * 0.7 + (1 - p) * 0.3)) < 1e-6)
      #expect(abs(Double(missed.truth?[row] ?? .nan) - p * 0.7) < 1e-6)
    }
  }

  /// Over 22,500 labels in ten bins of p*: each bin's share of 1 lies within 4.5 of its standard deviations of the bin's mean p*.
  @Test(arguments: [LabelNoise.Kind.symmetric, .missed]) func `labels come as p* says`(kind: LabelNoise.Kind) throws {
    let stream = try Classic.stream(habit(users: 300) { $0.operators.labelNoise = noise(kind, 0.25) })
    var bins = [(rows: Double, sum: Double, ones: Double, variance: Double)](repeating: (0, 0, 0, 0), count: 10)
    for task in 0..<3 {
      let rows = stream.trainingRows(for: task)
      for (label, p) in zip(rows.labels, try #require(rows.truth)) {
        let bin = min(9, Int(p * 10))
        bins[bin].rows += 1
        bins[bin].sum += Double(p)
        bins[bin].ones += Double(label)
        bins[bin].variance += Double(p * (1 - p))
      }
    }
    #expect(bins.count { $0.rows > 200 } >= 4)
    for bin in bins where bin.rows > 50 {
      #expect(abs(bin.ones - bin.sum) < 4.5 * bin.variance.squareRoot())
    }
  }

  @Test func `a higher rate leaves what a lower one turned over`() throws {
    func labels(_ rate: Double) throws -> [Int32] {
      try Classic.stream(habit { $0.operators.labelNoise = noise(.symmetric, rate) }).trainingRows(for: 2).labels
    }
    let (none, low, high) = (try labels(0), try labels(0.1), try labels(0.4))
    #expect(zip(none.indices, none).allSatisfy { low[$0] == $1 || high[$0] != $1 } && low != none && high != low)
  }

  @Test func `the noise of a law goes with its rows under a schedule`() throws {
    func scheduled(_ rate: Double) throws -> any DriftStream {
      try Classic.stream(
        habit {
          ($0.composition.schedule.name, $0.composition.schedule.period) = (.recurring, 60)
          $0.operators.labelNoise = noise(.missed, rate, [1])
        })
    }
    let (plain, noisy) = (try scheduled(0), try scheduled(1))
    for task in 0..<3 {
      let concepts = try #require(noisy.concepts(for: task))
      for (row, law) in concepts.enumerated() {
        let (p, given) = (plain.trainingRows(for: task), noisy.trainingRows(for: task))
        #expect(given.labels[row] == (law == 1 ? 0 : p.labels[row]))
        #expect(given.truth?[row] == (law == 1 ? 0 : p.truth?[row]))
      }
    }
  }

  @Test func `visits of a context have noise of their own`() throws {
    let plain = try Classic.stream(recurring { _ in })
    let noisy = try Classic.stream(recurring { $0.operators.labelNoise = noise(.missed, 1, [2]) })
    for task in 0..<4 {
      let (own, given) = (plain.trainingRows(for: task), noisy.trainingRows(for: task))
      #expect(given.labels == (task == 2 ? own.labels.map { _ in 0 } : own.labels))
      #expect(given.owners == own.owners && given.times == own.times)
      #expect(noisy.evaluationSet(for: task).rows.labels == plain.evaluationSet(for: task).rows.labels)
    }
  }

  // MARK: - Columns

  @Test(arguments: [UnavailableColumns.Mask.none, .column]) func `columns are 0 where they are not shown`(
    mask: UnavailableColumns.Mask
  ) throws {
    let names = ["appLaunchesToday", "weekend"]
    let plain = try Classic.stream(habit { _ in })
    let shown = try Classic.stream(habit { $0.operators.unavailable = unavailable(names, mask, [0, 2]) })
    #expect(shown.shape.inputs == (mask == .none ? 10 : 12))
    #expect(
      shown.inputs?.columns.suffix(2) == (mask == .none ? ["away", "season"] : names.map { "\($0) unavailable" }))
    for task in 0..<3 {
      let pairs = [
        (plain.trainingRows(for: task), shown.trainingRows(for: task)),
        (plain.evaluationSet(for: task).rows, shown.evaluationSet(for: task).rows),
      ]
      for (own, rows) in pairs {
        #expect(rows.labels == own.labels && rows.truth == own.truth && rows.owners == own.owners)
        let (whole, inputs) = (own.batch.inputs, rows.batch.inputs)
        for row in 0..<rows.count {
          let isHidden = task != 1
          let wanted = (0..<10).map { isHidden && ($0 == 2 || $0 == 5) ? 0 : whole[row, $0] }
          let masks: [Float] = mask == .none ? [] : isHidden ? [1, 1] : [0, 0]
          #expect(Array(inputs.row(row)) == wanted + masks)
        }
      }
    }
    #expect(shown.truth?.bayesAccuracy == plain.truth?.bayesAccuracy)
  }

  @Test func `the joint ceiling is known where the law sees what it goes by`() throws {
    func ceiling(_ columns: [String]) throws -> Double {
      try #require(
        try Classic.stream(
          habit {
            ($0.operators.unavailable, $0.jointCeiling) = (unavailable(columns), .estimate)
            $0.phases = [0, 1]
          }
        ).truth
      ).jointCeiling
    }
    #expect(try ceiling(["away", "season"]).isFinite && ceiling([]) == ceiling(["away"]))
    #expect(try ceiling(["gap"]).isNaN)
  }

  @Test func `operators go with schedules and each other`() throws {
    let phases = habit {
      ($0.composition.schedule.name, $0.composition.schedule.period) = (.seasonal, 60)
      $0.operators.labelNoise = noise(.symmetric, 0.1, [1])
      $0.operators.unavailable = unavailable(["hourOfDay"], .column, [0])
    }
    #expect(try ScenarioLaws.violations(of: phases) == [])
    let visits = recurring {
      $0.operators.labelNoise = noise(.missed, 0.3)
      $0.operators.unavailable = unavailable(["away"], .column, [3])
    }
    #expect(try ScenarioLaws.violations(of: visits) == [])
    #expect(try Classic.stream(visits).evaluationSet(for: 3).rows.columns == 11)
  }

  // MARK: - Messages

  private func error(_ change: (inout HabitPhases) -> Void) -> String? {
    Classic.error(habit(change)).map { "\($0.parameter ?? ""): \($0.description)" }
  }

  @Test func `settings that do not go together are named`() {
    #expect(
      error { $0.operators.labelNoise.rate = 0.2 }
        == #"labelNoise.rate: it counts where "kind" is "symmetric" or "missed" alone. Take it away, or say which."#)
    #expect(
      error { $0.operators.labelNoise = noise(.missed, 0.2, [0, 3]) }
        == "labelNoise.tasks: 3 is no task of 3. There are 0 to 2.")
    #expect(
      error { $0.operators.unavailable.tasks = [1] }
        == #"unavailable.tasks: it counts where "columns" names some alone. Take it away, or name some."#)
    #expect(
      error { $0.operators.unavailable.mask = .column }
        == #"unavailable.mask: it counts where "columns" names some alone. Take it away, or name some."#)
    #expect(
      error { ($0.operators.unavailable, $0.features, $0.calibration) = (unavailable(["gap"]), .five, .bisection) }
        == "unavailable.columns: no column is called \"gap\"; they are called currentStreak, completionRate30Days, "
        + "appLaunchesToday, remindersOpenedToday, hourOfDay")
    #expect(
      error { $0.operators.unavailable = unavailable(["gap", "gap"]) }
        == #"unavailable.columns: "gap" is there twice"#)
    #expect(
      Classic.error(recurring { $0.operators.labelNoise = noise(.missed, 0.1, [4]) })?.description
        == "4 is no task of 4. There are 0 to 3.")
  }
}
