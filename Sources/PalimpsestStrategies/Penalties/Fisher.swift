import PalimpsestCore

/// How the diagonal of the Fisher information is measured: shared by the penalties that need it.
///
/// F_i = E_x E_{y ∼ labels} (∂ log p(y | x) / ∂θ_i)², the mean over rows unless `fisherReduction` says otherwise.
///
/// - Memory: while measuring, one double and one float a parameter and one block of activations; nothing is kept.
/// - Source: the four label rules and the three reductions found in public toolkits; they differ by orders of magnitude
///   in λ.
public struct Fisher: ParameterGroup {
  /// Which labels the gradients are taken for.
  public enum Labels: String, ParameterChoice {
    /// Every class, weighed by its probability: the expectation itself.
    case exact
    /// One label a row, drawn from the model.
    case sampled
    /// The row's own label (the "empirical Fisher").
    case empirical
    /// The most probable class.
    case predicted
  }

  /// What is squared.
  public enum Reduction: String, ParameterChoice {
    /// Each row's gradient.
    case sample
    /// The mean gradient of each batch, then the mean over batches: near an optimum that is F divided by the batch
    /// size, and a short last batch counts as much as a full one. With exact labels it is the expectation of that
    /// square: the rows' labels are independent and a row's expected gradient is 0, so only Σ_rows F_row / size²
    /// remains.
    case batch
    /// Each row's gradient, summed over the rows instead of averaged: λ then weighs rows, not tasks.
    case sum
  }

  @Parameter(
    "Labels of the Fisher information: all classes weighed by probability, one drawn, the true, or the predicted one.")
  public var fisherLabels: Labels = .exact
  @Parameter(
    "Whether each row's gradient is squared (their mean, or their sum), or the mean gradient of each batch.")
  public var fisherReduction: Reduction = .sample
  @Parameter("Rows in a batch where fisherReduction is \"batch\".", .count)
  public var fisherBatch: Int = 32
  @Parameter("Rows the Fisher information is measured on, drawn without replacement; null takes all.", .count)
  public var fisherSamples: Int? = nil

  public init() {}

  /// The diagonal for a task that has ended, over the outputs that took part in its loss: one element a parameter, 0
  /// for parameters off the task's way; nil where no row may be revisited. The model is only read.
  ///
  /// - Cost: for a row one forward pass, and one backward pass a label: one, or with exact labels one a class. It is charged
  ///   to the run.
  public func diagonal(_ ended: EndedExperience, using rng: inout Random) -> [Double]? {
    let rows = chosen(ended.data, using: &rng)
    guard rows.count > 0 else { return nil }
    let likelihood = Likelihood(ended, rows)
    var sums = RowGradientSums(ended.network, ended.way, .squares)
    let pick = { (logits: Matrix, first: Int) in
      likelihood.slopes(logits, from: first, fisherLabels, using: &rng)
        .map {
          fisherReduction == .batch && fisherLabels == .exact ? $0.times(1 / Float(logits.rows * logits.rows)) : $0
        }
    }
    switch (fisherReduction, fisherLabels) {
    case (.sample, _), (.sum, _): sums.add(rows, slopes: pick)
    case (.batch, .exact): sums.add(rows, blockRows: fisherBatch, slopes: pick)
    case (.batch, _): sums.addBatched(rows, blockRows: fisherBatch, slopes: pick)
    }
    ended.charge(sums.work)
    let divisor: Double =
      switch fisherReduction {
      case .sample: Double(rows.count)
      case .batch: Double((rows.count + fisherBatch - 1) / fisherBatch)
      case .sum: 1
      }
    return sums.sums.map { $0 / divisor }
  }

  private func chosen(_ data: Rows, using rng: inout Random) -> Rows {
    guard let wanted = fisherSamples, wanted < data.count else { return data }
    var positions = (0..<Int32(data.count)).map { $0 }
    rng.shuffle(&positions, first: wanted)
    return data.selecting(Array(positions[..<wanted]))
  }
}
