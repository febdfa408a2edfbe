import PalimpsestCore
import Testing
import learner_app

struct NightLearnerTests {
  private let person = Person(seed: 3)

  private func learner(nights: Int) throws -> NightLearner {
    var learner = try NightLearner(seed: 5)
    for night in 0..<nights { learner.sleep(on: person.day(night).rows, labels: person.day(night).labels) }
    return learner
  }

  private func right(_ learner: NightLearner) -> Int {
    person.days(200..<210).reduce(0) { sum, day in
      sum + zip(day.rows, day.labels).count { (learner.probability(of: $0) > 0.5) == ($1 == 1) }
    }
  }

  @Test func `a restored learner goes on with the same bits`() throws {
    var learner = try learner(nights: 3)
    var restored = try NightLearner(seed: 5, saved: learner.saved())
    let day = person.day(3)
    learner.sleep(on: day.rows, labels: day.labels)
    let before = try restored.saved()
    restored.sleep(on: day.rows, labels: day.labels)
    #expect(try restored.saved() == learner.saved())
    #expect(try restored.saved() != before)
    #expect(restored.probability(of: day.rows[0]).bitPattern == learner.probability(of: day.rows[0]).bitPattern)
  }

  @Test func `two weeks teach it most of a person's answers`() throws {
    // Of 120 rows; guessing has 60 ± 5.5 right.
    #expect(right(try learner(nights: 14)) > 96)
    #expect(right(try learner(nights: 0)) < 90)
  }

  @Test func `bytes that are cut or of another learner are refused`() throws {
    let bytes = try learner(nights: 1).saved()
    #expect(throws: StateError.self) { try NightLearner(seed: 5, saved: Array(bytes.dropLast())) }
    #expect(throws: StateError.self) { try NightLearner(seed: 5, saved: []) }
    #expect(throws: StateError.self) {
      try NightLearner(seed: 5, saved: StateEncoder.bytes(of: ["nights": 1, "learner": 2]))
    }
  }

  @Test func `what it keeps stops growing but for a few bytes a night`() throws {
    // 12 rows a night: the reservoir of 100 is full after nine.
    let (first, second) = (try learner(nights: 12).saved().count, try learner(nights: 20).saved().count)
    #expect(second - first < 8 * 40)
  }
}
