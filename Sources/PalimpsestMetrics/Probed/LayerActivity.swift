import PalimpsestCore

/// What the units of one layer say of some rows, and what that says of the layer.
///
/// - Memory: a float a row and unit, a double a pair of units.
/// - Cost: rows × units² for the products, units³ for singular values.
/// - Source: Sokar et al. 2023 (dormant units); Roy & Vetterli 2007 (effective rank); Kornblith et al. 2019 (linear CKA).
public struct LayerActivity: Sendable, Equatable {
  /// A unit is dormant whose mean size is at most so much of the layer's.
  public static let dormancy = 0.025

  public let units: Int
  /// Row by row.
  public let values: [Float]
  /// HᵀH, units × units.
  private let products: [Double]
  /// Σ over rows of h, one a unit.
  private let totals: [Double]

  /// - Parameter values: rows × units, row by row.
  /// - Returns: nil where there is no unit or no row, where numbers are left over, or one is not finite.
  public init?(_ values: [Float], units: Int) {
    guard units > 0, !values.isEmpty, values.count.isMultiple(of: units), values.allSatisfy(\.isFinite) else {
      return nil
    }
    self.units = units
    self.values = values
    products = crossProducts(values, units, values, units)
    totals = LayerActivity.sums(values, units) { $0 }
  }

  public var rows: Int { values.count / units }

  /// Share of units with mean |h| ≤ ``dormancy`` × the layer's mean of it.
  public var dormantShare: Double {
    let sizes = LayerActivity.sums(values, units, abs)
    let least = LayerActivity.dormancy * sizes.reduce(0, +) / Double(units)
    return Double(sizes.count { $0 <= least }) / Double(units)
  }

  /// Share of units that are above 0 on no row.
  public var deadShare: Double {
    Double(LayerActivity.sums(values, units) { $0 > 0 ? 1 : 0 }.count { $0 == 0 }) / Double(units)
  }

  /// e^(−Σ s̄ ln s̄), s̄ the singular values of H over their sum; columns are not centred. NaN where all are 0.
  public var effectiveRank: Double {
    let values = singularValues
    let sum = values.reduce(0, +)
    let entropy = values.reduce(0.0) { $1 > 0 ? $0 - $1 / sum * Elementary.log($1 / sum) : $0 }
    return sum > 0 ? Elementary.exp(entropy) : .nan
  }

  /// ‖H‖² / s₁². NaN where all are 0.
  public var stableRank: Double {
    let squares = singularValues.map { $0 * $0 }
    return squares.reduce(0, +) / (squares.max() ?? .nan)
  }

  /// Linear CKA with what other units, or the same ones at another time, say of the same rows: ‖YᵀX‖² / (‖XᵀX‖ ‖YᵀY‖), columns centred. 1 for
  /// any rotation and scale; NaN where one of the two is the same for all rows.
  /// - Precondition: as many rows.
  public func similarity(to other: LayerActivity) -> Double {
    precondition(rows == other.rows, "\(rows) rows beside \(other.rows)")
    let across = norm(centred(crossProducts(values, units, other.values, other.units), other))
    let (own, others) = (norm(centred(products, self)), other.norm(other.centred(other.products, other)))
    return across * across / (own * others)
  }

  /// Σ over rows of f(h), one a unit.
  private static func sums(_ values: [Float], _ units: Int, _ f: (Float) -> Float) -> [Double] {
    var sums = [Double](repeating: 0, count: units)
    for first in stride(from: 0, to: values.count, by: units) {
      for unit in 0..<units { sums[unit] += Double(f(values[first + unit])) }
    }
    return sums
  }

  /// XᵀY − n x̄ȳᵀ of XᵀY; what rounding leaves of nothing is 0.
  private func centred(_ products: [Double], _ other: LayerActivity) -> [Double] {
    products.indices.map { place in
      let means = totals[place / other.units] * other.totals[place % other.units] / Double(rows)
      let rest = products[place] - means
      return abs(rest) <= 1e-13 * abs(means) ? 0 : rest
    }
  }

  private func norm(_ matrix: [Double]) -> Double { matrix.reduce(0) { $0 + $1 * $1 }.squareRoot() }

  /// Roots of the eigenvalues of HᵀH that rounding does not explain.
  private var singularValues: [Double] {
    let values = symmetricEigenvalues(products, units)
    let noise = (values.max() ?? 0) * Double(units) * Double.ulpOfOne
    return values.map { $0 > noise ? $0.squareRoot() : 0 }
  }
}
