import PalimpsestCore

/// The scenario ready to be drawn from.
package struct PersonalCourse: PreparedScenario {
  let settings: HabitPersonal

  init(_ settings: HabitPersonal) { self.settings = settings }

  package func makeStream(seed: Seed) -> any DriftStream { PersonalStream(settings, seed) }

  /// The same for all seeds.
  package var outlook: StreamOutlook {
    StreamOutlook(shape: PersonalStream.shape, experiences: PersonalStream.experiences(settings))
  }
}

/// The people of one seed. Nothing is drawn before it is asked for.
///
/// A run that knows of no people sees two tasks: the population, and all lives, day by day. The first is judged on new people of the
/// population, the second on the last law of each of the first hundred lives.
struct PersonalStream: PeopleStream {
  private let settings: HabitPersonal
  private let seed: Seed
  let experiences: [ExperienceInfo]

  static let shape = TaskShape(inputs: 10, outputs: 1)
  /// People whose rows a task is judged on.
  private static let judged = 100

  init(_ settings: HabitPersonal, _ seed: Seed) {
    self.settings = settings
    self.seed = seed
    experiences = PersonalStream.experiences(settings)
  }

  static func experiences(_ settings: HabitPersonal) -> [ExperienceInfo] {
    [("population", settings.population * settings.populationDays), ("people", settings.users * settings.days)]
      .enumerated().map { index, task in
        ExperienceInfo(index: index, name: task.0, outputs: 0..<1, seenOutputs: 0..<1, rows: task.1)
      }
  }

  var shape: TaskShape { PersonalStream.shape }
  var inputs: InputDescription? { InputDescription(columns: HabitFeatures.names) }

  // MARK: - People

  var people: Int { settings.users }
  var days: Int { settings.days }
  var mostConcepts: Int { settings.lifeEvents.reduce(1) { $0 + $1.mostChanges } }
  var archetypes: [String] { settings.archetypes == .default ? Archetype.all.map(\.name) : [] }
  var knowsLaws: Bool { true }

  func person(_ number: Int) -> Person { Person(settings, seed, "user", number, days: settings.days) }

  func member(_ number: Int) -> Person {
    .settled(settings, seed, "population-user", number, days: settings.populationDays)
  }

  func life(of person: Int) -> any PersonLife {
    HabitPersonLife(self.person(person), owner: settings.population + person)
  }

  func populationRows() -> Rows {
    Rows.joined((0..<settings.population).map { member($0).rows(experience: 0, owner: $0) })
  }

  // MARK: - Tasks

  func trainingRows(for experience: Int) -> Rows {
    if experience == 0 { return populationRows() }
    let lives = Rows.joined((0..<settings.users).map { life(of: $0).rows })
    return lives.selecting(
      (0..<settings.days).flatMap { day in (0..<settings.users).map { Int32($0 * settings.days + day) } })
  }

  func evaluationSet(for experience: Int) -> EvaluationSet {
    let known = settings.identity == .given ? experience : nil
    return EvaluationSet(rows: testRows(experience), knownExperience: known, candidates: 0..<1)
  }

  private func testRows(_ experience: Int) -> Rows {
    let judged = PersonalStream.judged
    if experience == 0 {
      return Rows.joined(
        (0..<min(judged, settings.population)).map { number in
          Person.settled(settings, seed, "population-test-user", number, days: settings.testDays)
            .rows(experience: 0, owner: number)
        })
    }
    return Rows.joined(
      (0..<min(judged, settings.users)).map { number in
        let person = person(number)
        return person.evaluationSet(ofStretch: person.stretches.count - 1).rows
      })
  }
}

extension Rows {
  /// The rows of several people one behind the other, each of a table of its own in order.
  static func joined(_ parts: [Rows]) -> Rows {
    var inputs = FloatBuffer(count: parts.reduce(0) { $0 + $1.count * $1.columns })
    var first = 0
    inputs.withMutableSpan { span in
      for part in parts {
        part.table.rawFloats?.withSpan { values in
          for i in values.indices { span[first + i] = values[i] }
          first += values.count
        }
      }
    }
    let count = parts.reduce(0) { $0 + $1.count }
    return Rows(
      table: Table(inputs, columns: parts.first?.columns ?? 1), experience: parts.first?.experience ?? 0,
      places: (0..<Int32(count)).map { $0 }, labels: parts.flatMap(\.labels), truth: parts.flatMap { $0.truth ?? [] },
      owners: parts.allSatisfy { $0.owners != nil } ? parts.flatMap { $0.owners ?? [] } : nil,
      times: parts.allSatisfy { $0.times != nil } ? parts.flatMap { $0.times ?? [] } : nil)
  }
}
