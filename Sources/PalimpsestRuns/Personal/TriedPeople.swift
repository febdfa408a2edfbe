import PalimpsestMetrics
import PalimpsestPersonal

/// A rollout over held-out people in the order of their numbers: a stage of share s has those below s times all of them who were in no
/// stage before. It ends with the stage that its people do not suffice for.
package struct TriedPeople {
  private var rollout: Rollout
  private let people: Int

  package init(_ rollout: Rollout, of people: Int) {
    self.rollout = rollout
    self.people = people
  }

  /// - Parameter differences: of the people so far, each in [−1, 1] or NaN.
  /// - Returns: all stages, also those that did not begin.
  package func stages(_ differences: [Double]) -> [PersonalRecord.Stage] {
    var tried = rollout
    for (person, difference) in differences.enumerated() {
      let room = Int((tried.share * Double(people)).rounded(.up))
      guard !tried.isOver, person < room else { break }
      _ = tried.observe(userMeanDifference: difference)
    }
    return rollout.stages.indices.map { stage in
      guard stage < tried.begun.count, tried.begun[stage].users > 0 else {
        return PersonalRecord.Stage(share: rollout.stages[stage], users: 0, wealth: .nan, verdict: .pending)
      }
      let begun = tried.begun[stage]
      return PersonalRecord.Stage(
        share: begun.share, users: begun.users, wealth: begun.nonInferiority.wealth, verdict: .init(begun.verdict))
    }
  }
}

extension PersonalRecord.Stage.Verdict {
  fileprivate init(_ verdict: Rollout.Verdict) {
    self =
      switch verdict {
      case .wait: .wait
      case .advance: .advance
      case .complete: .complete
      case .back: .back
      }
  }
}
