import PalimpsestCore

/// Whose rows of a table are the population, and who is held out. It counts where an experiment goes on with single people.
public struct TablePeople: NestedParameters {
  public enum Choice: String, ParameterChoice {
    /// Each seed draws for itself.
    case drawn
    /// In the order of their first rows, for all seeds.
    case first
  }

  @Parameter(
    "With personal: people whose rows train the population model, below 1 the share of those who take part, from 1 on how many.",
    .above(0))
  public var population: Double = 0.5
  @Parameter("With personal: held-out people to go on with, at most; null: all the others.", .count) public var users:
    Int? = nil
  @Parameter(
    "With personal: whether people are drawn, seed by seed, or taken in the order of their first rows, the population before."
  )
  public var choice: Choice = .drawn
  @Parameter("With personal: people with fewer rows take no part.", .count) public var leastRows: Int = 1

  public init() {}

  /// - Throws: ``ScenarioError`` for a part of a person.
  func check() throws(ScenarioError) {
    if population >= 1 && population != population.rounded() {
      throw ScenarioError(
        parameter: "people.population",
        "\(population) is neither a share nor a number of people. Below 1 it is a share; from 1 on a whole number")
    }
  }

  /// How many of some people are the population: of 2 or more one at least, and not all.
  /// - Throws: ``ScenarioError`` where a number leaves nobody.
  func members(of count: Int) throws(ScenarioError) -> Int {
    if population < 1 { return min(max(1, Int((population * Double(count)).rounded())), count - 1) }
    guard population < Double(count) else {
      throw ScenarioError(
        parameter: "people.population",
        "of \(count) people \(Int64(min(population, 1e15))) are the population, which leaves nobody to go on with. Take at most \(count - 1)"
      )
    }
    return Int(population)
  }
}

/// The rows of one person.
struct TablePerson: Sendable {
  let name: String
  let owner: Int32
  /// Of the table, in order of time.
  private(set) var rows: [Int32] = []
  /// Seconds from her first row, one a row; where nobody knows when rows arose, each is a day.
  private(set) var times: [Int64] = []

  /// Days of a life, at most.
  static let mostDays: Int64 = 100_000

  init(name: String, owner: Int32) {
    self.name = name
    self.owner = owner
  }

  /// Days from the first row to the last, both counted.
  var days: Int64 { (times.last ?? 0) / 86_400 + 1 }

  /// Everybody in a table, in the order of first rows.
  /// - Parameter thin: only every so many-th row of the table is taken.
  static func all(of table: LoggedTable, _ owners: RowOwners, thin: Int) -> [TablePerson] {
    var people: [TablePerson] = []
    var numbers = [Int](repeating: -1, count: owners.names.count)
    var first: [Int64] = []
    for row in stride(from: 0, to: table.rows, by: thin) {
      let owner = Int(owners.places[row])
      if numbers[owner] < 0 {
        numbers[owner] = people.count
        people.append(TablePerson(name: owners.names[owner], owner: Int32(owner)))
        first.append(table.arrivals?[row] ?? 0)
      }
      let number = numbers[owner]
      let time = table.arrivals.map { $0[row] - first[number] } ?? 86_400 * Int64(people[number].rows.count)
      people[number].rows.append(Int32(row))
      people[number].times.append(time)
    }
    return people
  }
}
