import PalimpsestCore

/// The rows of one set of users in one phase, user by user, day by day.
struct HabitRows: Sendable {
  /// users × days rows.
  let inputs: FloatBuffer
  let columns: Int
  let labels: [Int32]
  /// p* of each row.
  let truth: [Float]

  var count: Int { labels.count }

  init(inputs: FloatBuffer, columns: Int, labels: [Int32], truth: [Float]) {
    (self.inputs, self.columns, self.labels, self.truth) = (inputs, columns, labels, truth)
  }

  /// Lets users 0..<`users` live under a law and records their days after the burn-in.
  /// - Parameters:
  ///   - firstDay: a user's calendar day of day 0; nil: the user's own number picks it.
  ///   - shows: which of the days behind the burn-in are recorded, counted from 0.
  /// - Cost: about 0.3 µs a day.
  init(
    _ law: HabitLaw, _ conduct: HabitConduct, seed: Seed, users: Range<Int>, burnIn: Int, days: Int, columns: Int,
    spreadsTraits: Bool = false, firstDay: ((HabitDraws) -> Int)? = nil, shows: (Int) -> Bool = { _ in true }
  ) {
    let isShown = (0..<days).map(shows)
    let rows = users.count * isShown.count { $0 }
    var inputs = FloatBuffer(count: rows * columns)
    var labels = [Int32](repeating: 0, count: rows)
    var truth = [Float](repeating: 0, count: rows)
    inputs.withMutableSpan { span in
      var row = 0
      for index in users {
        let draws = HabitDraws(seed, user: index, spreadsTraits: spreadsTraits)
        var life = HabitLife(HabitUser(draws, conduct, firstDay: firstDay?(draws)), law)
        for _ in 0..<burnIn { _ = life.next() }
        for day in 0..<days {
          let step = life.next()
          guard isShown[day] else { continue }
          step.features.write(to: &span, at: row * columns, columns: columns)
          labels[row] = step.isCompletedNextDay ? 1 : 0
          truth[row] = Float(step.probability)
          row += 1
        }
      }
    }
    self.inputs = inputs
    self.columns = columns
    self.labels = labels
    self.truth = truth
  }

  /// The directions of the rows' hours: all laws share them.
  var hours: [HourDirection] {
    inputs.withSpan { span in
      (0..<count).map { HabitFeatures(span, at: $0 * columns, columns: columns).hourDirection }
    }
  }

  /// The same rows as a learner gets them.
  func rows(experience: Int, _ origins: StreamedOrigins? = nil) -> Rows {
    Rows(
      table: Table(inputs, columns: columns), experience: experience, places: (0..<Int32(count)).map { $0 },
      labels: labels, truth: truth, owners: origins?.owners, times: origins?.times)
  }

  /// All rows, each with its likelier label.
  var likelierRows: Rows {
    Rows(
      table: Table(inputs, columns: columns), experience: 0, places: (0..<Int32(count)).map { $0 },
      labels: truth.map { $0 >= 0.5 ? 1 : 0 })
  }

  /// The rows of several sets, one after the other; at least one set.
  init(joining sets: [HabitRows]) {
    var inputs = FloatBuffer(count: sets.reduce(0) { $0 + $1.inputs.count })
    var first = 0
    for set in sets {
      inputs.withMutableSpan { to in
        set.inputs.withSpan { from in for i in from.indices { to[first + i] = from[i] } }
      }
      first += set.inputs.count
    }
    self.inputs = inputs
    columns = sets[0].columns
    labels = sets.flatMap(\.labels)
    truth = sets.flatMap(\.truth)
  }
}
