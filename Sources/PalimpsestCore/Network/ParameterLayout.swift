/// Where each tensor lies in the one flat parameter vector. The vector only grows at its end: index i is the same weight for
/// the whole run, so importance taken before a head was added stays valid.
public struct ParameterLayout: Sendable, Equatable, Codable {
  /// One tensor: `rows` × `columns` floats from `offset` on. A bias has one row.
  public struct Block: Sendable, Equatable, Codable {
    public let name: String
    public let offset: Int
    public let rows: Int
    public let columns: Int
    public var count: Int { rows * columns }
    public var range: Range<Int> { offset..<(offset + count) }
  }

  public private(set) var blocks: [Block] = []
  /// Length of the vector. Blocks start at 64-byte boundaries; the gaps hold zeros that never change.
  public private(set) var length = 0

  public init() {}

  /// Parameters proper, without the gaps.
  public var parameterCount: Int { blocks.reduce(0) { $0 + $1.count } }

  /// The layers' weights, in the order of the layers.
  public var weights: [Block] { blocks.filter { !$0.name.hasSuffix(".bias") } }

  /// Units of the hidden layers.
  public var hiddenUnits: Double { weights.dropLast().reduce(0) { $0 + Double($1.columns) } }

  /// Weights and biases of the hidden layers.
  public var hiddenParameters: Double {
    weights.dropLast().reduce(0) { $0 + Double($1.count) + Double($1.columns) }
  }

  /// Weights and biases of one more output layer on top of the last hidden one.
  public func headParameters(outputs: Int) -> Double {
    (Double(weights.last?.rows ?? 0) + 1) * Double(outputs)
  }

  /// Memory of vectors that run along the parameters, in bytes: 4 for each parameter they reach, none for the gaps.
  public func bytes(of vectors: FloatBuffer...) -> Int {
    vectors.reduce(0) { sum, vector in
      blocks.reduce(sum) { $0 + 4 * min(max(vector.count - $1.offset, 0), $1.count) }
    }
  }

  /// A layer's weights, inputs × outputs, and its biases.
  package mutating func addDense(_ name: String, inputs: Int, outputs: Int) -> (weight: Block, bias: Block) {
    (add(name + ".weight", rows: inputs, columns: outputs), add(name + ".bias", rows: 1, columns: outputs))
  }

  @discardableResult
  package mutating func add(_ name: String, rows: Int, columns: Int) -> Block {
    let block = Block(name: name, offset: length, rows: rows, columns: columns)
    blocks.append(block)
    length += (block.count + 15) / 16 * 16
    return block
  }
}
