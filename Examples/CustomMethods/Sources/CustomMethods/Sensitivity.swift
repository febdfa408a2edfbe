import Palimpsest

/// Memory aware synapses: Ω(θ) = λ Σ_i w_i (θ_i − θ*_i)², w_i = Σ over tasks of mean_rows |∂‖z(x)‖² / ∂θ_i|.
///
/// It looks at the network at a task's end and takes the gradient of each row by itself.
/// - Memory: two floats a parameter. Time: two multiplications a parameter and step.
public struct Sensitivity: Penalty {
  public static let name = "sensitivity"
  public static let summary = "Holds the weights that the outputs of earlier tasks depend on."
  public static let source = "Aljundi et al., \"Memory aware synapses\", ECCV 2018, with one anchor."

  @Parameter("Strength λ.", .atLeast(0)) public var strength: Float = 1

  private var importance = FloatBuffer(count: 0)
  private var anchor = FloatBuffer(count: 0)

  public init() {}

  public func bytes(in layout: ParameterLayout) -> Int { layout.bytes(of: importance, anchor) }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    guard ended.data.count > 0 else { return }
    let share = 1 / Float(ended.data.count)
    var sums = RowGradientSums(ended.network, ended.way, .magnitudes)
    sums.add(ended.data) { logits, _ in [twice(logits, ended.outputs, share)] }
    ended.charge(sums.work)
    importance.resize(to: sums.sums.count)
    importance.update(with: FloatBuffer(sums.sums.map { Float($0) })) { $0 + $1 }
    anchor = ended.model.parameters
  }

  /// ∂‖z‖² / ∂z = 2 z, over the outputs that took part.
  private func twice(_ logits: Matrix, _ outputs: Range<Int>, _ share: Float) -> RowGradientSums.Slopes {
    var slopes = Matrix(rows: logits.rows, columns: logits.columns)
    for row in 0..<logits.rows { for column in outputs { slopes[row, column] = 2 * logits[row, column] } }
    return RowGradientSums.Slopes(slopes, factors: Array(repeating: share, count: logits.rows))
  }

  public mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    QuadraticPull(importance: importance, anchor: anchor, strength: 2 * strength).add(at: parameters, to: &gradient)
  }
}
