import PalimpsestCore

/// A camera finds a moving blob: a person, or one of the nuisances that come and go with place and season?
///
/// - Rows: eight measures of a blob, each normal about its component's centre with one spread; a phase mixes other nuisances and shifts
///   the brightness of everything.
/// - Truth: p* is the posterior of a Gaussian mixture; J* is the rule of their mean, weighted by density. Both are exact at a row, and
///   their means are over the test rows of each seed.
public struct CameraAlerts: GeneratorScenario {
  public static let name = "camera-alerts"
  public static let summary =
    "Person or nuisance? What nuisances there are changes with the camera's place and the season."
  public static let source = """
    A law of our own. Nuisances are new sub-classes inside the negative class: over the default phases a perfect tracker forgets \
    .045, the best single rule has .911 of .929.
    """

  /// Where the camera hangs, and when.
  public enum Phase: String, ParameterChoice {
    case gardenSummer = "garden-summer"
    case gardenWinter = "garden-winter"
    case streetSummer = "street-summer"
    case streetWinter = "street-winter"
    case yardAutumn = "yard-autumn"
  }

  @Parameter("Place and season of each task, in order; one may come again.", Bounds.any.count(atLeast: 1))
  public var phases: [Phase] = Phase.allCases
  @Parameter("Share of blobs that are persons.", .within(0.001...0.999)) public var persons: Double = 0.3
  @Parameter("Deviation of every measure about its component's centre.", .within(0.01...100))
  public var spread: Double = 0.9
  public var rows = GeneratorSettings(rowsPerTask: 1200)

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (phases.count, 8) }

  public func generator(seed: Seed) -> any ConceptGenerator {
    CameraLaw(phases: phases, persons: persons, spread: spread)
  }
}

struct CameraLaw: DensityGenerator {
  private let phases: [CameraAlerts.Phase]
  private let persons: Double
  /// One pair a phase.
  private let mixtures: [(nuisance: GaussianMixture, person: GaussianMixture)]

  let columns = [
    "log width", "log height", "log aspect", "log area", "speed", "jitter", "brightness", "edge density",
  ]
  let labels = ["nuisance", "person"]
  var concepts: [String] { phases.map(\.rawValue) }
  var truth: GeneratorTruth { .ofTestRows }

  init(phases: [CameraAlerts.Phase], persons: Double, spread: Double) {
    (self.phases, self.persons) = (phases, persons)
    mixtures = phases.map { phase in
      (
        Blob.mixture(phase.nuisances, brightness: phase.brightness, spread),
        Blob.mixture(Blob.persons, brightness: phase.brightness, spread)
      )
    }
  }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let isPerson = draws.uniform(.label) < persons
    let mixture = isPerson ? mixtures[moment.concept].person : mixtures[moment.concept].nuisance
    let centre = mixture.centre(drawing: draws.uniform(.label, 1))
    for column in inputs.indices {
      inputs[column] = Float(centre[column] + mixture.spread * draws.normal(.inputs, column))
    }
    return isPerson ? 1 : 0
  }

  func logDensities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double] {
    let mixture = mixtures[moment.concept]
    return [
      Elementary.log(1 - persons) + mixture.nuisance.logDensity(inputs),
      Elementary.log(persons) + mixture.person.logDensity(inputs),
    ]
  }
}

/// What a blob can be, by the centre of its eight measures.
enum Blob: CaseIterable {
  case walking, running, carrying, tree, pet, headlights, snow

  static let persons: [(Blob, Double)] = [(.walking, 0.5), (.running, 0.2), (.carrying, 0.3)]

  var centre: [Double] {
    switch self {
    case .walking: [-0.2, 1, 1.2, 0.4, 0.2, 0, 0, 0.5]
    case .running: [0, 0.9, 0.9, 0.5, 1.2, 0.5, 0, 0.6]
    case .carrying: [0.6, 1, 0.5, 0.8, 0, 0, -0.1, 0.8]
    case .tree: [1, 1.4, 0.4, 1.3, -1, 1.2, -0.3, 1.4]
    case .pet: [0.2, -0.6, -0.8, -0.2, 0.9, 0.6, 0, 0.3]
    case .headlights: [1.2, 0.2, -0.9, 0.8, 1, -0.6, 2, -1.2]
    case .snow: [-1, -1, 0, -1, 0.4, 1.2, 1, -0.5]
    }
  }

  static func mixture(_ parts: [(Blob, Double)], brightness: Double, _ spread: Double) -> GaussianMixture {
    GaussianMixture(
      components: parts.map { blob, weight in
        var centre = blob.centre
        centre[6] += brightness
        return GaussianMixture.Component(weight: weight, centre: centre)
      }, spread: spread)
  }
}

extension CameraAlerts.Phase {
  /// Shares of the nuisances.
  var nuisances: [(Blob, Double)] {
    switch self {
    case .gardenSummer: [(.tree, 0.5), (.pet, 0.5)]
    case .gardenWinter: [(.snow, 0.6), (.tree, 0.2), (.headlights, 0.2)]
    case .streetSummer: [(.headlights, 0.7), (.pet, 0.3)]
    case .streetWinter: [(.headlights, 0.4), (.snow, 0.6)]
    case .yardAutumn: [(.tree, 0.5), (.pet, 0.2), (.headlights, 0.3)]
    }
  }

  /// What is added to the brightness of everything.
  var brightness: Double {
    switch self {
    case .gardenSummer, .yardAutumn: 0
    case .gardenWinter: 0.6
    case .streetSummer: -0.4
    case .streetWinter: 0.2
    }
  }
}
