/// Who has had which work done: each part of a learner what it asked for, the network the rest, the passes of the steps' own rows.
///
/// A part does not name itself. The learner knows whom it calls, and charges what was done meanwhile to that part.
struct Ledger: Sendable, Equatable {
  /// Done elsewhere than in the learner's own network, by whomever; with it all that was done before the learner was restored.
  private(set) var outside = Work()
  /// One a part, in the order of ``ComposedLearner/parts``. Nil: not known, as behind a checkpoint that kept the sum alone.
  private(set) var parts: [Work]?

  init(parts count: Int) { parts = [Work](repeating: Work(), count: count) }

  /// The ledger of a learner whose network has done nothing yet.
  init(outside: Work, parts: [Work]?) {
    self.outside = outside
    self.parts = parts
  }

  /// Charges a part with what it has done by its own means.
  mutating func charge(_ work: Work, to part: Int) {
    outside += work
    parts?[part] += work
  }

  /// Charges a part with what the learner's network has done for it, which the network itself has counted.
  mutating func chargePasses(_ work: Work, to part: Int) { parts?[part] += work }

  /// - Parameter network: what the learner's network has counted.
  func total(with network: Work) -> Work { outside + network }

  /// Why this cannot be the ledger of a learner just restored, of so many parts; nil: it can.
  func problem(parts count: Int) -> String? {
    guard let parts else { return nil }
    guard parts.count == count else { return "the work of \(parts.count) parts instead of \(count)" }
    var rest = outside.multiplyAdds
    for work in parts {
      guard (0...rest).contains(work.multiplyAdds) else {
        return "\(parts.map(\.multiplyAdds)) multiply-adds are no shares of \(outside.multiplyAdds)"
      }
      rest -= work.multiplyAdds
    }
    return nil
  }
}

/// What one part of a learner has cost.
public struct PartCost: Sendable, Equatable, Codable {
  /// `network`, `optimizer`, else the part's name in experiment files.
  public var name: String
  /// Of what it had done; counted as ``LearnerCost/multiplyAdds``.
  public var multiplyAdds: Int
  /// Memory of what it holds now.
  public var bytes: Int

  public init(_ name: String, multiplyAdds: Int = 0, bytes: Int = 0) {
    self.name = name
    self.multiplyAdds = multiplyAdds
    self.bytes = bytes
  }
}

// MARK: - By part

extension ComposedLearner {
  public var cost: LearnerCost {
    let layout = model.layout
    var cost = LearnerCost()
    cost.bytesModel = model.parameterCount * 4
    cost.bytesOptimizer = roles.optimizer.bytes(in: layout)
    cost.bytesImportance = roles.bytesBesideRows(in: layout)
    cost.bytesMemory = (roles.memory?.bytes(in: layout) ?? 0) + bytesOfAllRows
    cost.multiplyAdds = ledger.total(with: network.work).multiplyAdds
    if let charged = ledger.parts { cost.parts = costs(of: cost, charged) }
    return cost
  }

  /// What a bound keeps that trains on the rows of all tasks so far.
  private var bytesOfAllRows: Int {
    guard let task = experiences.last?.index, plan(for: task).rows == .all else { return 0 }
    return experiences.reduce(0) { $0 + $1.rows } * setup.shape.rowBytes
  }

  /// The network's, the optimiser's, and those of the parts: work as it was charged, the rest of it the network's.
  private func costs(of whole: LearnerCost, _ charged: [Work]) -> [PartCost] {
    let layout = model.layout
    let own = whole.multiplyAdds - charged.reduce(0) { $0 + $1.multiplyAdds }
    let parts = zip(roles.parts, charged).map { part, work in
      let rows = part is any Bound ? bytesOfAllRows : 0
      return PartCost(type(of: part).name, multiplyAdds: work.multiplyAdds, bytes: part.bytes(in: layout) + rows)
    }
    return [
      PartCost("network", multiplyAdds: own, bytes: whole.bytesModel),
      PartCost("optimizer", bytes: whole.bytesOptimizer),
    ] + parts
  }
}
