import PalimpsestCore

/// The people of one seed. What a model knows of the inputs is of the population's rows alone.
///
/// As tasks they are the population's rows, then the lives, one behind the other. Both are judged on rows of the lives at even distances, which neither
/// task trains on.
struct TablePeopleStream: PeopleStream {
  let shape: TaskShape
  let experiences: [ExperienceInfo]
  let inputs: InputDescription?
  let days: Int
  private let log: LoggedTable
  private let table: Table
  private let population: [TablePerson]
  private let heldOut: [TablePerson]
  /// Share of each life that tasks are judged on.
  private let test: Double

  init(
    _ settings: TableLog, _ log: LoggedTable, population: [TablePerson], heldOut: [TablePerson], days: Int
  ) {
    (self.log, self.population, self.heldOut, self.days) = (log, population, heldOut, days)
    test = settings.test
    let made = PopulationInputs(
      log, population: population.flatMap(\.rows), others: heldOut.flatMap(\.rows), scale: settings.scale)
    table = Table(made.values, columns: made.width)
    var description = InputDescription(
      columns: made.columns.flatMap(\.inputs), outputs: log.classes, scales: made.scales,
      table: TableColumns(columns: made.columns, missing: log.missing))
    description.width = made.width
    inputs = description
    let shape = TaskShape(inputs: made.width, outputs: log.classes.count == 2 ? 1 : log.classes.count)
    self.shape = shape
    experiences = [("population", population), ("people", heldOut)].enumerated().map { index, stage in
      ExperienceInfo(
        index: index, name: stage.0, outputs: 0..<shape.outputs, seenOutputs: 0..<shape.outputs,
        rows: stage.1.reduce(0) {
          $0 + (index == 0 ? $1.rows.count : settings.test.parts(of: $1.rows.count).training.count)
        })
    }
  }

  // MARK: - People

  var people: Int { heldOut.count }
  var names: [String] { heldOut.map(\.name) }
  var mostConcepts: Int { 1 }
  var archetypes: [String] { [] }
  var knowsLaws: Bool { false }

  func populationRows() -> Rows { rows(of: population, stage: 0) { Array(0..<$0) } }

  func life(of person: Int) -> any PersonLife {
    TableLife(rows: rows(of: [heldOut[person]], stage: 1) { Array(0..<$0) })
  }

  // MARK: - Tasks

  func trainingRows(for experience: Int) -> Rows {
    experience == 0 ? populationRows() : rows(of: heldOut, stage: 1) { test.parts(of: $0).training }
  }

  func streamedRows(for experience: Int) -> Rows {
    experience == 0 ? populationRows() : rows(of: heldOut, stage: 1) { Array(0..<$0) }
  }

  func evaluationSet(for experience: Int) -> EvaluationSet {
    EvaluationSet(
      rows: rows(of: heldOut, stage: experience) { test.parts(of: $0).test }, knownExperience: nil,
      candidates: 0..<shape.outputs)
  }

  /// - Parameter taken: which of so many rows of a person.
  private func rows(of people: [TablePerson], stage: Int, _ taken: (Int) -> [Int]) -> Rows {
    var (places, owners, times): ([Int32], [Int32], [Int64]) = ([], [], [])
    for person in people {
      for row in taken(person.rows.count) {
        places.append(person.rows[row])
        owners.append(person.owner)
        times.append(person.times[row])
      }
    }
    return Rows(
      table: table, experience: stage, places: places, labels: places.map { log.labels[Int($0)] }, owners: owners,
      times: times)
  }
}

/// The rows of one person as they came. Nobody knows under which law.
private struct TableLife: PersonLife {
  let rows: Rows

  var concepts: [Range<Int>] { [0..<rows.count] }
  var archetype: Int { -1 }
  func evaluationSet(ofConcept concept: Int) -> EvaluationSet? { nil }
}
