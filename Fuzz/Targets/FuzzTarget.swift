/// A reader of something that comes from outside, for fuzzers to break.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case json, journal, plan, idx, gzip, csv, checkpoint, model

  /// Tries one input.
  ///
  /// - Returns: true where the reader took it. What it took and wrote again must read back as the same.
  /// - Throws: ``FuzzFault`` where it did not. A reader that refuses an input with its own error did well.
  public typealias Trial = ([UInt8]) throws -> Bool

  /// - Throws: where what all inputs need, such as a folder, cannot be made.
  public func makeTrial() throws -> Trial {
    switch self {
    case .json: Experiments.tryJSON
    case .journal: Journals.tryLine
    case .plan: Plans.tryPlan
    case .idx: try Tables().tryImages
    case .gzip: try Tables().tryPacked
    case .csv: try Tables().tryTable
    case .checkpoint: try SmallRun().tryCheckpoint
    case .model: try SmallRun().tryModel
    }
  }

  /// Inputs that the program itself writes: a fuzzer begins with these, and what they are follows the formats by itself.
  public func seeds() throws -> [[UInt8]] {
    switch self {
    case .json: Experiments.seeds
    case .journal: Journals.seeds
    case .plan: try Plans.seeds()
    case .idx: Tables.imageSeeds
    case .gzip: Tables.packedSeeds
    case .csv: Tables.textSeeds
    case .checkpoint: try SmallRun().checkpoints()
    case .model: try SmallRun().models()
    }
  }
}

/// What a reader did with an input that it must not do.
public struct FuzzFault: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// - Throws: ``FuzzFault`` unless `holds`.
func expect(_ holds: Bool, _ fault: @autoclosure () -> String) throws {
  if !holds { throw FuzzFault(fault()) }
}
