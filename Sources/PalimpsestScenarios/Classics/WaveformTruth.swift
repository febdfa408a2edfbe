import PalimpsestCore

/// What is to be known of waveform concepts. Rule j reads noise in the columns that stand elsewhere under k: those between the
/// lesser and the larger number of exchanged ones, and so does k under j.
///
/// Accuracies are integrals over the plane of the waves, by the midpoint rule on squares of side .1: within 5e-4. Distances are means
/// over 16,384 fixed draws: within .01. J* has no such integral and is left out, unless all concepts are one.
struct WaveformTruth {
  let truth: ScenarioTruth

  init(_ exchanged: [Int]) {
    var known: [Range<Int>: Means] = [:]
    func means(_ j: Int, _ k: Int) -> Means {
      let misread = min(exchanged[j], exchanged[k])..<max(exchanged[j], exchanged[k])
      // Nothing is misread wherever that is.
      let key = misread.isEmpty ? 0..<0 : misread
      if let found = known[key] { return found }
      let found = Means(misread: key)
      known[key] = found
      return found
    }
    let all = exchanged.indices.map { j in exchanged.indices.map { means(j, $0) } }
    truth = ScenarioTruth(
      bayesAccuracy: all.indices.map { all[$0][$0].accuracy }, crossAccuracy: all.map { $0.map(\.accuracy) },
      totalVariation: all.map { $0.map(\.variation) }, hellinger: all.map { $0.map(\.hellinger) },
      jointCeiling: Set(exchanged).count == 1 ? all[0][0].accuracy : .nan)
  }

  private struct Means {
    let accuracy: Double
    private(set) var variation = 0.0
    private(set) var hellinger = 0.0

    private static let draws = 16_384

    init(misread: Range<Int>) {
      accuracy = Means.accuracy(misread)
      guard !misread.isEmpty else { return }
      for row in 0..<Means.draws {
        let (p, q) = Means.posteriors(RowDraws(Seed(0x77617665), row: row), misread)
        variation += Distance.totalVariation(p, q) / Double(Means.draws)
        hellinger += Distance.hellinger(p, q) / Double(Means.draws)
      }
    }

    /// p* by the columns as they are, and by a rule that finds noise in some.
    private static func posteriors(_ draws: RowDraws, _ misread: Range<Int>) -> (own: [Double], other: [Double]) {
      let (label, u) = (draws.index(below: 3, .label), draws.uniform(.label, 1))
      let noise = (0..<21).map { draws.normal(.inputs, $0) }
      let shown = noise.indices.map { Waves.mixture(of: label, u, at: $0) + noise[$0] }
      let read = shown.indices.map { misread.contains($0) ? draws.normal(.noise, $0) : shown[$0] }
      let plane = Waves.plane
      return (plane.probabilities(plane.projection(shown)), plane.probabilities(plane.projection(read)))
    }

    /// Under the misreading the waves' corners lie elsewhere in the plane, and the noise about them is the same.
    private static func accuracy(_ misread: Range<Int>) -> Double {
      let seen = Waves.waves.map { wave in
        Waves.plane.projection(wave.indices.map { misread.contains($0) ? 0 : wave[$0] })
      }
      let step = 0.1
      var sum = 0.0
      let (xs, ys) = (steps(seen.map(\.x), step), steps(seen.map(\.y), step))
      for x in xs {
        for y in ys {
          let point = PlanePoint(x: (Double(x) + 0.5) * step, y: (Double(y) + 0.5) * step)
          let answer = bestLabel(Waves.plane.probabilities(point))
          sum += WavePlane.densities(at: point, seen)[answer]
        }
      }
      return sum * step * step / 3
    }

    /// Squares that lie up to six deviations about the corners.
    private static func steps(_ corners: [Double], _ step: Double) -> Range<Int> {
      let (low, high) = (corners.min() ?? 0, corners.max() ?? 0)
      return Int(((low - 6) / step).rounded(.down))..<Int(((high + 6) / step).rounded(.up))
    }
  }
}
