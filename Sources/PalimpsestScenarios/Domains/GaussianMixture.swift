import PalimpsestCore

/// Normal clouds of one spread about several centres, each with a weight.
struct GaussianMixture: Sendable {
  struct Component: Sendable {
    var weight: Double
    var centre: [Double]
  }

  /// Their weights sum to 1.
  let components: [Component]
  let spread: Double

  /// The centre of a row.
  /// - Parameter u: uniform in [0, 1).
  func centre(drawing u: Double) -> [Double] {
    var sum = 0.0
    for component in components {
      sum += component.weight
      if u < sum { return component.centre }
    }
    return components[components.count - 1].centre
  }

  /// ln Σ weight · e^(−|x − centre|² / 2 spread²): the density but for (2π spread²)^(−d/2).
  func logDensity(_ inputs: [Float]) -> Double {
    let logs = components.map { component in
      Elementary.log(component.weight) - squareDistance(inputs, component.centre) / (2 * spread * spread)
    }
    let most = logs.max() ?? 0
    return most + Elementary.log(logs.reduce(0) { $0 + Elementary.exp($1 - most) })
  }
}

/// |x − centre|².
func squareDistance(_ inputs: [Float], _ centre: [Double]) -> Double {
  zip(inputs, centre).reduce(0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) }
}
