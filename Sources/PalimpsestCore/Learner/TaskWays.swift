/// The ways that rows of the tasks take, as a learner trains them: each with its place in the network and the outputs that count.
struct TaskWays: Sendable {
  struct Way: Sendable {
    let experience: Int
    /// Its number among the ways.
    let index: Int
    /// Its place in the network, which others may share.
    let place: Int
    /// The columns of its logits that take part in the loss.
    let outputs: Range<Int>
    let firstOutput: Int32
    /// Of its logits.
    let columns: Int
    /// The slot that enters the last layer.
    let penultimate: Int
    /// Some of its layers are wide: ``TaskWays/narrow(_:)``.
    let isWide: Bool
  }

  private var ways: [Way] = []
  /// Of each way.
  private var narrows: [TrainedRanges] = []

  /// A task's way; nil: it is not there yet.
  func way(of experience: Int) -> Way? { ways.first { $0.experience == experience } }

  /// All parameters but the weights of a way's wide layers.
  func narrow(_ way: Way) -> TrainedRanges { narrows[way.index] }

  /// Adds the way of a task, of which `mask` is trained.
  /// - Parameter taking: the scenario's outputs that take part in the task's loss.
  mutating func add(
    _ program: Program, of experience: Int, taking: Range<Int>, _ mask: ParameterMask, to network: inout Network
  ) -> Way {
    let trained = program.training(mask)
    let wide = trained.wideWeights
    let narrow = TrainedRanges(count: network.model.parameters.count, without: wide)
    let way = Way(
      experience: experience, index: ways.count, place: network.enter(trained), outputs: program.columns(of: taking),
      firstOutput: Int32(program.outputs.lowerBound), columns: program.outputs.count, penultimate: program.penultimate,
      isWide: !wide.isEmpty && !narrow.isEmpty)
    ways.append(way)
    narrows.append(narrow)
    return way
  }

  mutating func removeAll() {
    ways = []
    narrows = []
  }
}

extension Program {
  /// The columns of the logits that stand for some of the scenario's outputs.
  func columns(of taking: Range<Int>) -> Range<Int> {
    let (first, columns) = (outputs.lowerBound, taking.clamped(to: outputs))
    return (columns.lowerBound - first)..<(columns.upperBound - first)
  }
}
