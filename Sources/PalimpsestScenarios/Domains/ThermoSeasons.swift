import PalimpsestCore

/// Will the room be comfortable in half an hour? One room, one law of heat, four seasons that show other parts of it.
///
/// - Rows: the room's gap to its set-point, the weather, what the heating or cooling does. With one thermal resistance and capacity
///   T⁺ = T + ½h/τ · (T_out − T) ± ½ power + .3 sun; p* = Φ(±(T⁺ − T_set)/.12). The room is cooled in summer, where signs turn.
/// - Truth: p* and densities in closed form; J* is the rule of the mean posterior, weighted by density. Means are over the test rows of
///   each seed.
public struct ThermoSeasons: GeneratorScenario {
  public static let name = "thermo-seasons"
  public static let summary =
    "Is the room comfortable in half an hour? Nearly one law, other weather: a test of forward transfer."
  public static let source = """
    A law of our own, with time constants of homes (30 h in winter, a few hours in summer, when windows are open). Winter, spring and \
    autumn have one law, and the weather tells summer: the best single rule loses nothing.
    """

  /// A season of the year.
  public enum Season: String, ParameterChoice { case winter, spring, summer, autumn }

  @Parameter("The season of each task, in order; one may come again.", Bounds.any.count(atLeast: 1))
  public var seasons: [Season] = Season.allCases
  @Parameter("Deviation of what decides comfort, in °C: the smaller, the less is left to chance.", .within(0.01...10))
  public var noise: Double = 0.12
  public var rows = GeneratorSettings(rowsPerTask: 1200)

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (seasons.count, 10) }
  public func generator(seed: Seed) -> any ConceptGenerator { ThermoLaw(seasons: seasons, noise: noise) }
}

struct ThermoLaw: DensityGenerator {
  let seasons: [ThermoSeasons.Season]
  /// °C.
  let noise: Double

  let columns = [
    "gap", "outdoor", "power", "hour sine", "hour cosine", "sun", "window", "set-point", "spare", "noise",
  ]
  let labels = ["uncomfortable", "comfortable"]
  var concepts: [String] { seasons.map(\.rawValue) }
  var truth: GeneratorTruth { .ofTestRows }

  /// Set-points are shown about 22 °C in thirds of a degree, outdoor temperatures about 10 °C in twentieths; others as they are.
  var scales: [InputScaling] {
    columns.map { column in
      switch column {
      case "outdoor": .column(shift: 10, divisor: 20)
      case "set-point": .column(shift: 22, divisor: 3)
      default: .column(shift: 0, divisor: 1)
      }
    }
  }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let season = seasons[moment.concept]
    let turn = 2 * Double.pi * draws.uniform(.inputs, 0)
    let day = ThermoLaw.daylight(cosine: Elementary.cos(turn))
    let isOn = draws.uniform(.inputs, 1) < 0.8
    let values = [
      0.45 * draws.normal(.inputs, 2), season.outdoor + 4 * draws.normal(.inputs, 3),
      isOn ? draws.uniform(.inputs, 4) : 0, Elementary.sin(turn), Elementary.cos(turn),
      day * draws.uniform(.inputs, 5) * season.sunniest, draws.uniform(.inputs, 6) < season.openWindows ? 1 : 0,
      season.setPoint + 0.7 * draws.normal(.inputs, 7), 0, 0.3 * draws.normal(.inputs, 8),
    ]
    for (column, value) in values.enumerated() { inputs[column] = Float(value) }
    return draws.uniform(.label) < comfort(inputs, season) ? 1 : 0
  }

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    let p = comfort(inputs, seasons[moment.concept])
    return [1 - p, p]
  }

  /// p*.
  private func comfort(_ inputs: [Float], _ season: ThermoSeasons.Season) -> Double {
    let (gap, outdoor, power, sun) = (Double(inputs[0]), Double(inputs[1]), Double(inputs[2]), Double(inputs[5]))
    let hours = season.timeConstant * (inputs[6] > 0 ? 0.5 : 1)
    let loss = 0.5 / hours * (outdoor - gap - Double(inputs[7]))
    let sign: Double = season == .summer ? -1 : 1
    return NormalArea.below(sign * (gap + loss + sign * 0.5 * power + 0.3 * sun) / noise)
  }

  /// Gap, power, hour and noise have one law in all seasons. The sun is uniform up to what the hour and the season allow.
  func logDensities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double] {
    let season = seasons[moment.concept]
    let day = ThermoLaw.daylight(cosine: Double(inputs[4]))
    let most = day * season.sunniest
    // Half a float's spacing may lie between the sun as it was drawn and as it stands in the row.
    if Double(inputs[5]) > most + 1e-6 { return [-Double.infinity, -Double.infinity] }
    let outdoor = (Double(inputs[1]) - season.outdoor) / 4
    let setPoint = (Double(inputs[7]) - season.setPoint) / 0.7
    let log =
      -(outdoor * outdoor + setPoint * setPoint) / 2 - (day > 0 ? Elementary.log(season.sunniest) : 0)
      + Elementary.log(inputs[6] > 0 ? season.openWindows : 1 - season.openWindows)
    let p = comfort(inputs, season)
    return [log + Elementary.log(1 - p), log + Elementary.log(p)]
  }

  /// max(0, sin π(hour − 6)/12), which is −cos of the hour's angle while the sun is up.
  private static func daylight(cosine: Double) -> Double { max(0, -cosine) }
}

extension ThermoSeasons.Season {
  /// Mean temperature outdoors, °C.
  var outdoor: Double {
    switch self {
    case .winter: -2
    case .spring: 10
    case .summer: 27
    case .autumn: 12
    }
  }

  /// Mean set-point, °C.
  var setPoint: Double { self == .summer ? 24.5 : 20.5 }
  /// τ with windows closed, in hours.
  var timeConstant: Double { self == .summer ? 30 * 0.12 : 30 }
  var openWindows: Double { self == .summer ? 0.6 : 0.1 }
  /// What the sun adds at most, in units of .3 °C.
  var sunniest: Double { self == .spring || self == .summer ? 1.5 : 0.6 }
}
