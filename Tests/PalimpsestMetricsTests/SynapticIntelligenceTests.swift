import Foundation
import PalimpsestMetrics
import Testing

/// The raw accuracy matrices of the permuted-MNIST runs of Zenke, Poole & Ganguli 2017 (ten tasks), as far as the files are
/// there: in `PALIMPSEST_DATASETS`, in `datasets`, or beside the package in `shared/data`.
enum PublishedMatrices {
  static let folder: URL? = {
    let package = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["PALIMPSEST_DATASETS"].map { URL(filePath: $0) }
    let places = [named, package.appending(path: "datasets"), package.appending(path: "../shared/data")]
    return places.compactMap { $0?.appending(path: "si-rmatrices") }
      .first { FileManager.default.fileExists(atPath: $0.appending(path: "permuted_mnist_c0.csv").path) }
  }()

  static func record(strength: String) throws -> RunRecord {
    let file = try #require(folder).appending(path: "permuted_mnist_c\(strength).csv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
    return PalimpsestMetricsTests.record(
      try lines.map { try $0.split(separator: ",").map { try #require(Double($0)) } })
  }
}

@Suite(.enabled(if: PublishedMatrices.folder != nil, "the data set si-rmatrices is not there; see datasets/README.md"))
struct SynapticIntelligenceTests {
  static let metrics: [Metric] = [
    .averageAccuracy, .backwardTransfer, .backwardTransferDividedByAll, .forgetting, .learningAccuracy,
    .averageIncrementalAccuracy, .forwardTransferWithoutBaseline,
  ]

  @Test(
    arguments: [
      ("0", [0.574060, -0.453567, -0.408210, 0.453567, 0.982270, 0.758093, 0.090878]),
      ("0.01", [0.919970, -0.068222, -0.061400, 0.068222, 0.981370, 0.944993, 0.104222]),
      ("0.02", [0.939100, -0.046222, -0.041600, 0.046222, 0.980700, 0.962736, 0.093622]),
      ("0.1", [0.969430, -0.011400, -0.010260, 0.011467, 0.979690, 0.977625, 0.087522]),
    ] as [(String, [Double])])
  func `metrics of the authors' own matrices`(strength: String, expected: [Double]) throws {
    let run = try PublishedMatrices.record(strength: strength)
    #expect(run.tasks.count == 10)
    for (metric, value) in zip(Self.metrics, expected) {
      #expect(close(number(metric, run), value, within: 1e-6), "\(metric.name) at c = \(strength)")
    }
  }
}
