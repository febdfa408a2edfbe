import PalimpsestCore

/// The laws of ``PalimpsestCore/Renewal``: parameters that it did not name, or that lie outside the mask, keep their bits; the vector
/// stays as long as it was; what is named is in order; the same state gives the same result.
public enum RenewalLaws {
  /// Asks a renewal when a task begins and after steps, with all parameters in the mask and with one layer.
  ///
  /// - Parameter identity: the same part with its rate at 0, which may change nothing; nil leaves that law out.
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations(of renewal: some Renewal, identity: (any Renewal)? = nil) -> [String] {
    let model = LawWorld.shared.setup(SGD()).makeModel()
    let masks = [ParameterMask.all(model.parameters.count), ParameterMask([model.layers[1].weightRange])]
    return masks.flatMap { mask in
      moments(model).flatMap { moment in
        check(renewal, model, mask, moment) + (identity.map { idle($0, model, mask, moment) } ?? [])
      }
    }
  }

  private static func moments(_ model: MLP) -> [RenewalMoment] {
    let task = LawWorld.shared.tasks[1]
    let activity = UnitActivity(
      way: model.plainProgram, means: model.hidden.map { FloatBuffer((0..<$0).map { Float($0) / 4 }) })
    let steps = [0, 1, 999, 1000].map { StepContext(experience: task, epoch: 0, step: $0) }
    return [.task(task)] + steps.map { .step($0, activity) }
  }

  private static func check<R: Renewal>(
    _ renewal: R, _ before: MLP, _ mask: ParameterMask, _ moment: RenewalMoment
  ) -> [String] {
    let (after, ranges) = renewed(renewal, before, mask, moment)
    guard after.parameters.count == before.parameters.count else {
      return ["\(R.name): \(before.parameters.count) parameters become \(after.parameters.count)"]
    }
    var violations: [String] = []
    if let outside = ranges.first(where: { $0.lowerBound < 0 || $0.upperBound > before.parameters.count }) {
      violations.append("\(R.name): it names parameters \(outside) of \(before.parameters.count)")
    }
    if zip(ranges, ranges.dropFirst()).contains(where: { $0.upperBound > $1.lowerBound }) {
      violations.append("\(R.name): the ranges it names are out of order")
    }
    let changed = (0..<after.parameters.count).filter {
      before.parameters[$0].bitPattern != after.parameters[$0].bitPattern
    }
    if let place = changed.first(where: { i in !ranges.contains { $0.contains(i) } }) {
      violations.append("\(R.name): parameter \(place) changed and was not named")
    }
    if let place = changed.first(where: { !mask.contains($0..<($0 + 1)) }) {
      violations.append("\(R.name): parameter \(place) changed outside the mask")
    }
    if renewed(renewal, before, mask, moment).model.parameters != after.parameters {
      violations.append("\(R.name): the same state gives two results")
    }
    return violations
  }

  private static func idle(
    _ renewal: some Renewal, _ before: MLP, _ mask: ParameterMask, _ moment: RenewalMoment
  ) -> [String] {
    let same = renewed(renewal, before, mask, moment).model.parameters == before.parameters
    return same ? [] : ["\(type(of: renewal).name): at rate 0 it changes parameters"]
  }

  private static func renewed(
    _ renewal: some Renewal, _ model: MLP, _ mask: ParameterMask, _ moment: RenewalMoment
  ) -> (model: MLP, ranges: [Range<Int>]) {
    var (renewal, copy, rng) = (renewal, model, Seed(61).stream("renewal laws"))
    renewal.begin(LawWorld.shared.tasks[0], model)
    let ranges = renewal.renew(&copy, within: mask, moment, using: &rng)
    return (copy, ranges)
  }
}
