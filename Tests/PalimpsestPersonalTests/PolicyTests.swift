import PalimpsestCore
import PalimpsestPersonal
import PalimpsestStrategies
import Testing

@Suite struct PolicyTests {
  private func moment(
    row: Int, rowsSinceUpdate: Int? = nil, days: Double, loss: Double = 0, error: Double = 0
  ) -> Moment {
    Moment(
      time: Int64(row) * 86_400, rows: row, rowsSinceUpdate: rowsSinceUpdate ?? row, daysSinceUpdate: days,
      outcome: Outcome(row: row - 1, error: error, loss: loss))
  }

  @Test func `the names are those of files`() {
    #expect(standardPolicies.map { $0.name } == ["never", "interval", "rows", "drift"])
  }

  @Test func `never orders nothing`() {
    var policy = NeverUpdate()
    for row in 1...1000 { #expect(policy.decide(moment(row: row, days: Double(row))) == nil) }
  }

  @Test func `an interval is due when its days have passed, until an update begins`() {
    var policy = UpdateInterval()
    #expect(policy.days == 7)
    let days = [0, 1, 6.99, 7, 8, 0, 3, 7.5, -2, .nan, .infinity]
    let orders = days.map { policy.decide(moment(row: 1, days: $0)) }
    let due = UpdateOrder(.interval)
    #expect(orders == [nil, nil, nil, due, due, nil, nil, due, nil, nil, due])
  }

  @Test func `rows are due when there are as many, until an update begins`() throws {
    var policy = try UpdateRows(settings: ["rows": .number("3")])
    let orders = [1, 2, 3, 4, 0, 1, 2, 3].map { policy.decide(moment(row: 9, rowsSinceUpdate: $0, days: 0)) }
    #expect(orders.map { $0?.reason } == [nil, nil, .rows, .rows, nil, nil, nil, .rows])
  }

  /// δ .05 and λ 3 with losses of 0, then of 2: the first 2 is row 31. m after k of them is 2k/(30 + k); up rises by 2 − m − .05:
  /// 1.8855, 1.8250: in sum 1.8855 (fading aside), then 3.7105 − least; the least is at row 30: up = −1.5 there. So the alarm comes at row 32.
  @Test func `page-hinkley's alarm comes where its sum passes the threshold`() {
    var policy = UpdateOnDrift()
    var reasons: [UpdateOrder.Reason?] = []
    for row in 1...34 {
      reasons.append(policy.decide(moment(row: row, days: Double(row) / 10, loss: row > 30 ? 2 : 0))?.reason)
    }
    // An order that is not followed is given again.
    #expect(reasons == [UpdateOrder.Reason?](repeating: nil, count: 31) + [.drift, .drift, .drift])
  }

  @Test func `an alarm waits for the least time between updates, and is dealt with when one begins`() throws {
    var policy = try UpdateOnDrift(settings: ["detector": .string("alarm-every"), "base": .null])
    // alarm-every alarms with row 1,000.
    for row in 1..<1000 { #expect(policy.decide(moment(row: row, rowsSinceUpdate: 1, days: 1)) == nil) }
    #expect(policy.decide(moment(row: 1000, rowsSinceUpdate: 2, days: 1)) == nil)
    #expect(policy.decide(moment(row: 1001, rowsSinceUpdate: 3, days: 2.9)) == nil)
    #expect(policy.decide(moment(row: 1002, rowsSinceUpdate: 4, days: 3)) == UpdateOrder(.drift))
    // Nobody followed it: row 1,003 asks again. An update begins with that row.
    #expect(policy.decide(moment(row: 1003, rowsSinceUpdate: 5, days: 4)) == UpdateOrder(.drift))
    #expect(policy.decide(moment(row: 1004, rowsSinceUpdate: 1, days: 100)) == nil)
  }

  @Test func `without an alarm an update comes after the base, or never`() throws {
    var (policy, never) = (UpdateOnDrift(), try UpdateOnDrift(settings: ["base": .null]))
    for row in 1...100 {
      let now = moment(row: row, rowsSinceUpdate: row % 28, days: Double(row % 29), loss: 0.1)
      #expect(policy.decide(now) == (row % 29 == 28 ? UpdateOrder(.interval) : nil))
      #expect(never.decide(now) == nil)
    }
  }

  @Test func `fewer losses are no reason for an update`() throws {
    var policy = try UpdateOnDrift(settings: ["base": .null])
    for row in 1...200 { #expect(policy.decide(moment(row: row, days: 9, loss: row > 40 ? 0 : 3)) == nil) }
  }

  /// 400 rows without errors, then 400 with nothing else: every detector that looks at values finds it, none on constants.
  @Test(arguments: DetectorName.allCases.map(\.rawValue))
  func `every detector can watch`(detector: String) throws {
    var policy = try UpdateOnDrift(settings: ["detector": .string(detector), "base": .null])
    var (calm, changed) = (0, 0)
    for row in 1...800 {
      let isWrong = row > 400
      let noise = Seed(3).uniform(row, 0, 0)
      let error = noise < (isWrong ? 0.9 : 0.1) ? 1.0 : 0
      let now = moment(row: row, rowsSinceUpdate: 1, days: 9, loss: error > 0 ? 1 : 0.3, error: error)
      guard policy.decide(now) != nil else { continue }
      if isWrong { changed += 1 } else { calm += 1 }
    }
    if ["alarm-never", "alarm-every", "alarm-random"].contains(detector) {
      #expect(changed <= 2)
    } else {
      #expect(changed >= 1 && calm <= 1, "\(calm) alarms before the change")
    }
  }

  @Test func `a detector that nobody knows is refused with those that there are`() {
    #expect {
      try UpdateOnDrift(settings: ["detector": .string("page-hinkly")])
    } throws: { error in
      let text = String(describing: error)
      return text.hasPrefix("detector: expected one of \"page-hinkley\", \"adwin\"")
        && text.hasSuffix("found \"page-hinkly\"")
    }
  }

  @Test func `detectors are those of the catalogue`() {
    let names = standardParts.filter { $0 is any DriftDetector.Type }.map { $0.name }
    #expect(DetectorName.allCases.map(\.rawValue) == names)
    #expect(names.count >= 12)
    #expect(DetectorName(rawValue: "reservoir") == nil)
  }

  // MARK: - State

  /// Those of the list, the drift policy with every detector.
  static let policies: [any UpdatePolicy] = {
    let drifts = DetectorName.allCases.map { name in
      var policy = UpdateOnDrift()
      (policy.detector, policy.base) = (name, 20)
      return policy
    }
    return standardPolicies.map { $0.init() } + drifts
  }()

  @Test(arguments: policies.indices, [true, false])
  func `saved and restored anywhere, the same orders follow`(index: Int, isFree: Bool) throws {
    #expect(try PersonalLaws.violations(ofPolicy: PolicyTests.policies[index], over: Life(isFree: isFree)) == [])
  }

  /// The law is one that a policy can break: this one forgets what it counted.
  @Test func `a policy that forgets breaks the law`() throws {
    struct Forgetful: UpdatePolicy {
      static let (name, summary, source) = ("forgetful", "", "")
      private enum CodingKeys: CodingKey {}
      private var calls = 0
      mutating func decide(_ now: Moment) -> UpdateOrder? {
        calls += 1
        return calls % 5 == 0 ? UpdateOrder(.rows) : nil
      }
    }
    #expect(try PersonalLaws.violations(ofPolicy: Forgetful(), over: Life()).count > 20)
  }

  /// Detectors' own states are damaged where detectors are tested.
  @Test(arguments: standardPolicies.indices)
  func `a damaged state is refused or harmless`(index: Int) throws {
    try damage(PolicyTests.policies[index])
  }

  private func damage<P: UpdatePolicy>(_ policy: P) throws {
    var policy = policy
    let moments = Life(days: 100).moments(under: policy)
    for moment in moments { _ = policy.decide(moment) }
    let (refused, all) = try PersonalLaws.damage(policy) { copy in
      var copy = copy
      for moment in moments.prefix(20) { _ = copy.decide(moment) }
    }
    #expect(all > 0 && refused > 0)
  }

  @Test func `a state of another detector is refused`() throws {
    var policy = UpdateOnDrift()
    _ = policy.decide(moment(row: 1, days: 0))
    let bytes = try StateEncoder.bytes(of: policy)
    #expect(try StateDecoder.value(UpdateOnDrift.self, from: bytes).delta == 0.05)
    policy.delta = 0.1
    let wrong = try StateEncoder.bytes(of: policy)
    #expect(
      throws: StateError(
        "a page-hinkley with other settings than those of the page-hinkley that is to watch")
    ) { try StateDecoder.value(UpdateOnDrift.self, from: wrong) }
  }
}
