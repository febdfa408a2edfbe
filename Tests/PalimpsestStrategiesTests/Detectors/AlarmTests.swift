import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// Alarms fall on the rows on which others have them: River 0.26.1 where it has the detector, else a plain program that keeps
/// whole windows and sums them anew in every row.
@Suite struct AlarmTests {
  struct Known: Sendable, CustomTestStringConvertible {
    let label: String
    let detector: any DriftDetector
    /// On the four streams.
    let alarms: [[Int]]

    init(_ label: String, _ detector: some DriftDetector, _ alarms: [[Int]]) {
      (self.label, self.detector, self.alarms) = (label, detector, alarms)
    }

    var testDescription: String { label }
  }

  static let streams = [
    DetectorStream.changing, DetectorStream.steady,
    DetectorStream.errors(stream: 5, shares: [0.1, 0.4, 0.1, 0.4, 0.1, 0.4, 0.1, 0.4, 0.1, 0.4], each: 500),
    DetectorStream.errors(stream: 7, shares: [0.05, 0.3, 0.6, 0.3, 0.05], each: 2000),
  ]

  static func make<D: DriftDetector>(_ change: (inout D) -> Void) -> D {
    var detector = D()
    change(&detector)
    return detector
  }

  static let river = [
    Known(
      "adwin", ADWIN(),
      [
        [1151, 2079, 3039], [], [575, 1119, 1631, 2143, 2559, 3103, 3583, 4191, 4671], [2079, 4063, 6111, 8095],
      ]),
    Known(
      "adwin, clock 1", make { (d: inout ADWIN) in d.clock = 1 },
      [
        [1122, 2079, 3030], [], [551, 1086, 1606, 2122, 2552, 3087, 3540, 4116, 4655], [2070, 4053, 6092, 8080],
      ]),
    Known("adwin, all else", looseADWIN, looseADWINAlarms),
    Known(
      "ddm", DDM(),
      [
        [67, 1351, 3131, 3370], [], [44, 129, 174, 521, 1917, 2550, 3708, 4686], [249, 2066, 2191, 4121, 4241],
      ]),
    Known("eddm", EDDM(), eddmAlarms),
    Known(
      "eddm, as in the paper", make { (d: inout EDDM) in (d.warning, d.alarm) = (0.8, 0.75) },
      [[196, 1300, 3674], [91, 229], [248, 509], [2307, 2417, 2542, 4433, 4535, 4859]]),
    Known(
      "page-hinkley", PageHinkley(),
      [
        [1248, 2110, 3120], [8284], [660, 1217, 1714, 2216, 2719, 3192, 3755, 4190, 4758], [2198, 4056, 6141, 8179],
      ]),
    Known(
      "hddm-a", HDDMAverage(),
      [[1072, 3007, 3236], [], [554, 1746, 2548, 3529, 4686], [2142, 2520, 3555, 4032]]),
    Known(
      "hddm-a, both", make { (d: inout HDDMAverage) in d.mode = .both },
      [
        [1072, 2028, 3023, 3236], [], [554, 1070, 1595, 2087, 2547, 3023, 3525, 4058, 4607],
        [2142, 2520, 3555, 4032, 6114, 8046],
      ]),
    Known(
      "hddm-w", HDDMWeighted(),
      [
        [1072, 1961, 3007, 3237], [2819, 3905, 4597, 8008], [540, 1593, 2544, 3522, 4568],
        [2179, 2529, 3554, 4007, 5109],
      ]),
    Known(
      "hddm-w, both", make { (d: inout HDDMWeighted) in d.mode = .both },
      [
        [1072, 1801, 2019, 3007, 3237, 3506], [2819, 3905, 4597, 8008],
        [540, 962, 1593, 2058, 2548, 2848, 3022, 3522, 4023, 4568],
        [2179, 2529, 3525, 3624, 4007, 4656, 5855, 6020, 8023],
      ]),
    Known(
      "fhddm", FHDDM(), [[1073, 3049], [7671], [546, 1593, 2558, 3555, 4594], [2140, 3597, 4056]]),
    Known("fhddm, short window", make { (d: inout FHDDM) in (d.window, d.delta) = (25, 0.01) }, shortWindowAlarms),
  ]

  static let plain = [
    Known(
      "adwin, shrinking", make { (d: inout ADWIN) in d.afterAlarm = .shrink },
      [
        [1151, 1215, 1279, 1439, 2111, 2143, 2175, 2239, 3039, 3071, 3231], [],
        [
          575, 607, 703, 1119, 1151, 1247, 1695, 1759, 2143, 2175, 2303, 2591, 2623, 2719, 3135, 3167, 3487, 3583,
          3615, 4191, 4255, 4671, 4735,
        ],
        [2079, 2111, 2143, 2175, 2207, 4063, 4095, 4127, 4191, 6111, 6143, 6207, 8095, 8127, 8223],
      ]),
    Known(
      "adwin, shrinking, all else",
      make { (d: inout ADWIN) in
        d = looseADWIN
        d.afterAlarm = .shrink
      },
      [
        [1063, 1064, 1069, 1082, 1262, 2043, 2063, 2072, 2151, 3008, 3011, 3237, 3241], [8534],
        [
          529, 531, 533, 542, 555, 1063, 1259, 1589, 1600, 2066, 2069, 2070, 2118, 2527, 2535, 2543, 2550, 2776, 3035,
          3036, 3054, 3055, 3061, 3522, 3540, 4046, 4047, 4071, 4074, 4570, 4608,
        ],
        [
          2053, 2054, 2055, 2072, 2188, 3566, 3581, 4033, 4036, 4060, 6037, 6038, 6041, 6044, 6048, 6138, 8041, 8045,
          8051, 8055,
        ],
      ]),
    Known("mddm, arithmetic", MDDM(), [[1071, 3040], [6815], [541, 1590, 2550, 3540, 4593], [2096, 3584, 4051]]),
    Known(
      "mddm, geometric", make { (d: inout MDDM) in d.weights = .geometric },
      [[1071, 3039], [6814], [539, 1590, 2548, 3539, 4594], [2096, 3577, 4050]]),
    Known(
      "mddm, euler", make { (d: inout MDDM) in d.weights = .euler },
      [[1071, 3039], [6814], [539, 1590, 2548, 3539, 4594], [2096, 3577, 4050]]),
    Known(
      "mddm, euler, steep", make { (d: inout MDDM) in (d.weights, d.difference) = (.euler, 0.05) },
      [[1073, 3011, 3239], [2819, 3904, 4597, 8008], [540, 1593, 2544, 3524, 4569], [2179, 3555, 4013, 5109]]),
    Known("kswin", KSWIN(), [[3029, 3236], [], [2823, 3527], [3554, 4019, 6024]]),
    Known(
      "kswin, small", make { (d: inout KSWIN) in (d.alpha, d.window, d.latest) = (0.05, 60, 20) },
      [
        [1475, 1540, 1749, 1981, 3012, 3224, 3402, 3583],
        [387, 828, 1152, 1730, 4254, 5485, 6843, 7214, 7691, 8824, 9225],
        [519, 881, 1021, 1601, 2816, 3002, 3522, 4168, 4818],
        [2219, 2520, 3544, 4002, 4159, 4535, 4599, 5230, 5690, 6013, 6210, 6285, 7196, 7518],
      ]),
  ]

  private static let looseADWIN = make { (d: inout ADWIN) in
    (d.clock, d.delta, d.buckets, d.leastSide, d.grace) = (1, 0.1, 3, 2, 20)
  }

  private static let looseADWINAlarms = [
    [1063, 2043, 3008, 3242], [8534], [529, 1054, 1584, 2062, 2523, 3030, 3520, 4041, 4568],
    [2053, 3563, 4019, 6041, 8046],
  ]

  private static let eddmAlarms = [
    [196, 1051, 1268, 3223], [91, 202, 291, 490, 595, 744, 859, 1233, 1365, 1503, 1628, 1821, 1957],
    [
      248, 509, 1759, 1856, 1940, 2527, 2675, 2754, 2896, 2964, 3240, 3514, 3624, 3714, 3790, 4626, 4694, 4819, 4904,
      4970,
    ],
    [
      2086, 2185, 2298, 2414, 2541, 2730, 2850, 3033, 3128, 3264, 3562, 3645, 3737, 3850, 3964, 4028, 4116, 4177,
    ],
  ]

  private static let shortWindowAlarms = [
    [83, 242, 630, 807, 1011, 1262, 1456, 1498, 1608, 1689, 1824, 1965, 3005, 3221, 3451, 3541, 3586, 3825],
    [
      165, 294, 462, 546, 800, 855, 1007, 1092, 1151, 1375, 1476, 1763, 1916, 1978, 2136, 2395, 2633, 2779, 3035, 3097,
      3149, 3226, 3321, 3422, 3672, 3904, 4043, 4245, 4542, 4596, 5032, 5229, 5397, 5803, 5936, 6074, 6364, 6577, 6741,
      6931, 7207, 7586, 7786, 7894, 7996, 8109, 8191, 8276, 8366, 8534, 8815, 8916, 9320, 9552, 9775, 9879,
    ],
    [
      515, 696, 772, 873, 989, 1159, 1537, 1595, 1732, 1887, 2513, 2776, 2878, 3514, 3621, 3674, 3809, 4001, 4138, 4397,
      4521, 4570, 4667, 4819, 4879,
    ],
    [
      2063, 2179, 2271, 2516, 2704, 2882, 3256, 3424, 3541, 3647, 3736, 3900, 4000, 4114, 4180, 4334, 4534, 4596, 4679,
      4870, 4952, 5108, 5225, 5431, 5651, 5720, 5778, 5877, 5986, 6280, 6444, 6495, 6711, 6818, 6995, 7138, 7455, 7520,
      7788, 7982,
    ],
  ]

  @Test func `the test streams are those that others can make`() {
    #expect(AlarmTests.streams.map(\.count) == [4_000, 10_000, 5_000, 10_000])
    #expect(AlarmTests.streams.map { $0.reduce(0, +) } == [1_198, 2_945, 1_263, 2_651])
  }

  @Test(arguments: river)
  func `a detector alarms where River's does`(known: Known) {
    for (stream, alarms) in zip(AlarmTests.streams, known.alarms) {
      #expect(DetectorLaws.alarms(of: known.detector, on: stream) == alarms)
    }
  }

  @Test(arguments: plain)
  func `a detector alarms where one does that sums its windows anew`(known: Known) {
    for (stream, alarms) in zip(AlarmTests.streams, known.alarms) {
      #expect(DetectorLaws.alarms(of: known.detector, on: stream) == alarms)
    }
  }

  /// The first row of each zone of River's warnings.
  @Test func `a zone of warnings is told once`() {
    let ddm = DetectorLaws.warnings(of: DDM(), on: DetectorStream.changing)
    #expect(ddm.count == 55 && ddm.prefix(9) == [64, 242, 260, 273, 296, 300, 335, 1142, 1145])
    #expect(
      DetectorLaws.warnings(of: EDDM(), on: DetectorStream.changing) == [
        518, 614, 817, 865, 933, 1245, 1350, 1439, 1452, 1498, 1503, 1543, 1595, 1968, 3089, 3269, 3302, 3355, 3366,
        3636, 3661, 3729, 3916,
      ])
    #expect(
      DetectorLaws.warnings(of: HDDMAverage(), on: DetectorStream.changing) == [1064, 1068, 3006, 3230, 3233])
    #expect(
      DetectorLaws.warnings(of: HDDMWeighted(), on: DetectorStream.changing) == [
        1017, 1064, 1069, 1457, 1705, 1726, 1729, 1854, 1859, 1861, 1959, 3006, 3230, 3233, 3632, 3636, 3677,
      ])
    let counts = [DDM(), EDDM(), HDDMAverage(), HDDMWeighted()].map { (detector: any DriftDetector) in
      AlarmTests.streams[1...].map { DetectorLaws.warnings(of: detector, on: $0).count }
    }
    #expect(counts == [[63, 41, 35], [15, 16, 15], [2, 7, 13], [37, 17, 23]])
  }
}
