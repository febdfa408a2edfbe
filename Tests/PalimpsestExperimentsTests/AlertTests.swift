import PalimpsestExperiments
import PalimpsestScenarios
import Testing

/// False alerts of a camera from scores worked by hand.
@Suite struct AlertTests {
  private func alerts(_ persons: [Float], _ nuisances: [Float]) -> Double {
    var scores = AlertScores()
    (scores.persons, scores.nuisances) = (persons, nuisances)
    return scores.falseAlerts
  }

  /// Persons 0 to 20: the 5 % quantile is at place 1 of 20. Two of four nuisances are above 1: 70 of 140.
  @Test func `nuisances above the quantile of persons are counted`() {
    let persons = (0...20).map { Float($0) }
    #expect(alerts(persons.reversed(), [3, 0.5, 1, 1.5]) == 70)
    #expect(alerts(persons, [-1, -2]) == 0 && alerts(persons, [30]) == 140)
  }

  /// Two persons: the quantile lies .05 of the way from one to the other.
  @Test func `between two persons the quantile is linear`() {
    #expect(alerts([10, 0], [0.4, 0.6]) == 70)
    #expect(alerts([1], [0.9, 1.1]) == 70)
  }

  @Test func `without persons, nuisances or numbers there is none`() {
    #expect(alerts([], [1]).isNaN && alerts([1], []).isNaN && alerts([1, .nan], [1]).isNaN)
    #expect(alerts([1], [.infinity]).isNaN)
  }

  @Test func `the probes look at cameras alone`() {
    let probes = Catalog.standard.probes.filter { $0.looks(at: CameraAlerts()) }
    #expect(probes.map(\.measure.name.text) == ["false_alerts", "false_alerts_mean"])
    #expect(probes.allSatisfy { !$0.looks(at: ThermoSeasons()) && !$0.looks(at: RecurringClasses()) })
  }
}
