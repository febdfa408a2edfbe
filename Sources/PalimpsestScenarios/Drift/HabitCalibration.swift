import PalimpsestCore

/// What calibration brings a phase to.
struct HabitTargets: Sendable, Equatable {
  /// E p*.
  let baseRate: Double
  /// E max(p*, 1 − p*).
  let bayesAccuracy: Double
}

/// Finds b0 and γ of a law so that the users who live by it complete as often, and can be predicted as well, as asked.
///
/// Two nested bisections over the same random numbers (§2.5 of the design): the inner one finds b0 for a given γ, the outer one γ.
/// What depends on neither (visits, hours, reminders) is drawn once; an evaluation then follows streak, rate and gap only.
/// The users' traits are spread evenly, so 600 users give the base rate of the population to a few thousandths.
/// - Cost: about 60 evaluations, each one pass over users × days.
struct HabitCalibration: Sendable {
  private let weights: HabitLaw
  private let earned: EarnedTerms
  private let burnIn: Int
  private let days: Int
  /// The terms that depend on neither b0 nor γ, user by user.
  private var given: [Double] = []
  /// Completion happens where γ(b0 + terms) exceeds this: the label's random number, taken back through the law.
  private var thresholds: [Double] = []

  private static let seed = Seed(0x68616269).derived("habit-calibration")
  private static let logistic = LogisticTable()

  init(_ law: HabitLaw, _ conduct: HabitConduct, users: Int, burnIn: Int, days: Int) {
    self.init(law, users: users, burnIn: burnIn, days: days) { draws in
      let user = HabitUser(draws, conduct)
      var surroundings = HabitSurroundings(user)
      return { day in
        let x = surroundings.pass(user.day(day), of: user)
        return law.givenTerms(x, x.hourDirection)
      }
    }
  }

  /// Users of any kind.
  /// - Parameter life: makes from a user's random numbers what gives the terms that past completions do not decide, day by day.
  init(_ law: HabitLaw, users: Int, burnIn: Int, days: Int, life: (HabitDraws) -> (Int) -> Double) {
    weights = law
    earned = EarnedTerms(law.weights)
    self.burnIn = burnIn
    self.days = days
    given.reserveCapacity(users * (burnIn + days))
    thresholds.reserveCapacity(users * (burnIn + days))
    for user in 0..<users {
      let draws = HabitDraws(HabitCalibration.seed, user: user, spreadsTraits: true)
      let terms = life(draws)
      for day in 0..<(burnIn + days) {
        given.append(terms(day))
        thresholds.append(threshold(draws.uniform(day, .habit)))
      }
    }
  }

  private func threshold(_ u: Double) -> Double {
    let share = (u - weights.noise) / (1 - 2 * weights.noise)
    if share <= 0 { return -.infinity }
    return share >= 1 ? .infinity : Elementary.log(share / (1 - share))
  }

  /// The law with b0 and γ solved.
  /// - Parameter start: where to look first; any law will do, a near one is quicker.
  func solve(for targets: HabitTargets, from start: HabitLaw) -> HabitLaw {
    var law = start
    let gamma = HabitCalibration.root(
      near: Elementary.log(start.steepness), step: 0.04, tolerance: 0.01, within: -4...4
    ) {
      logGamma in
      law.steepness = Elementary.exp(logGamma)
      law.intercept = solveIntercept(law, for: targets.baseRate)
      return means(law).bayesAccuracy - targets.bayesAccuracy
    }
    law.steepness = Elementary.exp(gamma)
    law.intercept = solveIntercept(law, for: targets.baseRate)
    return law
  }

  private func solveIntercept(_ start: HabitLaw, for baseRate: Double) -> Double {
    var law = start
    return HabitCalibration.root(near: start.intercept, step: 0.02, tolerance: 0.004, within: -30...30) { b0 in
      law.intercept = b0
      return means(law).baseRate - baseRate
    }
  }

  /// The zero of a rising function: a bracket is opened around the start in doubling steps, halved until it is no wider than
  /// `tolerance`, and a straight line is laid through its ends. Without a sign change: the end of the range.
  private static func root(
    near start: Double, step: Double, tolerance: Double, within range: ClosedRange<Double>, _ f: (Double) -> Double
  ) -> Double {
    var near = (x: start, f: f(start))
    let direction = near.f > 0 ? -1.0 : 1.0
    var reach = step
    while true {
      let x = min(max(near.x + direction * reach, range.lowerBound), range.upperBound)
      let far = (x: x, f: f(x))
      if far.f * direction >= 0 { return bisect(near, far, tolerance, f) }
      if x == range.lowerBound || x == range.upperBound { return x }
      near = far
      reach *= 2
    }
  }

  private static func bisect(
    _ one: (x: Double, f: Double), _ other: (x: Double, f: Double), _ tolerance: Double, _ f: (Double) -> Double
  ) -> Double {
    var (low, high) = one.x < other.x ? (one, other) : (other, one)
    while high.x - low.x > tolerance {
      let x = (low.x + high.x) / 2
      let middle = (x: x, f: f(x))
      if middle.f > 0 { high = middle } else { low = middle }
    }
    return high.f > low.f ? low.x - low.f * (high.x - low.x) / (high.f - low.f) : (low.x + high.x) / 2
  }

  /// E p* and E max(p*, 1 − p*) over the recorded days of all users under a law with the weights of this one.
  func means(_ law: HabitLaw) -> HabitTargets {
    var sums = Sums()
    let (users, together) = (given.count / (burnIn + days), HabitCalibration.together)
    var curves = [Double](repeating: 0, count: together * days)
    for first in stride(from: 0, to: users, by: together) {
      let count = min(together, users - first)
      live(first..<first + count, law, &curves)
      for place in 0..<count * days { sums.add(curves[place]) }
    }
    let rows = Double(users * days)
    let width = 1 - 2 * law.noise
    return HabitTargets(
      baseRate: law.noise + width * sums.value / rows, bayesAccuracy: 0.5 + width * sums.certainty / rows)
  }

  private struct Sums {
    var value = 0.0
    var certainty = 0.0

    @inline(__always)
    mutating func add(_ s: Double) {
      value += s
      certainty += abs(s - 0.5)
    }
  }

  /// Users that live side by side: a day waits for the one before, so a processor has something to do meanwhile.
  private static let together = 8

  /// Lets users live under a law and leaves σ of their recorded days in `curves`, user by user.
  private func live(_ users: Range<Int>, _ law: HabitLaw, _ curves: inout [Double]) {
    let span = burnIn + days
    let (curve, start) = (HabitCalibration.logistic, users.lowerBound * span)
    let (given, thresholds) = (self.given.span, self.thresholds.span)
    var standings = [HabitProgress](repeating: HabitProgress(), count: users.count)
    var lives = standings.mutableSpan
    var values = curves.mutableSpan
    for day in 0..<span {
      for user in lives.indices {
        let place = start + user * span + day
        let z = law.steepness * (law.intercept + given[place] + lives[user].earnedTerms(on: day, earned))
        if day >= burnIn { values[user * days + day - burnIn] = curve.value(z) }
        lives[user].append(z > thresholds[place], after: day)
      }
    }
  }
}

/// σ(z) by linear interpolation between exact values: several times quicker than the function, and off by less than 2e-6, which
/// calibration doesn't notice. Rows never use it.
struct LogisticTable: Sendable {
  private static let reach = 20.0
  private static let perUnit = 100.0
  private let values: [Double]

  init() {
    let last = Int(2 * LogisticTable.reach * LogisticTable.perUnit) + 1
    values = (0...last).map { Elementary.logistic(Double($0) / LogisticTable.perUnit - LogisticTable.reach) }
  }

  @inline(__always)
  func value(_ z: Double) -> Double {
    let place = (min(max(z, -LogisticTable.reach), LogisticTable.reach) + LogisticTable.reach) * LogisticTable.perUnit
    let index = Int(place)
    let low = values[index]
    return low + (values[index + 1] - low) * (place - Double(index))
  }
}
