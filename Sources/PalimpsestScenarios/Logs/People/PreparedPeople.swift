import PalimpsestCore

/// The table of a ``TableLog``, read, for runs that train on some of its people and go on with the others. Each seed draws who is who.
struct PreparedPeople: PreparedScenario {
  private let settings: TableLog
  private let table: LoggedTable
  /// Those who take part, in the order of their first rows: 2 at least.
  private let people: [TablePerson]
  /// How many of them are the population.
  private let members: Int
  let remarks: [String]

  /// - Throws: ``ScenarioError`` where there are no people to tell apart, or nothing to learn.
  init(_ settings: TableLog, _ table: LoggedTable) throws(ScenarioError) {
    self.settings = settings
    self.table = table
    try table.checkLabels()
    guard let owners = table.owners else {
      throw ScenarioError(
        parameter: "owner",
        "nobody knows whose the rows of \"\(table.name)\" are, and \"personal\" goes on with single people. "
          + "Name the column of users here, or with \"owner\" in dataset.json")
    }
    let all = TablePerson.all(of: table, owners, thin: settings.thin)
    if all.count == 1 {
      throw ScenarioError(
        parameter: "owner",
        "all rows of \"\(table.name)\" are of \"\(all[0].name)\"; 2 people are needed, one for the population and one to go on with"
      )
    }
    people = all.filter { $0.rows.count >= settings.people.leastRows }
    try PreparedPeople.check(people, of: all, settings, table)
    members = try settings.people.members(of: people.count)
    remarks = table.remarks + PreparedPeople.remarks(people, of: all, settings, table)
  }

  func makeStream(seed: Seed) -> any DriftStream {
    var order = Array(people.indices)
    if settings.people.choice == .drawn {
      var rng = seed.stream("people")
      rng.shuffle(&order)
    }
    let heldOut = order[members...].prefix(settings.people.users ?? people.count)
    // The population as it stands in the table: its rows do not depend on the order of the draw.
    return TablePeopleStream(
      settings, table, population: order[..<members].sorted().map { people[$0] }, heldOut: heldOut.map { people[$0] },
      days: days)
  }

  /// Of the longest life there is, whoever is held out.
  private var days: Int { Int(people.map(\.days).max() ?? 1) }

  private static func check(
    _ people: [TablePerson], of all: [TablePerson], _ settings: TableLog, _ table: LoggedTable
  ) throws(ScenarioError) {
    if people.count < 2 {
      let most = all.map(\.rows.count).sorted(by: >)
      let least = settings.people.leastRows
      throw ScenarioError(
        parameter: "people.leastRows",
        "\(people.isEmpty ? "nobody" : "one person alone") of the \(all.count) of \"\(table.name)\" has \(least) rows; "
          + "2 are needed, one for the population and one to go on with. Take at most \(most[1])")
    }
    guard let long = people.first(where: { $0.days > TablePerson.mostDays }) else { return }
    let most = TablePerson.mostDays
    throw ScenarioError(
      parameter: "time",
      table.arrivals == nil
        ? "\"\(long.name)\" has \(long.rows.count) rows, a day each as nobody knows when they arose, and a life has at most \(most) "
          + "days. Name the column of times here, or take fewer rows with \"thin\""
        : "the rows of \"\(long.name)\" span \(long.days) days, and a life has at most \(most). Times are dates, or seconds"
    )
  }

  private static func remarks(
    _ people: [TablePerson], of all: [TablePerson], _ settings: TableLog, _ table: LoggedTable
  ) -> [String] {
    var remarks: [String] = []
    if people.count < all.count {
      let rows = { (people: [TablePerson]) in people.reduce(0) { $0 + $1.rows.count } }
      remarks.append(
        "\(all.count - people.count) of \(all.count) people have fewer than \(settings.people.leastRows) rows and take no part, "
          + "with \(rows(all) - rows(people)) of \(rows(all)) rows")
    }
    if table.arrivals == nil {
      remarks.append(
        "nobody knows when rows arose: each counts as a day of its person's life. Name the column of dates or seconds with \"time\""
      )
    }
    return remarks
  }
}

extension LoggedTable {
  /// - Throws: ``ScenarioError`` where there is nothing to be told apart.
  func checkLabels() throws(ScenarioError) {
    if classes.count > 1 { return }
    throw ScenarioError(
      parameter: "label", "every row of \"\(name)\" has the same label; at least 2 different ones are needed")
  }
}
