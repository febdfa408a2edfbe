extension Metric {
  public static let windowedForgetting = Metric(
    "windowed_forgetting", "Windowed forgetting",
    definition: "mean_j largest drop of the accuracy on task j inside 10 evaluations in a row, from its learning on",
    source: "De Lange et al. 2023 (WF, window 10); 0 where it never drops.", .lower, needs: [.curve]
  ) { R in meanLargestRise(R, sign: -1) }

  public static let windowedPlasticity = Metric(
    "windowed_plasticity", "Windowed plasticity",
    definition: "mean_j largest rise of the accuracy on task j inside 10 evaluations in a row, from its learning on",
    source: "De Lange et al. 2023 (WP, window 10); 0 where it never rises.", .higher, needs: [.curve]
  ) { R in meanLargestRise(R, sign: 1) }
}

private let windowLength = 10

private func meanLargestRise(_ R: Accuracies, sign: Double) -> Double {
  let curve = R.curve
  return mean(0..<R.tasks) { j in
    largestRise(curve.filter { $0.task >= j }.map { sign * $0.accuracy[j] })
  }
}

/// Largest x[q] − x[p] with p ≤ q < p + window.
private func largestRise(_ x: [Double]) -> Double {
  largest(0..<x.count) { p in largest(p..<min(p + windowLength, x.count)) { x[$0] } - x[p] }
}
