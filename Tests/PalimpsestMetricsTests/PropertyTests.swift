import PalimpsestCore
import PalimpsestMetrics
import Testing

/// Laws that hold for every matrix.
@Suite struct PropertyTests {
  @Test func `names are those of the results, and each is there once`() {
    let names = standardMetrics.map(\.name)
    #expect(Set(names).count == names.count)
    let promised = [
      "average_accuracy", "average_incremental_accuracy", "forgetting", "backward_transfer", "forward_transfer",
      "learning_accuracy", "intransigence", "min_accuracy", "worst_case_accuracy", "normalised_retention",
      "drift_implied_forgetting", "interference", "underfit", "stability_gap", "forgetting_first_last",
      "forgetting_all_rows", "forgetting_divided_by_all", "backward_transfer_all_pairs", "backward_transfer_plus",
      "backward_transfer_divided_by_all", "backward_transfer_consecutive", "forward_transfer_without_baseline",
      "forward_transfer_upper", "average_lower_triangle",
    ]
    #expect(Set(promised).subtracting(names).isEmpty)
    let letters = Set("abcdefghijklmnopqrstuvwxyz_")
    #expect(names.allSatisfy { $0.allSatisfy(letters.contains) })
    #expect(Metric.forgetting.column(.sampled) == "forgetting")
    #expect(Metric.forgetting.column(.expected) == "expected_forgetting")
  }

  @Test(arguments: standardMetrics.indices)
  func `every metric says what it is in one line`(index: Int) {
    let metric = standardMetrics[index]
    #expect(metric.unit == "1")
    for text in [metric.longName, metric.definition, metric.source] {
      #expect(!text.isEmpty && !text.contains("\n"))
    }
    #expect(metric.source.hasSuffix("."))
  }

  @Test func `forgetting is at least minus backward transfer`() {
    for seed in 0..<200 {
      let run = drawn(tasks: 2 + seed % 7, seed: seed)
      let forgetting = number(.forgetting, run)
      #expect(forgetting >= -number(.backwardTransfer, run) - 1e-12)
      #expect(number(.forgettingAllRows, run) >= max(0, forgetting) - 1e-12)
      #expect(close(number(.forgettingFirstLast, run), -number(.backwardTransfer, run)))
    }
  }

  @Test func `variants that differ by their divisor alone differ by that factor`() {
    for tasks in 2...8 {
      let run = drawn(tasks: tasks, seed: 3)
      let factor = Double(tasks - 1) / Double(tasks)
      #expect(close(number(.forgettingDividedByAll, run), factor * number(.forgetting, run)))
      #expect(close(number(.backwardTransferDividedByAll, run), factor * number(.backwardTransfer, run)))
    }
  }

  /// With two tasks there is one pair, and no maximum to take.
  @Test func `two tasks leave one backward transfer and one forgetting`() {
    let run = drawn(tasks: 2, seed: 5)
    let transfer = number(.backwardTransfer, run)
    #expect(close(number(.backwardTransferAllPairs, run), transfer))
    #expect(close(number(.backwardTransferConsecutive, run), transfer))
    #expect(number(.backwardTransferDistantPairs, run) == 0)
    #expect(number(.forgettingWithoutNewest, run) == 0)
    #expect(close(number(.forgetting, run), -transfer))
    #expect(close(number(.forwardTransferUpper, run), number(.forwardTransferWithoutBaseline, run)))
  }

  @Test func `the same accuracy for all tasks at all times neither forgets nor transfers`() {
    let run = record([[Double]](repeating: [0.7, 0.7, 0.7, 0.7], count: 4), untrained: 0.7)
    for metric in standardMetrics where metric.name.contains("forgetting") || metric.name.contains("backward") {
      let value = metric.value(of: run, kind: .sampled)
      #expect(metric.needs.contains(.truth) || metric.needs.contains(.curve) || abs(value.number) < 1e-12, "\(value)")
    }
    #expect(abs(number(.forwardTransfer, run)) < 1e-12)
    #expect(close(number(.averageAccuracy, run), 0.7))
    #expect(close(number(.averageIncrementalAccuracy, run), 0.7))
    #expect(close(number(.averageLowerTriangle, run), 0.7))
  }

  /// Columns of old tasks may be exchanged below the last two diagonals, where only R[T−1, j] and R[j, j] are read: here
  /// the final row and the diagonal are permuted together.
  @Test func `what reads diagonal and last row alone does not see the order of the old tasks`() {
    let run = drawn(tasks: 5, seed: 8)
    var other = run
    let places = [2, 0, 3, 1, 4]
    for (to, from) in places.enumerated() {
      other.accuracy[to, to] = run.accuracy[from, from]
      other.accuracy[4, to] = run.accuracy[4, from]
    }
    for metric in [Metric.averageAccuracy, .learningAccuracy, .backwardTransfer, .forgettingFirstLast] {
      #expect(close(number(metric, run), number(metric, other)))
    }
    #expect(!close(number(.averageIncrementalAccuracy, run), number(.averageIncrementalAccuracy, other)))
  }

  @Test func `zero-shot accuracies change no metric of learned tasks`() {
    let run = drawn(tasks: 4, seed: 9)
    var other = run
    for i in 0..<4 { for j in (i + 1)..<max(i + 1, 4) { other.accuracy[i, j] = .nan } }
    for metric in standardMetrics where !metric.needs.contains(.zeroShot) {
      #expect(metric.value(of: run, kind: .sampled) == metric.value(of: other, kind: .sampled), "\(metric.name)")
    }
  }
}
