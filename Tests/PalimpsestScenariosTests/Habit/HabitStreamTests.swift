import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct HabitStreamTests {
  /// Columns that completions don't touch: launches, reminders, hour, weekend, week of reminders, away, season.
  private let given = [2, 3, 4, 5, 7, 8, 9]

  @Test(arguments: [[0, 1, 2, 3, 4], [3, 0, 3]])
  func `what a course says before any rows is what its streams say`(phases: [Int]) throws {
    for features in [HabitPhases.Features.ten, .five] {
      let course = try Habit.course {
        $0.phases = phases
        $0.features = features
        $0.users = 3
        $0.testUsers = 2
        $0.calibrationUsers = 50
      }
      let stream = course.makeStream(seed: Seed(9))
      #expect(course.outlook == StreamOutlook(shape: stream.shape, experiences: stream.experiences))
      #expect(course.outlook.experiences.map(\.rows) == phases.indices.map { stream.trainingRows(for: $0).count })
      #expect(course.outlook.shape.inputs == stream.trainingRows(for: 0).columns)
    }
  }

  @Test func `tasks have their shapes and names`() throws {
    let stream = try Habit.course().makeStream(seed: Seed(1))
    #expect(stream.shape == TaskShape(inputs: 10, outputs: 1))
    #expect(stream.experiences.map(\.name) == ["morning routine", "night shift", "travel", "convalescence", "new job"])
    for task in 0..<5 {
      #expect(stream.experiences[task].rows == 1200)
      #expect(stream.trainingRows(for: task).count == 1200)
      #expect(stream.trainingRows(for: task).experience == task)
      #expect(stream.evaluationSet(for: task).rows.count == 3600)
      #expect(stream.evaluationSet(for: task).knownExperience == task)
      #expect(stream.revisitableRows(for: task).count == 1200)
    }
  }

  @Test func `every feature lies between 0 and 1`() throws {
    let rows = try #require(Habit.visible).evaluationSet(for: 2).rows
    for c in 0..<10 {
      let column = rows.column(c)
      #expect(column.allSatisfy { $0 >= 0 && $0 <= 1 })
      #expect(c == 8 ? column.allSatisfy { $0 == 1 } : Set(column).count > 1)
    }
    #expect((rows.column(6).min() ?? 0) > 0)
  }

  @Test func `the same seed gives the same rows and another seed others`() throws {
    let course = try Habit.small()
    let (a, b, c) = (
      course.makeStream(seed: Seed(4)), course.makeStream(seed: Seed(4)), course.makeStream(seed: Seed(5))
    )
    for task in 0..<5 {
      #expect(a.trainingRows(for: task).batch.inputs == b.trainingRows(for: task).batch.inputs)
      #expect(a.evaluationSet(for: task).rows.truth == b.evaluationSet(for: task).rows.truth)
      #expect(a.trainingRows(for: task).batch.inputs != c.trainingRows(for: task).batch.inputs)
    }
    #expect(a.truth?.crossAccuracy == b.truth?.crossAccuracy)
  }

  @Test func `training and test users are different ones`() throws {
    let stream = try Habit.small { $0.testUsers = 3 }.makeStream(seed: Seed(4))
    #expect(stream.trainingRows(for: 0).column(4) != stream.evaluationSet(for: 0).rows.column(4))
    #expect(stream.trainingRows(for: 0).column(9) != stream.trainingRows(for: 1).column(9))
  }

  @Test func `more users keep the first ones`() throws {
    let few = try Habit.small().makeStream(seed: Seed(8))
    let many = try Habit.small { $0.testUsers = 8 }.makeStream(seed: Seed(8))
    for task in 0..<5 {
      let (a, b) = (few.evaluationSet(for: task).rows, many.evaluationSet(for: task).rows)
      let first = b.selecting((0..<Int32(a.count)).map { $0 })
      #expect(a.batch.inputs == first.batch.inputs && a.labels == first.labels && a.truth == first.truth)
      #expect(few.trainingRows(for: task).batch.inputs == many.trainingRows(for: task).batch.inputs)
    }
  }

  @Test func `more days keep the first ones`() throws {
    let short = try Habit.small().makeStream(seed: Seed(8)).trainingRows(for: 1)
    let long = try Habit.small { $0.days = 90 }.makeStream(seed: Seed(8)).trainingRows(for: 1)
    let first = (0..<3).flatMap { user in (0..<60).map { Int32(user * 90 + $0) } }
    #expect(short.batch.inputs == long.selecting(first).batch.inputs)
  }

  @Test func `the dose moves nothing but completions`() throws {
    let far = try Habit.course { $0.dose = 1 }.makeStream(seed: Seed(2))
    let near = try Habit.course { $0.dose = 0.3 }.makeStream(seed: Seed(2))
    for task in 0..<5 {
      let (a, b) = (far.trainingRows(for: task), near.trainingRows(for: task))
      for c in given { #expect(a.column(c) == b.column(c)) }
      #expect(a.column(0) != b.column(0))
    }
  }

  @Test func `the context moves nothing but hours, visits, reminders and what follows`() throws {
    let a = try Habit.small().makeStream(seed: Seed(2)).trainingRows(for: 3)
    let b = try Habit.small { $0.context = .hidden }.makeStream(seed: Seed(2)).trainingRows(for: 3)
    for c in [5, 9] { #expect(a.column(c) == b.column(c)) }
    for c in [2, 3, 4] { #expect(a.column(c) != b.column(c)) }
  }

  @Test func `a phase's rows don't depend on its place`() throws {
    let all = try Habit.small().makeStream(seed: Seed(2))
    let some = try Habit.small { $0.phases = [3, 0, 3] }.makeStream(seed: Seed(2))
    #expect(some.experiences.map(\.name) == ["convalescence", "morning routine", "convalescence 2"])
    #expect(some.trainingRows(for: 0).batch.inputs == all.trainingRows(for: 3).batch.inputs)
    #expect(some.trainingRows(for: 1).batch.inputs == all.trainingRows(for: 0).batch.inputs)
    #expect(some.trainingRows(for: 2).batch.inputs != all.trainingRows(for: 3).batch.inputs)
    #expect(some.truth?.totalVariation[0][2] == 0)
  }

  @Test func `identity and revisiting are as set`() throws {
    let stream = try Habit.small {
      $0.identity = .hidden
      $0.revisit = .none
    }.makeStream(seed: Seed(2))
    #expect(stream.evaluationSet(for: 1).knownExperience == nil)
    #expect(stream.revisitableRows(for: 1).count == 0)
    #expect(stream.trainingRows(for: 1).count == 180)
  }

  /// Σ(y − p)² / Σ p(1 − p) over ten groups of p*: 10 degrees of freedom, 35.6 is passed once in 10,000.
  @Test func `labels come with the probability that is given`() throws {
    let five = Habit.large { $0.features = .five }
    for stream in [Habit.visible, Habit.hidden, five] {
      let stream = try #require(stream)
      var groups = [(excess: Double, variance: Double)](repeating: (0, 0), count: 10)
      for task in 0..<5 {
        let rows = stream.evaluationSet(for: task).rows
        for (y, p) in zip(rows.labels, try #require(rows.truth)) {
          let group = min(9, Int(p * 10))
          groups[group].excess += Double(y) - Double(p)
          groups[group].variance += Double(p * (1 - p))
        }
      }
      #expect(groups.reduce(0) { $0 + $1.excess * $1.excess / $1.variance } < 35.6)
    }
  }

  @Test func `five features are the article's, with laws of those`() throws {
    let ten = try Habit.course().makeStream(seed: Seed(3))
    let course = try Habit.course { $0.features = .five }
    let five = course.makeStream(seed: Seed(3))
    #expect(five.shape.inputs == 5)
    #expect(course.laws.allSatisfy { $0.weights.weekend == 0 && $0.weights.gap == 0 })
    for c in [2, 3, 4] { #expect(five.trainingRows(for: 1).column(c) == ten.trainingRows(for: 1).column(c)) }
    let rows = five.evaluationSet(for: 1).rows
    let inputs = rows.batch.inputs
    for row in 0..<200 {
      var x = HabitFeatures()
      (x.streak, x.completionRate, x.launches) = (inputs[row, 0], inputs[row, 1], inputs[row, 2])
      (x.remindersOpened, x.hour) = (inputs[row, 3], inputs[row, 4])
      #expect(rows.truth?[row] == Float(course.laws[1].probability(x)))
    }
  }
}
