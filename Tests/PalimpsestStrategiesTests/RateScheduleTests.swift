import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct RateScheduleTests {
  private func schedule(
    _ shape: RateSchedule.Shape, over span: RateSchedule.Span = .task, warmup: Int = 0, floor: Double = 0
  ) -> RateSchedule {
    var schedule = RateSchedule()
    (schedule.schedule, schedule.scheduleOver, schedule.warmup, schedule.floor) = (shape, span, warmup, floor)
    return schedule
  }

  private func shares(_ schedule: RateSchedule, of steps: Int) -> [Double] {
    (0..<steps).map { schedule.share(at: StepPlace(step: $0, steps: steps)) }
  }

  private func expect(_ shares: [Double], _ worked: [Double]) {
    #expect(shares.count == worked.count)
    #expect(zip(shares, worked).allSatisfy { abs($0 - $1) < 1e-12 }, "\(shares) for \(worked)")
  }

  @Test func `a constant schedule is 1, exactly`() {
    #expect(shares(schedule(.constant), of: 7) == [1, 1, 1, 1, 1, 1, 1])
  }

  /// T = 4 steps: 1 − s/4. The 0 at s = 4 is behind the last step: none is wasted on it.
  @Test func `a line falls from 1 and would reach 0 behind the last step`() {
    expect(shares(schedule(.linear), of: 4), [1, 0.75, 0.5, 0.25])
    expect(shares(schedule(.linear, floor: 0.2), of: 4), [1, 0.8, 0.6, 0.4])
  }

  /// T = 4 steps: ½(1 + cos πs/4), cos 45° = √½.
  @Test func `half a cosine wave`() {
    let root = 0.5.squareRoot()
    expect(shares(schedule(.cosine), of: 4), [1, (1 + root) / 2, 0.5, (1 - root) / 2])
    expect(
      shares(schedule(.cosine, floor: 0.1), of: 4),
      [1, 0.1 + 0.45 * (1 + root), 0.1 + 0.45, 0.1 + 0.45 * (1 - root)])
  }

  /// Off by one on either side: a first step of size 0 is a step lost, and w + 1 steps of warm-up are one too many.
  @Test func `step t of w of the warm-up takes t shares of w, and what follows has the other steps`() {
    expect(shares(schedule(.constant, warmup: 4), of: 6), [0.25, 0.5, 0.75, 1, 1, 1])
    expect(shares(schedule(.linear, warmup: 2), of: 6), [0.5, 1, 1, 0.75, 0.5, 0.25])
    expect(shares(schedule(.linear, warmup: 1), of: 3), [1, 1, 0.5])
  }

  @Test func `a warm-up longer than all steps only rises`() {
    expect(shares(schedule(.cosine, warmup: 5), of: 3), [0.2, 0.4, 0.6])
    expect(shares(schedule(.cosine, warmup: 3), of: 3), [1.0 / 3, 2.0 / 3, 1])
  }

  @Test func `where nobody knows the number of steps the size stays behind the warm-up`() {
    let schedule = schedule(.cosine, warmup: 2)
    expect((0..<5).map { schedule.share(at: StepPlace(step: $0, steps: nil)) }, [0.5, 1, 1, 1, 1])
  }

  /// Two tasks of two steps: over each task 1, ½, 1, ½; over the run 1, ¾, ½, ¼.
  @Test func `a schedule begins anew with each task or runs once over all of them`() {
    func shares(_ schedule: RateSchedule) -> [Double] {
      (0..<4).map { step in
        let task = ExperienceInfo(index: step / 2, name: "a", outputs: 0..<1, seenOutputs: 0..<1, rows: 1)
        return schedule.share(
          StepContext(
            experience: task, epoch: 0, step: step % 2, steps: 2, run: StepPlace(step: step, steps: 4)))
      }
    }
    expect(shares(schedule(.linear)), [1, 0.5, 1, 0.5])
    expect(shares(schedule(.linear, over: .run)), [1, 0.75, 0.5, 0.25])
    expect(shares(schedule(.linear, over: .run, warmup: 2)), [0.5, 1, 1, 0.5])
  }

  /// The optimiser law's two tasks of three steps: over a task 1, ⅔, ⅓ and again, over the run 1, ⅚, ⅔ … ⅙.
  @Test(arguments: [false, true])
  func `every optimiser's update follows the schedule`(overRun: Bool) {
    let schedule = schedule(.linear, over: overRun ? .run : .task)
    func share(_ t: Int) -> Double { overRun ? 1 - Double(t) / 6 : 1 - Double(t % 3) / 3 }
    var (sgd, momentum, adam, adamW) = (SGD(), Momentum(), Adam(), AdamW())
    (sgd.schedule, momentum.schedule, adam.schedule, adamW.schedule) = (schedule, schedule, schedule, schedule)
    #expect(OptimizerLaws.violations(of: sgd) { g, _ in -0.1 * share(g.count - 1) * g[g.count - 1] } == [])
    // The velocity is one of gradients, not of updates: an old step's size does not linger in it.
    let withVelocity: OptimizerLaws.ClosedForm = { g, _ in -0.1 * share(g.count - 1) * g.reduce(0) { 0.9 * $0 + $1 } }
    #expect(OptimizerLaws.violations(of: momentum, closedForm: withVelocity) == [])
    func scaled(_ g: [Double]) -> Double {
      let (beta1, beta2) = (Double(Float(0.9)), Double(Float(0.999)))
      let (m, v) = g.reduce((0.0, 0.0)) { (beta1 * $0.0 + (1 - beta1) * $1, beta2 * $0.1 + (1 - beta2) * $1 * $1) }
      let (power1, power2) = g.reduce((1.0, 1.0)) { power, _ in (power.0 * beta1, power.1 * beta2) }
      return m / (1 - power1) / ((v / (1 - power2)).squareRoot() + 1e-8)
    }
    #expect(OptimizerLaws.violations(of: adam) { g, _ in -0.001 * share(g.count - 1) * scaled(g) } == [])
    #expect(
      OptimizerLaws.violations(of: adamW) { g, theta in
        -0.001 * share(g.count - 1) * (scaled(g) + 0.01 * theta[theta.count - 1])
      } == [])
  }

  private struct EarlierSGD: Codable {
    var rate: Float = 0.25
    var decay: Float = 0.5
  }

  @Test func `an optimiser that was saved before there were schedules is read`() throws {
    let read = try StateDecoder.value(SGD.self, from: StateEncoder.bytes(of: EarlierSGD()))
    #expect(read.rate == 0.25 && read.decay == 0.5)
    #expect(shares(read.schedule, of: 3) == [1, 1, 1])
    var later = SGD()
    later.schedule = schedule(.cosine, warmup: 3)
    let again = try StateDecoder.value(SGD.self, from: StateEncoder.bytes(of: later))
    #expect(again.schedule.warmup == 3 && again.schedule.schedule == .cosine)
  }
}
