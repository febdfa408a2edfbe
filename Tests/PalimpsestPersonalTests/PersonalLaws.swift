import PalimpsestCore
import PalimpsestPersonal

/// What holds for every policy, safeguard and rule of decisions, as functions that say in sentences what does not.
enum PersonalLaws {
  /// Saved and restored behind every row, it gives the same orders, and is in the end the same bytes.
  static func violations<P: UpdatePolicy>(ofPolicy policy: P, over life: Life) throws -> [String] {
    var (whole, parted) = (policy, policy)
    var found: [String] = []
    for moment in life.moments(under: policy) {
      parted = try StateDecoder.value(P.self, from: StateEncoder.bytes(of: parted))
      let orders = (whole.decide(moment), parted.decide(moment))
      if orders.0 != orders.1 { found.append("row \(moment.rows): \(orders)") }
    }
    if try StateEncoder.bytes(of: whole) != StateEncoder.bytes(of: parted) { found.append("other bytes in the end") }
    return found
  }

  /// Weights are nowhere negative and add up to 1, and depend on nothing but what was observed; saved and restored behind every row it gives the
  /// same weights and verdicts.
  static func violations<S: Safeguard>(ofSafeguard safeguard: S, seed: Seed) throws -> [String] {
    var (whole, parted) = (safeguard, safeguard)
    var found =
      whole.experts.isEmpty || Set(whole.experts).count < whole.experts.count ? ["experts \(whole.experts)"] : []
    for row in 0..<200 {
      parted = try StateDecoder.value(S.self, from: StateEncoder.bytes(of: parted))
      let answers = whole.experts.indices.map { answer(seed, row, $0) }
      if !areEqual(whole.observe(answers), parted.observe(answers)) { found.append("row \(row): other verdicts") }
      if row % 7 == 6 {
        let trial = Trial(
          current: (0..<(row / 10)).map { answer(seed, $0, 8) }, candidate: (0..<(row / 10)).map { answer(seed, $0, 9) }
        )
        if !areEqual(whole.judge(trial), parted.judge(trial)) { found.append("row \(row): other judgements") }
      }
      if whole.weights != parted.weights { found.append("row \(row): \(whole.weights) and \(parted.weights)") }
      if let problem = problem(of: whole.weights, whole.experts.count) { found.append("row \(row): \(problem)") }
    }
    if try StateEncoder.bytes(of: whole) != StateEncoder.bytes(of: parted) { found.append("other bytes in the end") }
    return found
  }

  /// The same stream gives the same decisions, saved and restored behind every row too.
  static func violations<R: DecisionRule>(ofRule rule: R, seed: Seed) throws -> [String] {
    var (whole, parted) = (rule, rule)
    var (one, other) = (seed.stream("decisions"), seed.stream("decisions"))
    var found: [String] = []
    for row in 0..<300 {
      parted = try StateDecoder.value(R.self, from: StateEncoder.bytes(of: parted))
      let p = row % 50 == 7 ? Double.nan : seed.uniform(row, 0, 0)
      let decisions = (whole.decide(p, using: &one), parted.decide(p, using: &other))
      if decisions.0 != decisions.1 { found.append("row \(row): \(decisions)") }
      if p.isNaN && decisions.0 != .nothing { found.append("row \(row): \(decisions.0) at no probability") }
      let isKept = seed.uniform(row, 1, 0) < 0.6
      whole.observe(isKept, after: decisions.0, at: p)
      parted.observe(isKept, after: decisions.1, at: p)
    }
    if try StateEncoder.bytes(of: whole) != StateEncoder.bytes(of: parted) { found.append("other bytes in the end") }
    return found
  }

  /// Every bit of a state is turned: it is refused, or `use` goes on with it and nothing stops.
  /// - Returns: how many bits were refused, of how many.
  static func damage<P: Part>(_ part: P, use: (P) -> Void) throws -> (refused: Int, of: Int) {
    let bytes = try StateEncoder.bytes(of: part)
    let settings = part.parameters.map(\.value)
    var refused = 0
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      guard let copy = try? StateDecoder.value(P.self, from: damaged), copy.parameters.map(\.value) == settings else {
        refused += 1
        continue
      }
      use(copy)
    }
    return (refused, 8 * bytes.count)
  }

  /// Of the row's outcome: mostly a probability, now and then 0, 1 or no number.
  static func answer(_ seed: Seed, _ row: Int, _ expert: Int) -> ExpertAnswer {
    let p = seed.uniform(row, expert, 1)
    let special: [Double] = [0, 1, .nan]
    let place = Int(seed.uniform(row, expert, 2) * 40)
    return ExpertAnswer(likelihood: place < 3 ? special[place] : p, isRight: p > 0.5)
  }

  private static func problem(of weights: [Double], _ experts: Int) -> String? {
    if weights.count != experts { return "\(weights.count) weights of \(experts) experts" }
    let isRight = weights.allSatisfy { $0 >= 0 } && abs(weights.reduce(0, +) - 1) < 1e-12
    return isRight ? nil : "weights \(weights)"
  }

  private static func areEqual(_ one: Verdict?, _ other: Verdict?) -> Bool {
    one?.decision == other?.decision && one?.evidence.bitPattern == other?.evidence.bitPattern
  }
}

/// A person's days: a row most evenings, losses that rise in the middle.
struct Life {
  var days = 180
  var seed = Seed(7)
  /// Whether orders are followed at once; else only each third one is.
  var isFree = true

  /// What the policy is asked, when its orders are followed as `isFree` says.
  func moments<P: UpdatePolicy>(under policy: P) -> [Moment] {
    var (policy, moments) = (policy, [Moment]())
    var (rows, lastRows, lastDay, orders) = (0, 0, 0.0, 0)
    for day in 0..<days where seed.uniform(day, 0, 0) < 0.9 {
      rows += 1
      let p = day < days / 2 ? 0.9 : 0.35
      let isRight = seed.uniform(day, 1, 0) < p
      let q = seed.uniform(day, 2, 0)
      let moment = Moment(
        time: Int64(day) * 86_400, rows: rows, rowsSinceUpdate: rows - lastRows, daysSinceUpdate: Double(day) - lastDay,
        outcome: Outcome(row: rows - 1, error: isRight ? 0 : 1, loss: isRight ? 0.2 * q : 1 + q))
      moments.append(moment)
      guard policy.decide(moment) != nil else { continue }
      orders += 1
      if isFree || orders % 3 == 0 { (lastRows, lastDay) = (rows, Double(day)) }
    }
    return moments
  }
}
