import PalimpsestCore

/// What who sees the state would score: B_k with the law as it is on each day, C_jk with the law of another task, that is on its
/// side of the life event (as on its last day) and in its mean season. How far the laws lie apart there says how much a task's
/// season and the event demand.
struct SeasonOracles {
  let truth: ScenarioTruth

  private struct Law {
    let isBehind: Bool
    let season: Double
  }

  /// - Parameter terms: of the test rows of all tasks.
  init(_ settings: HabitSeasons, _ terms: [[SeasonLaw.Terms]], jointCeiling: Double) {
    let laws = settings.taskDays.map { part in
      Law(
        isBehind: settings.lifeEvent.map { part.days.upperBound > $0 } ?? false,
        season: part.days.reduce(0) { $0 + SeasonLaw.season($1 % 365, amplitude: settings.amplitude) }
          / Double(part.days.count))
    }
    func table(_ value: (_ own: Double, _ other: Double) -> Double) -> [[Double]] {
      laws.indices.map { j in
        laws.indices.map { k in
          let sum = terms[k].reduce(0) { sum, day in
            let own = day.probability
            let other = j == k ? own : day.probability(behind: laws[j].isBehind, season: laws[j].season)
            return sum + value(own, other)
          }
          return sum / Double(terms[k].count)
        }
      }
    }
    let accuracy = table { own, other in other >= 0.5 ? own : 1 - own }
    truth = ScenarioTruth(
      bayesAccuracy: accuracy.indices.map { accuracy[$0][$0] }, crossAccuracy: accuracy,
      totalVariation: table { abs($0 - $1) },
      hellinger: table { Distance.hellinger([$0, 1 - $0], [$1, 1 - $1]) }, jointCeiling: jointCeiling)
  }
}
