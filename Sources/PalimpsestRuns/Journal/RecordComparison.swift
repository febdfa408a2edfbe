import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics

extension RunRecord {
  /// Equal but for the times, and for work and memory where the two were not counted alike.
  public func hasSameResults(as other: RunRecord) -> Bool {
    if cost.revision == other.cost.revision { return withoutTimes.json == other.withoutTimes.json }
    return withoutTimes.uncharged.json == other.withoutTimes.uncharged.json
  }

  private var uncharged: RunRecord {
    var copy = self
    copy.cost.learner = LearnerCost()
    copy.cost.revision = 0
    return copy
  }

  private var withoutTimes: RunRecord {
    var copy = self
    copy.cost.timeTotal = 0
    copy.cost.timeTrain = 0
    copy.cost.timeEvaluate = 0
    copy.cost.timeTask = []
    return copy
  }

  /// NaN equals NaN in text.
  private var json: [UInt8] {
    var json = JSONBytes()
    json.append(self)
    return json.bytes
  }
}
