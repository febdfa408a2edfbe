import PalimpsestCore

/// Three classes, each a mixture of two of three triangular waves over 21 columns, with standard normal noise, beside 19 columns
/// of noise alone; between concepts columns of the waves change places with those.
///
/// - Rows: 40 columns: u·a + (1 − u)·b + N(0, I), u uniform; (a, b) are the waves 1 and 2, 1 and 3, 2 and 3 for the classes 0, 1, 2.
///   Under concept d the first d columns of the waves stand in the columns 22, 23, … and noise in theirs. (MOA draws where the
///   exchange begins; here it begins with the first.)
/// - Truth: p* in closed form; the waves lie in a plane, so accuracies are integrals over that. Distances are means over a fixed
///   sample.
public struct Waveforms: GeneratorScenario {
  public static let name = "waveform"
  public static let summary =
    "Waveform: three classes of noisy mixed waves, whose columns change places with irrelevant ones."
  public static let source = "Breiman et al. 1984; drift as in MOA's WaveformGeneratorDrift."

  @Parameter(
    "How many columns of the waves stand elsewhere in each task; one may come again.",
    Bounds.within(0...19).count(atLeast: 1))
  public var concepts: [Int] = [0, 5, 10, 15]
  public var rows = GeneratorSettings()

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (concepts.count, 40) }
  public func generator(seed: Seed) -> any ConceptGenerator { WaveformLaw(exchanged: concepts) }
}

struct WaveformLaw: ConceptGenerator {
  /// Columns of the waves that stand elsewhere, one a concept.
  let exchanged: [Int]

  let columns = (1...40).map { "x\($0)" }
  let labels = ["0", "1", "2"]
  var concepts: [String] { exchanged.map { "\($0) exchanged" } }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let label = draws.index(below: 3, .label)
    let u = draws.uniform(.label, 1)
    for place in 0..<40 {
      let wave = place < 21 ? Waves.mixture(of: label, u, at: place) : 0
      inputs[column(of: place, moment.concept)] = Float(wave + draws.normal(.inputs, place))
    }
    return label
  }

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    let shown = (0..<21).map { Double(inputs[column(of: $0, moment.concept)]) }
    return Waves.plane.probabilities(Waves.plane.projection(shown))
  }

  /// The waves' plane has the density of the mixture, all that is across it and behind it that of noise.
  func logDensity(_ inputs: [Float], _ moment: ConceptMoment) -> Double? {
    let shown = (0..<40).map { Double(inputs[column(of: $0, moment.concept)]) }
    let point = Waves.plane.projection(Array(shown[..<21]))
    let density = WavePlane.densities(at: point, Waves.plane.corners).reduce(0, +)
    let across = zip(shown, Waves.waves[0]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } - point.dot(point)
    return Elementary.log(density) - (across + shown[21...].reduce(0) { $0 + $1 * $1 }) / 2
  }

  /// Where a place of the waves, or behind them of the noise, is shown.
  private func column(of place: Int, _ concept: Int) -> Int {
    let count = exchanged[concept]
    if place < 21 { return place < count ? 21 + place : place }
    return place - 21 < count ? place - 21 : place
  }

  var truth: GeneratorTruth { .ofLaw(WaveformTruth(exchanged).truth) }
}

/// The three waves.
enum Waves {
  /// At column i from 0: 6 − |i − peak|, and 0 where that is less.
  static let waves = [6, 14, 10].map { peak in (0..<21).map { Double(max(6 - abs($0 - peak), 0)) } }
  /// Waves that a class mixes.
  static let pairs = [(0, 1), (0, 2), (1, 2)]
  static let plane = WavePlane(waves)

  static func mixture(of label: Int, _ u: Double, at column: Int) -> Double {
    let (a, b) = pairs[label]
    return u * waves[a][column] + (1 - u) * waves[b][column]
  }
}

/// A point of the plane that the waves lie in.
struct PlanePoint: Equatable {
  var x = 0.0
  var y = 0.0

  static func - (a: PlanePoint, b: PlanePoint) -> PlanePoint { PlanePoint(x: a.x - b.x, y: a.y - b.y) }
  func dot(_ other: PlanePoint) -> Double { x * other.x + y * other.y }
}

/// The plane through the three waves. Noise is the same in all directions, so what is across the plane says nothing of the class.
struct WavePlane {
  private let origin: [Double]
  private let basis: [[Double]]
  /// The waves themselves.
  let corners: [PlanePoint]

  init(_ waves: [[Double]]) {
    func difference(_ a: [Double], _ b: [Double]) -> [Double] { zip(a, b).map { $0 - $1 } }
    func unit(_ a: [Double]) -> [Double] {
      let length = dot(a, a).squareRoot()
      return a.map { $0 / length }
    }
    let first = unit(difference(waves[1], waves[0]))
    let second = difference(waves[2], waves[0])
    let along = dot(first, second)
    let (origin, basis) = (waves[0], [first, unit(zip(second, first).map { $0 - along * $1 })])
    (self.origin, self.basis) = (origin, basis)
    corners = waves.map { WavePlane.projection($0, origin, basis) }
  }

  /// - Parameter row: what the 21 columns show.
  func projection(_ row: [Double]) -> PlanePoint { WavePlane.projection(row, origin, basis) }

  /// p*(class | point).
  func probabilities(_ point: PlanePoint) -> [Double] {
    let densities = WavePlane.densities(at: point, corners)
    let sum = densities.reduce(0, +)
    return densities.map { sum > 0 ? $0 / sum : 1.0 / 3 }
  }

  /// ∫₀¹ N(z; b + u (a − b), I) du for each class. With d = a − b, A = d·d, m = (z − b)·d / A:
  /// e^(−½ (|z − b|² − A m²)) A^(−½) [Φ((1 − m) √A) − Φ(−m √A)] / √2π.
  static func densities(at z: PlanePoint, _ corners: [PlanePoint]) -> [Double] {
    Waves.pairs.map { a, b in
      let (way, offset) = (corners[a] - corners[b], z - corners[b])
      let square = way.dot(way)
      if square < 1e-9 { return Elementary.exp(-offset.dot(offset) / 2) / (2 * Double.pi) }
      let length = square.squareRoot()
      let place = offset.dot(way) / square
      let across = max(0, offset.dot(offset) - square * place * place)
      return Elementary.exp(-across / 2) * NormalArea.between(-place * length, (1 - place) * length)
        / (length * (2 * Double.pi).squareRoot())
    }
  }

  private static func projection(_ row: [Double], _ origin: [Double], _ basis: [[Double]]) -> PlanePoint {
    let offset = zip(row, origin).map { $0 - $1 }
    return PlanePoint(x: dot(offset, basis[0]), y: dot(offset, basis[1]))
  }
}

private func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
