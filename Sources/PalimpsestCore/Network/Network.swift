/// A network that is computed with: a model, and room for the passes through it.
///
/// All arithmetic on a network goes through here: what comes out of it, its gradients (of any loss or any outputs, summed or row by
/// row, and of its inputs), and the step that changes it. A ``Program`` is the way that rows take through it
/// (``MLP/plainProgram``, or ``EndedExperience/way``).
///
///     var network = ended.network
///     let logits = network.logits(inputs, ended.way)
///     let loss = network.gradient(of: batch, ended.way, into: &gradient) { logits, slope in … }
///
/// It is a value: a copy may be moved elsewhere (`network.model.parameters`) and asked there, and the original does not notice.
/// - Memory: the model's, and for each way in use the activations and derivatives of the largest batch seen. Nothing is allocated
///   in passes of a size that a way has seen.
public struct Network: Sendable {
  public var model: MLP
  /// What its passes have taken so far: forward for rows predicted; forward, weight gradients and what is passed down to them
  /// for rows whose gradient was taken.
  public private(set) var work = Work()
  /// One for each way in use.
  private var passes: [Pass] = []
  /// Of networks that are asked and not trained.
  private var teachers: [Pass] = []
  /// The gradient of one row, for those who ask for each.
  private var rowGradient = FloatBuffer(count: 0)

  /// Rows that go through at a time: enough for the kernels' speed, small enough to stay in the cache.
  public static let block = 256

  public init(_ model: MLP) { self.model = model }

  // MARK: - Ways

  /// The place of a way's pass, made on first use.
  mutating func enter(_ way: Program) -> Int {
    if let index = passes.indices.last(where: { passes[$0].program == way }) { return index }
    passes.append(Pass(way))
    return passes.count - 1
  }

  func program(_ way: Int) -> Program { passes[way].program }

  /// Forgets all ways: their tensors may be others now.
  mutating func leaveWays() {
    passes = []
    teachers = []
  }

  /// The same network without its parameters: what stands in its place while it is lent.
  var shell: Network {
    var model = model
    model.parameters = FloatBuffer(count: 0)
    return Network(model)
  }

  // MARK: - Forward

  /// Logits, rows × outputs of the way.
  public mutating func logits(_ inputs: Matrix, _ way: Program) -> Matrix {
    var result = Matrix(rows: inputs.rows, columns: way.outputs.count)
    forEachBlock(inputs, way) { pass, rows in
      result.copyRows(0..<rows.count, of: pass.logits, toRow: rows.lowerBound)
    }
    return result
  }

  /// Logits by a way that was entered, into room of the caller's. No work is counted.
  mutating func answer(_ inputs: Matrix, at pass: Int, into logits: inout Matrix) {
    logits.reshape(rows: inputs.rows, columns: passes[pass].program.outputs.count)
    for first in stride(from: 0, to: inputs.rows, by: Network.block) {
      let rows = first..<min(first + Network.block, inputs.rows)
      forward(inputs, rows, pass)
      logits.copyRows(0..<rows.count, of: passes[pass].logits, toRow: first)
    }
  }

  /// What enters the way's last layer, rows × its width: the features of core-set selection.
  public mutating func features(_ inputs: Matrix, _ way: Program) -> Matrix {
    activations(inputs, way, of: way.penultimate)
  }

  /// What a slot of the way holds, rows × its width: the activations of a layer (``Program/hiddenSlots``), or what enters it.
  public mutating func activations(_ inputs: Matrix, _ way: Program, of slot: Int) -> Matrix {
    var result = Matrix(rows: inputs.rows, columns: way.widths[slot])
    forEachBlock(inputs, way) { pass, rows in
      result.copyRows(0..<rows.count, of: pass.values(of: slot, inputs, rows: rows), toRow: rows.lowerBound)
    }
    return result
  }

  private mutating func forEachBlock(_ inputs: Matrix, _ way: Program, _ body: (Pass, Range<Int>) -> Void) {
    let index = enter(way)
    for first in stride(from: 0, to: inputs.rows, by: Network.block) {
      let rows = first..<min(first + Network.block, inputs.rows)
      forward(inputs, rows, index)
      work.multiplyAdds += rows.count * way.multiplyAdds
      body(passes[index], rows)
    }
  }

  /// Gives what a teacher says of some rows, rows × its outputs, to `body`, in place.
  mutating func withLogits(of teacher: Teacher, _ inputs: Matrix, _ rows: Range<Int>, _ body: (Matrix) -> Void) {
    let index = place(of: teacher)
    teachers[index].forward(inputs, rows: rows, at: teacher.parameters)
    work.multiplyAdds += rows.count * teacher.way.multiplyAdds
    teachers[index].withLogits { logits, _ in body(logits) }
  }

  /// The place of a teacher's pass, made on first use.
  private mutating func place(of teacher: Teacher) -> Int {
    if let index = teachers.firstIndex(where: { $0.program == teacher.way }) { return index }
    teachers.append(Pass(teacher.way))
    return teachers.count - 1
  }

  // MARK: - Gradients

  /// Adds the gradient of a loss, summed over the rows, to `gradient`, which is as long as the parameters.
  /// - Parameter loss: leaves ∂loss/∂logits in its second argument, whatever that held, and returns its value.
  /// - Returns: the loss.
  public mutating func gradient(
    of inputs: Matrix, _ way: Program, into gradient: inout FloatBuffer, _ loss: (Matrix, inout Matrix) -> Double
  ) -> Double {
    let (index, rows) = (enter(way), 0..<inputs.rows)
    forward(inputs, rows, index)
    let value = passes[index].withLogits(loss)
    backward(inputs, rows, index, into: &gradient, overwriting: false)
    return value
  }

  /// The derivative of a loss with respect to the inputs, rows × columns: through a decoder or a generator, or for a sensitivity.
  /// - Parameter loss: as for ``gradient(of:_:into:_:)``.
  public mutating func inputGradient(
    of inputs: Matrix, _ way: Program, _ loss: (Matrix, inout Matrix) -> Double
  ) -> Matrix {
    let (index, rows) = (enter(way), 0..<inputs.rows)
    forward(inputs, rows, index)
    _ = passes[index].withLogits(loss)
    work.multiplyAdds += rows.count * 2 * way.multiplyAdds
    return passes[index].inputGradient(inputs, rows: rows, at: model.parameters)
  }

  /// Gives the gradient of each row's own loss to `body`, one after the other; it lasts until `body` returns.
  /// - Parameter loss: as for ``gradient(of:_:into:_:)``; a row's logits are to change its own loss alone.
  /// - Cost: the passes of a summed gradient, and as many floats written as there are parameters for each row. Sums of squares or
  ///   magnitudes need none of that: ``RowGradientSums``.
  public mutating func forEachGradient(
    of inputs: Matrix, _ way: Program, _ loss: (Matrix, inout Matrix) -> Double,
    _ body: (_ row: Int, _ gradient: FloatBuffer) -> Void
  ) {
    let (index, rows) = (enter(way), 0..<inputs.rows)
    forward(inputs, rows, index)
    _ = passes[index].withLogits(loss)
    rowGradient.resize(to: model.parameters.count)
    rowGradient.fill(0)
    work.multiplyAdds += rows.count * way.trainingMultiplyAdds
    passes[index].forEachGradient(inputs, rows: rows, at: model.parameters, in: &rowGradient, body)
  }

  // MARK: - The learner's step

  /// What the passes of so many rows take that are trained on a way.
  func trainingWork(of rows: Int, _ way: Int) -> Work {
    Work(multiplyAdds: rows * passes[way].trainingMultiplyAdds)
  }

  /// Counts work that somebody does with what the network has given.
  mutating func charge(_ work: Work) { self.work += work }

  /// Computes what comes out for some rows.
  mutating func forward(_ inputs: Matrix, _ rows: Range<Int>, _ way: Int) {
    passes[way].forward(inputs, rows: rows, at: model.parameters)
  }

  /// Makes room on a way for so many rows, so that fewer allocate nothing.
  mutating func makeRoom(for rows: Int, on way: Program) { passes[enter(way)].makeRoom(for: rows) }

  /// `matrix` becomes what a slot holds since the forward pass of those rows, rows × its width.
  func copyValues(_ way: Int, of slot: Int, _ inputs: Matrix, _ rows: Range<Int>, to matrix: inout Matrix) {
    passes[way].copyValues(of: slot, inputs, rows: rows, to: &matrix)
  }

  /// Gives the logits and the buffer for their derivative to a loss, both in place.
  mutating func withLogits<R>(_ way: Int, _ body: (Matrix, inout Matrix) -> R) -> R { passes[way].withLogits(body) }

  /// Writes or adds the gradient of what is trained on the way, from the derivative that a loss has left.
  mutating func backward(
    _ inputs: Matrix, _ rows: Range<Int>, _ way: Int, into gradient: inout FloatBuffer, overwriting: Bool
  ) {
    work.multiplyAdds += rows.count * passes[way].trainingMultiplyAdds
    passes[way].backward(inputs, rows: rows, at: model.parameters, to: &gradient, overwriting: overwriting)
  }

  /// Takes the step of which `gradient` is the data gradient.
  /// - Parameters:
  ///   - gradient: stays as it is, and so does `trained`; borrowed they would be retained.
  /// - Returns: Σ importance ∘ (θ − anchor)² before the step.
  mutating func take(
    _ step: FusedStep, along gradient: inout FloatBuffer, _ trained: inout TrainedRanges
  ) -> Double {
    step.take(along: &gradient, on: &model.parameters, &trained)
  }

  /// Goes backward and takes the step at once, where all parameters are trained: the weights of wide layers are updated within the
  /// backward pass, each as soon as nothing needs its old value.
  /// - Parameters:
  ///   - gradient: as long as the parameters; overwritten.
  ///   - narrow: all parameters but the weights of wide layers; nil: there are none of those.
  mutating func take(
    _ step: FusedStep, back inputs: Matrix, _ rows: Range<Int>, _ way: Int, in gradient: inout FloatBuffer,
    _ narrow: TrainedRanges
  ) -> Double {
    work.multiplyAdds += rows.count * passes[way].trainingMultiplyAdds
    return passes[way].learn(inputs, rows: rows, on: &model.parameters, in: &gradient, step, narrow)
  }
}
