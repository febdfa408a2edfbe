import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Synchronization
import Testing

/// Transforms that are projections keep that law too, and one that breaks a law is found.
@Suite struct TransformLawTests {
  @Test func `a-gem is a projection`() {
    #expect(TransformLaws.violations(of: AveragedGradientMemory(), projects: true) == [])
  }

  @Test(arguments: [Float(0.01), 1, 1e4])
  func `a limit on the length shortens once and lengthens nothing`(norm: Float) {
    var clip = GradientClip()
    clip.norm = norm
    #expect(TransformLaws.violations(of: clip, projects: true) == [])
  }

  @Test func `a transform that pushes on once a task has ended is found`() {
    #expect(
      TransformLaws.violations(of: Late()) == [
        "late, binary, task 2: zero does not stay zero", "late, binary, task 2: zero does not stay zero",
        "late, shared, task 2: zero does not stay zero", "late, shared, task 2: zero does not stay zero",
      ])
  }

  @Test func `a transform that knows yes-or-no labels alone is found`() {
    let said = TransformLaws.violations(of: OneOutput())
    #expect(!said.isEmpty && said.allSatisfy { $0.hasPrefix("one-output, shared, ") })
    #expect(said.contains { $0.hasSuffix("finite numbers become 5, or not finite") })
  }

  @Test func `a transform whose copies share what they count is found`() {
    #expect(
      TransformLaws.violations(of: Shared()).contains("shared, binary, task 1: the same gradient gives two results"))
  }

  @Test func `a transform that keeps state beside its encoding is found`() {
    let said = TransformLaws.violations(of: Unsaved())
    #expect(said.first == "unsaved, binary, task 2: read back from its state it gives another result")
  }

  /// Of public toolkits: the else-branch gives the reference gradient; it is added instead of taken out; a share remains.
  @Test(arguments: [
    (Projection.Fault.none, [String]()), (.givesReference, ["zero does not stay zero", "longer than it went in"]),
    (.addsReference, ["longer than it went in"]), (.half, ["a second time it changes what it has projected"]),
  ])
  func `a projection that is none is found`(fault: Projection.Fault, says: [String]) {
    let said = TransformLaws.violations(of: Projection(fault), projects: true)
    for sentence in says { #expect(said.contains { $0.hasSuffix(sentence) }, "\(said)") }
    #expect(said.isEmpty == says.isEmpty)
    // A gradient that is pushed along the reference is still a function of the gradient: only the law of projections sees it.
    if fault == .addsReference || fault == .half { #expect(TransformLaws.violations(of: Projection(fault)) == []) }
  }
}

private struct Late: GradientTransform {
  static let name = "late"
  static let summary = "Pushes every gradient behind the first task."
  static let source = "For tests."
  private var isLate = false

  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) { isLate = true }
  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    if isLate { gradient.update { $0 + 1 } }
  }
}

private struct OneOutput: GradientTransform {
  static let name = "one-output"
  static let summary = "Cuts the gradient of networks with several outputs short."
  static let source = "For tests."

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    if context.experience.outputs.count > 1 { gradient.resize(to: 5) }
  }
}

private struct Shared: GradientTransform {
  static let name = "shared"
  static let summary = "Halves every second gradient of all its copies together."
  static let source = "For tests."
  private static let count = Mutex(0)

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    let isEven = Shared.count.withLock { count in
      count += 1
      return count % 2 == 0
    }
    if isEven { gradient.scale(by: 0.5) }
  }
}

private struct Unsaved: GradientTransform {
  static let name = "unsaved"
  static let summary = "Halves the gradient behind the first task, and does not encode that it does."
  static let source = "For tests."
  private var factor: Float = 1
  private enum CodingKeys: CodingKey {}

  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) { factor = 0.5 }
  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    gradient.scale(by: factor)
  }
}

/// Takes out of a gradient what goes against that of the stored rows, and the ways in which public code has failed to.
struct Projection: GradientTransform {
  enum Fault: String, Codable, Sendable { case none, givesReference, addsReference, half }

  static let name = "projection"
  static let summary = "Averaged gradient episodic memory with a published fault."
  static let source = "For tests."
  private var fault = Fault.none

  init() {}
  init(_ fault: Fault) { self.fault = fault }

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    var reference = FloatBuffer(count: 0)
    guard lender.count > 0 else { return }
    lender.gradient(of: lender.draw(lender.count), into: &reference)
    let along = gradient.dot(reference) / reference.dot(reference)
    if fault == .givesReference, along >= 0 { return gradient = reference }
    let share: Double =
      switch fault {
      case .addsReference: 1
      case .half: -0.5
      default: -1
      }
    if along < 0 { gradient.add(reference, times: Float(share * along)) }
  }
}
