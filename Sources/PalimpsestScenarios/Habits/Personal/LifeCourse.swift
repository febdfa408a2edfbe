/// The stretches of a life under one law each.
struct LifeCourse: Sendable {
  /// What she is like, in the order in which it first comes.
  private(set) var traits: [PersonTraits]
  /// The stretches' days, from 0 on.
  private(set) var stretches: [Range<Int>]
  /// The traits of each stretch: an old life again has the old ones.
  private(set) var lives = [0]

  init(_ events: [LifeEvent], _ traits: PersonTraits, _ draws: HabitDraws, days: Int) {
    self.traits = [traits]
    stretches = [0..<days]
    for (number, event) in events.enumerated() {
      guard let day = event.day(number, draws) else { continue }
      let before = lives[lives.count - 1]
      guard let changed = event.changed(self.traits[before], number, draws) else {
        if before != 0 { goOn(as: 0, from: day) }
        continue
      }
      self.traits.append(changed)
      goOn(as: self.traits.count - 1, from: day)
      if let after = event.returnsAfter { goOn(as: before, from: day + after) }
    }
  }

  private mutating func goOn(as life: Int, from day: Int) {
    let last = stretches[stretches.count - 1]
    stretches[stretches.count - 1] = last.lowerBound..<day
    stretches.append(day..<last.upperBound)
    lives.append(life)
  }
}
