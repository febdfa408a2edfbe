import PalimpsestCore
import Synchronization

/// What judged parts were found to do wrong, each once.
final class Findings: Sendable {
  private let list = Mutex<[String]>([])

  var sentences: [String] { list.withLock { $0 } }

  func add(_ part: String, _ problem: String) {
    let sentence = "\(part): \(problem)"
    list.withLock { list in if !list.contains(sentence) { list.append(sentence) } }
  }
}

/// A part under the eyes of a law: what it gives is judged before the learner gets it. Where it is wrong the finding is noted, and
/// the learner gets something harmless instead: it traps on what parts must never do, and a law is to say who did it.
protocol Judged: StrategyPart {
  associatedtype Inner: StrategyPart
  var inner: Inner { get set }
  var findings: Findings { get }
  init(_ inner: Inner, _ findings: Findings)
}

extension Judged {
  static var name: String { Inner.name }
  static var summary: String { Inner.summary }
  static var source: String { Inner.source }

  init() { self.init(Inner(), Findings()) }
  init(from decoder: any Decoder) throws { self.init(try Inner(from: decoder), Findings()) }
  func encode(to encoder: any Encoder) throws { try inner.encode(to: encoder) }

  mutating func begin(_ experience: ExperienceInfo, _ model: MLP) { inner.begin(experience, model) }
  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) { inner.consolidate(ended, using: &rng) }
  var bytes: Int { inner.bytes }
  func bytes(in layout: ParameterLayout) -> Int { inner.bytes(in: layout) }

  func find(_ problem: String) { findings.add(Inner.name, problem) }

  /// Has a vector changed, and takes the change where it is as long as before.
  func judge(_ vector: inout FloatBuffer, _ what: String, _ change: (inout FloatBuffer) -> Void) {
    var copy = vector
    change(&copy)
    if copy.count == vector.count {
      vector = copy
    } else {
      find("\(vector.count) parameters get \(what) of \(copy.count) elements")
    }
  }
}

extension StrategyPart {
  /// The same part under the eyes of a law; those that a learner cannot trap on as they are.
  func judged(_ findings: Findings) -> any StrategyPart {
    switch self {
    case let part as any Memory: judge(part, findings)
    case let part as any Isolation: judge(part, findings)
    case let part as any Bound: judge(part, findings)
    case let part as any Predictor: judge(part, findings)
    case let part as any WayChooser: judge(part, findings)
    case let part as any Renewal: judge(part, findings)
    case let part as any Penalty: judge(part, findings)
    case let part as any OutputLoss: judge(part, findings)
    case let part as any GradientTransform: judge(part, findings)
    default: self
    }
  }
}

extension Optimizer {
  /// The same optimiser under the eyes of a law.
  func judged(_ findings: Findings) -> any Optimizer { JudgedOptimizer(self, findings) }
}

private func judge(_ part: some Memory, _ findings: Findings) -> any StrategyPart { JudgedMemory(part, findings) }
private func judge(_ part: some Isolation, _ findings: Findings) -> any StrategyPart { JudgedIsolation(part, findings) }
private func judge(_ part: some Bound, _ findings: Findings) -> any StrategyPart { JudgedBound(part, findings) }
private func judge(_ part: some Predictor, _ findings: Findings) -> any StrategyPart { JudgedPredictor(part, findings) }
private func judge(_ part: some WayChooser, _ findings: Findings) -> any StrategyPart { JudgedChooser(part, findings) }
private func judge(_ part: some Renewal, _ findings: Findings) -> any StrategyPart { JudgedRenewal(part, findings) }
private func judge(_ part: some Penalty, _ findings: Findings) -> any StrategyPart { JudgedPenalty(part, findings) }
private func judge(_ part: some OutputLoss, _ findings: Findings) -> any StrategyPart { JudgedLoss(part, findings) }
private func judge(_ part: some GradientTransform, _ findings: Findings) -> any StrategyPart {
  JudgedTransform(part, findings)
}
