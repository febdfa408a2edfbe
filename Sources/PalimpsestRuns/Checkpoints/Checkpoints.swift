import Foundation
import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics
import Synchronization

/// How runs in hand are saved, and how they go on: `detail/<run_id>.ckpt` is replaced in one step each time and taken away
/// once the run stands in the journal. A checkpoint that is there is used whether or not further ones are asked for.
public struct Checkpoints: Sendable {
  /// Nil: no checkpoints are written, and a run that is asked to stop goes on to its end.
  public var every: CheckpointInterval?
  /// Told what a user should know: a checkpoint that cannot be used or written.
  public var note: @Sendable (String) -> Void

  public init(every: CheckpointInterval? = nil, note: @escaping @Sendable (String) -> Void = { _ in }) {
    self.every = every
    self.note = note
  }

  /// Takes a run to its end, from its checkpoint where there is one.
  ///
  /// - Parameters:
  ///   - id: the run's.
  ///   - stop: asked a few times a second where checkpoints are on: once it says true the run is saved and left.
  ///   - make: the run before its first step.
  /// - Returns: the run at its end; nil where it was stopped.
  /// - Throws: what `make` throws.
  public func execute(
    _ id: String, in output: ResultsFolder, stop: () -> Bool, progress: (RunPosition) -> Void = { _ in },
    make: () throws -> Run
  ) throws -> Run? {
    let path = output.checkpoint(of: id)
    var run = try resumed(id, path, make: make) ?? make()
    var clock = CheckpointClock(every)
    var (pulse, poll) = (Pulse(every: .milliseconds(250)), Pulse(every: .milliseconds(20)))
    var saves = every != nil
    while run.step(&pulse, progress) {
      guard saves else { continue }
      if clock.isDue() { saves = save(run, id, path) }
      if saves && poll.isDue() && stop() && save(run, id, path) { return nil }
    }
    return run
  }

  /// A run in the journal needs no checkpoint.
  public func remove(_ id: String, in output: ResultsFolder) { SystemCalls.unlink(output.checkpoint(of: id)) }

  /// Takes away the checkpoints of finished runs: a kill may have come between the journal's line and the removal.
  public func tidy(_ output: ResultsFolder, finished: Set<String>) {
    for name in (try? Files.names(in: output.detailFolder)) ?? [] where name.hasSuffix(".ckpt") {
      if finished.contains(String(name.dropLast(".ckpt".count))) {
        SystemCalls.unlink(output.detailFolder + "/" + name)
      }
    }
  }

  /// - Returns: nil where there is no checkpoint, or one of no use: the run then begins anew.
  private func resumed(_ id: String, _ path: String, make: () throws -> Run) throws -> Run? {
    guard Files.exists(path) else { return nil }
    var run = try make()
    do {
      try run.restore(Files.read(path), id, path: path)
      return run
    } catch {
      note("\(error). The run begins anew")
      return nil
    }
  }

  /// - Returns: false where the run cannot be saved at all; where the disk is to blame the next attempt may do better.
  private func save(_ run: Run, _ id: String, _ path: String) -> Bool {
    do {
      let bytes = try run.checkpoint(id)
      try Files.makeFolder(Paths.parent(of: path))
      try Files.replace(path, with: bytes)
    } catch let error as FileError {
      note("\(error). The run goes on")
    } catch {
      note("run \(id): no checkpoint can be written: \(error). The run goes on without")
      return false
    }
    return true
  }
}

extension Run {
  /// The whole run as the bytes of a checkpoint.
  /// - Throws: ``PalimpsestSettings/StateError`` where the strategy's learner cannot be saved.
  public func checkpoint(_ id: String) throws -> [UInt8] {
    try StateFile.bytes(.checkpoint, run: id) { try saveState(to: $0) }
  }

  /// Becomes, from a run freshly made with the same arguments, the one that was saved.
  /// - Throws: ``StateFileError``; the run is then not to be used.
  public mutating func restore(_ checkpoint: [UInt8], _ id: String, path: String = "checkpoint") throws {
    var copy = self
    let limits = StateLimits(stream.shape, tasks: mostExperiences)
    try StateFile.read(checkpoint, .checkpoint, run: id, path: path, limits: limits) { try copy.restoreState(from: $0) }
    self = copy
  }
}

extension ResultsFolder {
  public func checkpoint(of run: String) -> String { "\(detailFolder)/\(run).ckpt" }

  public func model(of run: String) -> String { "\(detailFolder)/\(run).model" }
}
