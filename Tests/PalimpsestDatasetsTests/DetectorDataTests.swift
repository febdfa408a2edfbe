import PalimpsestCore
import PalimpsestDatasets
import PalimpsestStrategies
import PalimpsestTesting
import Testing

private let library = DatasetFolder.standard()

/// Drift detectors on the errors of repeating the latest label of Elec2: the alarms of River 0.26.1 where it has the detector.
@Suite(.enabled(if: library.location(of: "elec2") != nil, "skipped: elec2 is not there; see datasets/README.md"))
struct DetectorDataTests {
  /// The first row is an error.
  private static func errors() throws -> [Double] {
    let labels = try library.dataset(named: "elec2").labels
    return [1] + zip(labels, labels.dropFirst()).map { $0 == $1 ? 0 : 1 }
  }

  private func made<D: DriftDetector>(_ change: (inout D) -> Void) -> D {
    var detector = D()
    change(&detector)
    return detector
  }

  @Test func `detectors alarm at the published rows`() throws {
    let errors = try DetectorDataTests.errors()
    #expect(errors.count == 45_312 && errors.reduce(0, +) == 6_648)
    func alarms(_ detector: some DriftDetector) -> [Int] { DetectorLaws.alarms(of: detector, on: errors) }
    #expect(alarms(ADWIN()) == [6175, 13471, 15775, 27071, 31007, 36159])
    #expect(
      alarms(made { (d: inout ADWIN) in d.clock = 1 }) == [2807, 6165, 13420, 15739, 27063, 31002, 36141])
    #expect(alarms(DDM()) == [2465, 2533, 2659, 3102, 3170])
    #expect(alarms(EDDM()) == DetectorDataTests.eddm)
    #expect(
      alarms(PageHinkley()) == [2689, 8220, 13418, 15699, 19205, 24126, 27364, 31367, 36139, 41343])
    #expect(
      alarms(HDDMAverage()) == [1330, 1489, 10080, 10417, 13030, 14058, 25144, 40696, 40944, 41761])
    #expect(
      alarms(HDDMWeighted()) == [
        2371, 3098, 4189, 6080, 9546, 12334, 14061, 15692, 23530, 35903, 36834, 40201, 40727, 43107,
      ])
    #expect(
      alarms(FHDDM()) == [
        2558, 3109, 6125, 12115, 15755, 16429, 21934, 30978, 33477, 35950, 40203, 45183,
      ])
  }

  @Test func `detectors alarm where one does that sums its windows anew`() throws {
    let errors = try DetectorDataTests.errors()
    func alarms(_ detector: some DriftDetector) -> [Int] { DetectorLaws.alarms(of: detector, on: errors) }
    #expect(
      alarms(made { (d: inout ADWIN) in d.afterAlarm = .shrink }) == [
        6175, 6207, 13375, 13439, 13503, 13567, 13759, 13855, 15775, 15935, 27135, 27455, 27519, 31007, 31391, 36159,
      ])
    #expect(
      alarms(MDDM()) == [2547, 3100, 6119, 12107, 15755, 16428, 21933, 30975, 33469, 35907, 40200])
    let geometric = [2533, 3098, 6095, 12107, 15755, 16429, 21933, 30975, 33469, 35905, 40200]
    #expect(alarms(made { (d: inout MDDM) in d.weights = .geometric }) == geometric)
    #expect(alarms(made { (d: inout MDDM) in d.weights = .euler }) == geometric)
    #expect(alarms(KSWIN()) == [3149, 14072, 15699])
  }

  private static let eddm = [
    695, 911, 1270, 1485, 1698, 1990, 2140, 2356, 2490, 2661, 2805, 3042, 3186, 3454, 3684, 3860, 4079, 4188, 4394,
    6076, 6165, 6334, 6530, 6707, 6915, 7122, 7238, 7439, 7659, 7864, 8094, 8194, 8525, 8775, 8970, 9134, 9537, 9737,
    9901, 10176, 10434, 10896, 11036, 11281, 11452, 11726, 11986, 12099, 12257, 13026, 13222, 13652, 14055, 14264,
    14524, 14684, 14919, 15134, 15421, 15541, 15716, 15928, 16205, 16378,
  ]
}
