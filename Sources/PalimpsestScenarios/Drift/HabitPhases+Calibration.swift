/// What may be kept of a preparation: the solved laws, task by task, then J* where it is asked for.
extension HabitPhases: CalibratedScenario {
  public var calibrationSettings: HabitPhases {
    let standard = HabitPhases()
    var copy = self
    copy.users = standard.users
    copy.testUsers = standard.testUsers
    copy.identity = standard.identity
    copy.revisit = standard.revisit
    copy.composition = standard.composition
    copy.operators = standard.operators
    return copy
  }

  public func calibrate() throws -> [Double] {
    let course = try calibrated()
    return course.laws.flatMap(\.numbers) + (jointCeiling == .estimate ? [course.jointCeiling] : [])
  }

  public func prepared(by numbers: [Double]) throws -> (any PreparedScenario)? {
    try check()
    let (width, ceilings) = (HabitLaw.numberCount, jointCeiling == .estimate ? 1 : 0)
    guard numbers.count == phases.count * width + ceilings, numbers.allSatisfy(\.isFinite) else { return nil }
    let laws = phases.indices.map { HabitLaw(numbers: numbers[$0 * width..<($0 + 1) * width]) }
    let course = HabitCourse(self, laws)
    return try composed(ceilings == 0 ? course : course.with(jointCeiling: numbers[numbers.count - 1]))
  }
}

extension HabitLaw {
  static let numberCount = 11

  /// Coefficients, b0, γ and ε: all that a law is.
  var numbers: [Double] {
    let w = weights
    return [
      w.streak, w.rate, w.launches, w.reminders, w.hour, w.weekend, w.gap, w.peakHour, intercept, steepness, noise,
    ]
  }

  /// - Parameter n: as many as ``numbers`` has.
  init(numbers n: ArraySlice<Double>) {
    let n = Array(n)
    self.init(
      HabitWeights(
        streak: n[0], rate: n[1], launches: n[2], reminders: n[3], hour: n[4], weekend: n[5], gap: n[6], peakHour: n[7]),
      intercept: n[8], steepness: n[9], noise: n[10])
  }
}
