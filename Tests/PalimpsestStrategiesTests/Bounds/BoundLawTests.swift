import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Synchronization
import Testing

/// Every bound keeps the laws of bounds in every setting, and one that breaks them is found.
@Suite struct BoundLawTests {
  @Test(arguments: [true, false], [true, false])
  func `joint keeps the laws in every setting`(restart: Bool, growBatch: Bool) {
    var joint = Joint()
    (joint.restart, joint.growBatch) = (restart, growBatch)
    #expect(BoundLaws.violations(of: joint) == [])
  }

  @Test func `scratch and frozen keep them`() {
    #expect(BoundLaws.violations(of: Scratch()) == [])
    #expect(BoundLaws.violations(of: Frozen()) == [])
  }

  @Test func `a bound that changes its mind is found`() {
    let said = BoundLaws.violations(of: Fickle())
    #expect(said.contains("fickle, behind task 1: the plan of task 3 is another"))
    #expect(!said.contains { $0.contains("before any task") || $0.contains("read back") })
  }

  @Test func `a bound that forgets its settings is found`() {
    var bound = Oblivious()
    bound.skips = true
    #expect(
      BoundLaws.violations(of: bound).contains(
        "oblivious, before any task: read back from its state it has another plan of task 2"))
  }

  /// What it says to whom asks for the plan, it does not say to the learner.
  @Test func `a bound that says something else each time is found, and what it leaves of the weights`() {
    let said = BoundLaws.violations(of: Wavering())
    #expect(said.contains { $0.hasSuffix("the plan of task 2 is another") })
    #expect(said.contains { $0.hasSuffix("it starts afresh, and its weights are not those of a network just made") })
    #expect(said.contains { $0.hasSuffix("it starts afresh, and has the weights of before") })
    #expect(said.contains { $0.contains(", beside an isolation, task ") && $0.hasSuffix(" is not trained") })
    #expect(said.contains { $0.contains(": rows of tasks ") && $0.contains(" are trained on, not of ") })
  }

  @Test func `a bound that starts afresh and learns nothing is found`() {
    let said = BoundLaws.violations(of: Amnesia())
    #expect(said.first == "amnesia, task 2: it asks for no rows and starts afresh: what was learned would be lost")
    #expect(said.contains("amnesia, binary, task 2: no rows are trained on, and weights change"))
  }

  @Test func `a bound hears when a task begins`() throws {
    let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 1), hidden: [3], seed: Seed(1))
    var learner = try ComposedLearner(setup, [Listening()])
    for task in 0..<3 {
      learner.begin(ExperienceInfo(index: task, name: "task", outputs: 0..<1, seenOutputs: 0..<1, rows: 4))
    }
    #expect(learner.parts.compactMap { ($0 as? Listening)?.begun } == [[0, 1, 2]])
  }

  @Test func `batches of no rows are found`() {
    #expect(BoundLaws.violations(of: Shrinking()).first == "shrinking, task 2: batches of 0 times their rows")
  }
}

private struct Listening: Bound {
  static let name = "listening"
  static let summary = "Writes down which tasks began."
  static let source = "For tests."
  private(set) var begun: [Int] = []

  func plan(for experience: Int) -> TrainingPlan { TrainingPlan() }
  mutating func begin(_ experience: ExperienceInfo, _ model: MLP) { begun.append(experience.index) }
}

private struct Fickle: Bound {
  static let name = "fickle"
  static let summary = "Trains on all rows of the third task until one has ended."
  static let source = "For tests."
  private var ended = 0

  mutating func consolidate(_ experience: EndedExperience, using rng: inout Random) { ended += 1 }
  func plan(for experience: Int) -> TrainingPlan {
    TrainingPlan(rows: experience == 2 && ended == 0 ? .all : .current)
  }
}

private struct Oblivious: Bound {
  static let name = "oblivious"
  static let summary = "Does not encode its setting."
  static let source = "For tests."
  @Parameter("Leaves the second task out.") var skips: Bool = false
  private enum CodingKeys: CodingKey {}

  func plan(for experience: Int) -> TrainingPlan {
    TrainingPlan(rows: skips && experience == 1 ? .none : .current)
  }
}

private struct Wavering: Bound {
  static let name = "wavering"
  static let summary = "Starts afresh with all rows two of five times that it is asked."
  static let source = "For tests."
  private static let asked = Mutex(0)

  func plan(for experience: Int) -> TrainingPlan {
    let count = Wavering.asked.withLock { count in
      count += 1
      return count
    }
    return (2...3).contains(count % 5) ? TrainingPlan(rows: .all, restarts: true) : TrainingPlan()
  }
}

private struct Amnesia: Bound {
  static let name = "amnesia"
  static let summary = "Starts afresh and learns nothing, behind the first task."
  static let source = "For tests."

  func plan(for experience: Int) -> TrainingPlan {
    experience == 0 ? TrainingPlan() : TrainingPlan(rows: .none, restarts: true)
  }
}

private struct Shrinking: Bound {
  static let name = "shrinking"
  static let summary = "Has batches of ever fewer rows."
  static let source = "For tests."

  func plan(for experience: Int) -> TrainingPlan { TrainingPlan(batchFactor: 1 - experience) }
}
