import PalimpsestCore

/// What the people of a habit's tasks are called, who live one after the other: a row is a day of the stream.
struct HabitPeople: Sendable {
  let tasks: Int
  let users: Int
  let testUsers: Int
  let days: Int

  init(tasks: Int, users: Int, testUsers: Int, days: Int) {
    (self.tasks, self.users, self.testUsers, self.days) = (tasks, users, testUsers, days)
  }

  init(_ settings: HabitPhases) {
    self.init(tasks: settings.phases.count, users: settings.users, testUsers: settings.testUsers, days: settings.days)
  }

  /// Task by task, then those who are tested on, then people that only a schedule asks for: no two are called alike.
  /// - Parameter index: of the person among those of the task's law.
  func number(_ index: Int, ofTask task: Int) -> Int {
    index < users ? task * users + index : tasks * (users + testUsers) + (index - users) * tasks + task
  }

  /// Of rows of the stream.
  /// - Parameters:
  ///   - picks: laws by their tasks, and rows of theirs, person by person.
  ///   - first: the number of the first row in the stream.
  func origins(of picks: [RowPick], from first: Int) -> StreamedOrigins {
    StreamedOrigins(daily: picks.map { Int32(number($0.row / days, ofTask: $0.part)) }, from: first)
  }

  /// Of all test rows of a task, one person after the other from the first day on.
  func testOrigins(ofTask task: Int) -> StreamedOrigins {
    let first = tasks * users + task * testUsers
    return StreamedOrigins(daily: (0..<testUsers * days).map { Int32(first + $0 / days) }, from: 0)
  }
}
