import PalimpsestMetrics
import Testing

/// Alarms are those that ADWIN and DDM raise on ten blocks of 500 rows with shares of errors of .1 and .4 in turn (stream 5 of
/// `DetectorStream`, whose rows the tests of the detectors hold).
@Suite struct DriftScoreTests {
  private static let adwin = [575, 1119, 1631, 2143, 2559, 3103, 3583, 4191, 4671]
  private static let ddm = [44, 129, 174, 521, 1917, 2550, 3708, 4686]

  private func score(_ alarms: [Int], maxDelay: Int = 250) -> DriftScore {
    DriftScore(alarms: alarms, changes: (1..<10).map { $0 * 500...$0 * 500 }, rows: 5000, maxDelay: maxDelay)
  }

  private func rounded(_ x: Double, _ digits: Double) -> Double { (x * digits).rounded() / digits }

  @Test func `a detector that finds all changes has delays alone`() {
    let score = score(DriftScoreTests.adwin)
    #expect(score.delays == [75, 119, 131, 143, 59, 103, 83, 191, 171])
    #expect(score.detected == 9 && score.missed == 0 && score.falseAlarms == 0 && score.repeats == 0)
    #expect(rounded(score.meanDelay, 10) == 119.4 && score.f1 == 1 && rounded(score.dummyF1, 1000) == 0.452)
    #expect(score.meanTimeBetweenFalseAlarms == .infinity && score.meanTimeRatio == .infinity)
    #expect(score.falseAlarmsPerThousand == 0 && score.alarmsPerThousand == 1.8)
    // Nine windows of 251 rows.
    #expect(score.stillRows == 5000 - 9 * 251)
  }

  /// 44, 129, 174 and 1917 are false; 521, 2550, 3708 and 4686 detect: delays 21, 50, 208 and 186. MTFA = 2741/4 = 685.25;
  /// MTR = 685.25 / 116.25 · 4/9 = 2.6198; F1 = 8/(8 + 4 + 5).
  @Test func `one that misses and cries wolf is worth no more than a dummy`() {
    let score = score(DriftScoreTests.ddm)
    #expect(score.delays == [21, nil, nil, nil, 50, nil, 208, nil, 186])
    #expect(score.detected == 4 && score.missed == 5 && score.falseAlarms == 4)
    #expect(score.meanDelay == 116.25 && rounded(score.f1, 10_000) == 0.4706)
    #expect(rounded(score.dummyF1, 10_000) == 0.4252)
    #expect(score.missedShare == 5.0 / 9 && score.meanTimeBetweenFalseAlarms == 685.25)
    #expect(rounded(score.meanTimeRatio, 10_000) == 2.6198)
    #expect(rounded(score.falseAlarmsPerThousand, 10_000) == rounded(4000.0 / 2741, 10_000))
  }

  @Test func `later alarms in a window are repeats, and a window ends before the next change`() {
    let score = DriftScore(alarms: [10, 12, 19, 20, 29], changes: [10...10, 20...24], rows: 40, maxDelay: 1000)
    #expect(score.delays == [0, 0] && score.repeats == 3 && score.falseAlarms == 0 && score.stillRows == 10)
    // A change that takes rows 20 to 24 has its window from 20 to 24 + 3.
    let short = DriftScore(alarms: [9, 14, 20, 27, 28], changes: [10...10, 20...24], rows: 40, maxDelay: 3)
    #expect(short.delays == [nil, 0] && short.repeats == 1 && short.falseAlarms == 3)
    #expect(short.stillRows == 40 - 4 - 8)
  }

  @Test func `the last row of a window detects, the one behind it does not`() {
    #expect(score([750]).delays[0] == 250 && score([751]).delays[0] == nil)
    #expect(score([499]).falseAlarms == 1 && score([500]).delays[0] == 0)
    #expect(DriftScore(alarms: [9], changes: [5...5], rows: 10, maxDelay: .max).delays == [4])
  }

  @Test func `alarms in blips are false, and told apart`() {
    let score = DriftScore(
      alarms: [5, 21, 25, 33], changes: [20...20], blips: [3...8, 30...34], rows: 50, maxDelay: 3)
    #expect(score.falseAlarms == 3 && score.blipAlarms == 2 && score.detected == 1)
  }

  @Test func `where there is nothing to find or nothing said, numbers say so`() {
    let quiet = score([])
    #expect(quiet.f1 == 0 && quiet.dummyF1 == 0 && quiet.missedShare == 1 && quiet.meanDelay.isNaN)
    #expect(quiet.meanTimeRatio == 0 && quiet.falseAlarmsPerThousand == 0)
    let even = DriftScore(alarms: [3], changes: [], rows: 10, maxDelay: 5)
    #expect(even.f1 == 0 && even.meanTimeRatio.isNaN && even.missedShare.isNaN && even.falseAlarmsPerThousand == 100)
    #expect(DriftScore(alarms: [], changes: [], rows: 10, maxDelay: 5).f1.isNaN)
    #expect(DriftScore(alarms: [4], changes: [0...0], rows: 10, maxDelay: 20).falseAlarmsPerThousand.isNaN)
  }

  /// Every n rows from every phase, one by one.
  @Test(arguments: [1, 2, 3, 7, 40])
  func `the dummy's F1 is the mean over all its phases`(alarms: Int) {
    let changes = [7...7, 31...36, 60...60]
    let rows = 83
    let score = DriftScore(
      alarms: (0..<alarms).map { $0 * 2 }, changes: changes, rows: rows, maxDelay: 9)
    let every = rows / alarms
    let each = (0..<every).map { phase in
      DriftScore(
        alarms: Array(stride(from: phase, to: rows, by: every)), changes: changes, rows: rows, maxDelay: 9
      ).f1
    }
    #expect(abs(score.dummyF1 - each.reduce(0, +) / Double(every)) < 1e-12)
  }
}
