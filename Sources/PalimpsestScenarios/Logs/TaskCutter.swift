import PalimpsestCore

/// A task of a table: what it is called, and its rows in order.
package struct CutTask: Equatable {
  package var name: String
  package var rows: [Int32]
}

/// Cuts the rows of a table into tasks.
package struct TaskCutter {
  let cut: TaskCut
  let table: LoggedTable
  /// Only every so many-th row is taken, from the first on.
  let thin: Int

  package init(cut: TaskCut, table: LoggedTable, thin: Int = 1) {
    (self.cut, self.table, self.thin) = (cut, table, thin)
  }

  /// The tasks in order, each with a row at least.
  /// - Throws: ``ScenarioError`` for dates that are none.
  package func tasks() throws(ScenarioError) -> [CutTask] {
    let tasks =
      switch cut.by {
      case .blocks, nil: blocks
      case .column: try values()
      case .runs, .concept: try runs()
      case .user: joined(byValue(table.owners?.places ?? [], names: table.owners?.names ?? []))
      }
    return merged(tasks)
  }

  /// What the tasks' columns say of each row: places in names.
  private func groups() throws(ScenarioError) -> (places: [Int32], names: [String]) {
    let (places, names) = (table.groups?.places ?? [], table.groups?.names ?? [])
    if cut.every == .value { return (places, names) }
    let dates = try CalendarNames(names, cut.every, column: cut.named.first ?? "")
    return (places.map { dates.places[Int($0)] }, dates.names)
  }

  // MARK: - Blocks

  /// Block i begins with row ⌊i·n/count⌋.
  private var blocks: [CutTask] {
    let taken = (table.rows + thin - 1) / thin
    let count = min(cut.count, taken)
    return (0..<count).map { block in
      let rows = block * taken / count..<(block + 1) * taken / count
      return CutTask(
        name: "rows \(rows.lowerBound * thin)–\((rows.upperBound - 1) * thin)", rows: rows.map { Int32($0 * thin) })
    }
  }

  // MARK: - Values

  private func values() throws(ScenarioError) -> [CutTask] {
    let (places, names) = try groups()
    return joined(byValue(places, names: names, order: cut.every == .value ? OrderedNames(names).places : nil))
  }

  /// - Parameter order: values in the order of their tasks; nil: as they are.
  private func byValue(_ places: [Int32], names: [String], order: [Int]? = nil) -> [CutTask] {
    var rows = [[Int32]](repeating: [], count: names.count)
    for (row, place) in places.enumerated() where row % thin == 0 { rows[Int(place)].append(Int32(row)) }
    let tasks = (order ?? Array(names.indices)).map { CutTask(name: names[$0], rows: rows[$0]) }
    return tasks.filter { !$0.rows.isEmpty }
  }

  private func joined(_ tasks: [CutTask]) -> [CutTask] {
    guard cut.size > 1 else { return tasks }
    return stride(from: 0, to: tasks.count, by: cut.size).map { first in
      let group = tasks[first..<min(first + cut.size, tasks.count)]
      return CutTask(name: TaskCutter.name(group), rows: group.flatMap(\.rows).sorted())
    }
  }

  private static func name(_ group: ArraySlice<CutTask>) -> String {
    guard let first = group.first, let last = group.last, group.count > 1 else { return group.first?.name ?? "" }
    return group.count == 2 ? "\(first.name), \(last.name)" : "\(first.name) … \(last.name)"
  }

  // MARK: - Runs

  private func runs() throws(ScenarioError) -> [CutTask] {
    let (places, names) = try groups()
    var tasks: [CutTask] = []
    for (row, place) in places.enumerated() where row % thin == 0 {
      if row == 0 || place != places[row - thin] { tasks.append(CutTask(name: names[Int(place)], rows: [])) }
      tasks[tasks.count - 1].rows.append(Int32(row))
    }
    return joined(tasks)
  }

  // MARK: - Short tasks

  private func merged(_ tasks: [CutTask]) -> [CutTask] {
    var result: [CutTask] = []
    for task in tasks {
      if let last = result.last, min(last.rows.count, task.rows.count) < cut.mergeUnder,
        result.count == 1 || task.rows.count < cut.mergeUnder
      {
        result[result.count - 1] = CutTask(
          name: TaskCutter.name([last, task]), rows: (last.rows + task.rows).sorted())
      } else {
        result.append(task)
      }
    }
    return result
  }
}

/// The order in which values make tasks: numbers by size, months and days of the week by the calendar, others as they are first met.
struct OrderedNames {
  /// Places of the names, in order.
  let places: [Int]

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  init(_ names: [String]) {
    let ranks =
      OrderedNames.numbers(names) ?? OrderedNames.calendar(names, OrderedNames.months)
      ?? OrderedNames.calendar(names, OrderedNames.days)
    guard let ranks else {
      places = Array(names.indices)
      return
    }
    places = names.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
  }

  private static func numbers(_ names: [String]) -> [Double]? {
    let values = names.compactMap(Double.init)
    return values.count == names.count && values.allSatisfy(\.isFinite) ? values : nil
  }

  /// Names such as `Feb`, `june`, `Tuesday`.
  private static func calendar(_ names: [String], _ known: [String]) -> [Double]? {
    let values = names.compactMap { name in known.firstIndex { name.lowercased().hasPrefix($0) }.map(Double.init) }
    return values.count == names.count ? values : nil
  }
}
