/// A net of the benchmark, and its batch.
public struct BenchNet: Sendable {
  public let name: String
  /// Columns of an input row.
  public let inputs: Int
  public let hidden: [Int]
  public let outputs: Int
  /// Rows a step.
  public let batch: Int

  /// From about 300 parameters to 480,000.
  public static let all = [
    BenchNet(name: "tiny", inputs: 10, hidden: [16, 8], outputs: 1, batch: 32),
    BenchNet(name: "small", inputs: 32, hidden: [64, 64], outputs: 8, batch: 32),
    BenchNet(name: "medium", inputs: 784, hidden: [256, 256], outputs: 10, batch: 128),
    BenchNet(name: "large", inputs: 784, hidden: [400, 400], outputs: 10, batch: 128),
  ]

  /// Floating-point operations a step cannot do without: forward, weight gradients, and input gradients of all layers but
  /// the first.
  public var usefulOperations: Double {
    let widths = [inputs] + hidden + [outputs]
    let products = zip(widths, widths.dropFirst()).map { Double($0 * $1) }
    let all = products.reduce(0, +)
    return 2 * Double(batch) * (all + all + (all - products[0]))
  }
}
