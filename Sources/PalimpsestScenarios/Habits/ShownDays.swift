import PalimpsestCore

/// Some days of all lives of a set of people, day by day, on each day person by person.
struct ShownDays {
  private let days: Range<Int>
  private let users: Int
  private let firstOwner: Int
  /// Among the rows of all lives.
  private let places: [Int32]

  /// - Parameters:
  ///   - shown: days from the first row of a life on.
  ///   - days: rows of each life, person by person.
  ///   - firstOwner: the number of the first person.
  init(_ shown: Range<Int>, users: Int, days: Int, firstOwner: Int = 0) {
    self.days = shown
    self.users = users
    self.firstOwner = firstOwner
    places = shown.flatMap { day in (0..<users).map { Int32($0 * days + day) } }
  }

  /// Each row with its person and its day in seconds.
  /// - Parameter table: of the lives' inputs.
  func rows(_ lives: HabitRows, _ table: Table, task: Int) -> Rows {
    Rows(
      table: table, experience: task, places: places, labels: places.map { lives.labels[Int($0)] },
      truth: places.map { lives.truth[Int($0)] },
      owners: days.flatMap { _ in (0..<users).map { Int32(firstOwner + $0) } },
      times: days.flatMap { day in (0..<users).map { _ in 86_400 * Int64(day) } })
  }

  /// The same days of other numbers of the lives.
  func values<T>(_ values: [T]) -> [T] { places.map { values[Int($0)] } }
}
