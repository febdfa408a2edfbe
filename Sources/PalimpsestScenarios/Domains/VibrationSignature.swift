import PalimpsestCore

/// What a machine's ten measures are while it is sound, and what a fault adds to them.
struct VibrationSignature: Sendable {
  static let columns = [
    "RMS", "kurtosis", "crest", "band 1", "band 2", "band 3", "band 4", "speed", "load", "temperature",
  ]
  /// Deviation of each measure.
  static let spread = 0.9
  /// |gain|, in deviations of a measure.
  static let length = 1.9

  var base: [Double]
  var gain: [Double]

  private static let bases = [1, 0.5, 0.5, 1, 1, 1, 1, 1, 1, 0.5]
  private static let gains = [1, 0.8, 0.6, 0.3, 0.6, 0.9, 0.4, 0, 0, 0.2]
  private static let bands = 3..<7

  /// A machine drawn by a seed: the bands that a fault shows in are permuted, and each turns its sign with probability .35.
  init(_ seed: Seed) {
    base = VibrationSignature.bases.indices.map {
      1.6 * VibrationSignature.bases[$0] * Quantile.normal(seed.uniform($0, 0, 0))
    }
    gain = VibrationSignature.gains.indices.map {
      VibrationSignature.gains[$0] * Elementary.exp(0.35 * Quantile.normal(seed.uniform($0, 1, 0)))
    }
    var order = Array(gain[VibrationSignature.bands])
    var rng = seed.stream("bands")
    rng.shuffle(&order)
    for (place, band) in zip(VibrationSignature.bands, order) {
      gain[place] = seed.uniform(place, 2, 0) < 0.35 ? -band : band
    }
    let length = gain.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let wanted = VibrationSignature.length * VibrationSignature.spread
    gain = gain.map { $0 * wanted / length }
  }

  /// The signature between this one and another, with wear in [0, 1]: gain (1 + ½ wear) ((1 − wear) gain + wear gain′), and what is sound moves
  /// by `shift`.
  func worn(_ wear: Double, towards other: VibrationSignature, shift: [Double]) -> VibrationSignature {
    var result = self
    result.base = zip(base, shift).map { $0 + wear * $1 }
    result.gain = zip(gain, other.gain).map { (1 + 0.5 * wear) * ((1 - wear) * $0 + wear * $1) }
    return result
  }

  /// Writes a row.
  func draw(_ draws: RowDraws, isFault: Bool, into inputs: inout [Float]) {
    for column in inputs.indices {
      let mean = base[column] + (isFault ? gain[column] : 0)
      inputs[column] = Float(mean + VibrationSignature.spread * draws.normal(.inputs, column))
    }
  }

  /// ln p(x, y) but for (2π .81)⁻⁵. The clouds have one spread, so p* = σ(wᵀx + b).
  /// - Parameter faults: share of rows of label 1.
  func logDensities(_ inputs: [Float], faults: Double) -> [Double] {
    let spread = 2 * VibrationSignature.spread * VibrationSignature.spread
    return [
      Elementary.log(1 - faults) - squareDistance(inputs, base) / spread,
      Elementary.log(faults) - squareDistance(inputs, zip(base, gain).map { $0 + $1 }) / spread,
    ]
  }
}
