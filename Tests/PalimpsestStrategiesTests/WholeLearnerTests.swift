import Foundation
import PalimpsestCore
import PalimpsestTesting
import Testing

/// The example of docs/strategies.md, word for word.
@Suite struct WholeLearnerTests {
  @Test func `a whole learner keeps the laws and is saved by being Codable`() {
    #expect(LearnerLaws.violations(of: [Constant()]) == [])
    #expect(CheckpointLaws.violations(of: [Constant()]) == [])
  }

  @Test func `a learner that cannot be saved is told by a StateError`() {
    let violations = CheckpointLaws.violations(of: [Unsaved()])
    #expect(violations.count == 3 && violations.allSatisfy { $0.hasSuffix("UnsavedLearner is not Codable") })
  }

  @Test func `the example of the documentation is the one tested here`() throws {
    let file = URL(fileURLWithPath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/strategies.md"), encoding: .utf8)
    let block = try #require(page.components(separatedBy: "```swift\nimport Palimpsest\n\n").last)
    let example = try #require(block.components(separatedBy: "\n```").first)
    #expect(try String(contentsOf: file, encoding: .utf8).contains(example))
  }
}

public struct Constant: WholeLearner {
  public static let name = "constant"
  public static let summary = "Answers with the untrained network."
  public static let source = "For illustration."

  public init() {}

  public func makeLearner(_ setup: LearnerSetup) -> any Learner { ConstantLearner(network: setup.makeModel()) }
}

struct ConstantLearner: Learner, Codable {
  var network: MLP

  mutating func begin(_ experience: ExperienceInfo) {}
  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    StepReport(loss: 0, penalty: 0, rows: batch.count)
  }
  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix { network.logits(inputs, network.plainProgram) }
  func predictableOutputs(knowing experience: Int?) -> Range<Int> { network.plainProgram.outputs }
  var isFinite: Bool { true }
  var cost: LearnerCost {
    var cost = LearnerCost()
    cost.bytesModel = network.parameterCount * 4
    return cost
  }
}

/// The same, but for its state.
private struct Unsaved: WholeLearner {
  static let name = "unsaved"
  static let summary = "Cannot be saved."
  static let source = "For tests."

  func makeLearner(_ setup: LearnerSetup) -> any Learner {
    UnsavedLearner(inner: ConstantLearner(network: setup.makeModel()))
  }
}

private struct UnsavedLearner: Learner {
  var inner: ConstantLearner

  mutating func begin(_ experience: ExperienceInfo) {}
  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport { inner.learn(batch, context) }
  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix { inner.predict(inputs, knowing: experience) }
  func predictableOutputs(knowing experience: Int?) -> Range<Int> { inner.predictableOutputs(knowing: experience) }
  var isFinite: Bool { true }
  var cost: LearnerCost { inner.cost }
}
