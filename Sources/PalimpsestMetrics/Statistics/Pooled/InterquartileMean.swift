/// The mean of the middle half: ⌊n/4⌋ values at each end are cut. It forgives outliers as the median does, and varies less.
///
/// - Returns: nil where there are no values.
/// - Source: Agarwal et al. 2021; equals `scipy.stats.trim_mean(x, 0.25)`.
public func interquartileMean(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let cut = values.count / 4
  let middle = values.sorted()[cut..<(values.count - cut)]
  return middle.reduce(0, +) / Double(middle.count)
}

/// Mean of max(0, γ − x): how far runs fall short of γ.
///
/// - Parameter goal: γ, what could be reached; J\* of a scenario, or given.
/// - Returns: nil where there are no values.
/// - Source: Agarwal et al. 2021.
public func optimalityGap(_ values: [Double], goal: Double) -> Double? {
  values.isEmpty ? nil : values.reduce(0) { $0 + max(0, goal - $1) } / Double(values.count)
}

/// Share of runs above each threshold.
///
/// - Returns: one a threshold; empty where there are no values.
/// - Source: the performance profile of Dolan & Moré 2002, as run-score distributions in Agarwal et al. 2021.
public func performanceProfile(_ values: [Double], above thresholds: [Double]) -> [Double] {
  values.isEmpty ? [] : thresholds.map { tau in Double(values.count { $0 > tau }) / Double(values.count) }
}
