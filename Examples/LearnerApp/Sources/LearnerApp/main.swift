import PalimpsestCore

// A month of a person whose days change after two weeks. Half-way the app is ended by the system and begins again.
let person = Person(seed: 1)
var app = try NightLearner(seed: 7)
for night in 0..<14 { app.learn(person.day(night)) }
print("after two weeks:  \(percent(app.accuracy(on: person.days(100..<120)))) of such days are foretold")

let bytes = try app.saved()
var restored = try NightLearner(seed: 7, saved: bytes)
print("saved and read again: \(bytes.count) bytes, \(restored.nights) nights")

for night in 14..<28 {
  app.learn(person.day(night, hasMoved: true))
  restored.learn(person.day(night, hasMoved: true))
}
print("after the change: \(percent(restored.accuracy(on: person.days(100..<120, hasMoved: true)))) of the new days,")
print("                  \(percent(restored.accuracy(on: person.days(100..<120)))) of the old ones")
guard try app.saved() == restored.saved() else { fatalError("the restored learner went another way") }
print("the one that was never ended has the same bits")

extension NightLearner {
  mutating func learn(_ day: Day) { sleep(on: day.rows, labels: day.labels) }

  /// Share of rows on which the likelier answer is right.
  func accuracy(on days: [Day]) -> Double {
    let right = days.map { day in zip(day.rows, day.labels).count { (probability(of: $0) > 0.5) == ($1 == 1) } }
    return Double(right.reduce(0, +)) / Double(days.reduce(0) { $0 + $1.labels.count })
  }
}

func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
