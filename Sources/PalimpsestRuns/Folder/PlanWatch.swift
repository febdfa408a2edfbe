import PalimpsestJSON
import Synchronization

/// Somebody has put another plan into a folder while a process worked on its own.
public struct OtherPlanError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file of the other plan.
  public let file: String

  public var description: String {
    "\(file): another process has put another plan here meanwhile. No finished run is lost; run again to go on, with "
      + "another --output where it is another experiment"
  }
}

extension ResultsFolder {
  /// - Parameter generation: the one in which a process has found or put its plan.
  /// - Throws: ``OtherPlanError`` where another plan counts now; ``PalimpsestJSON/FileError``.
  public func checkPlan(isStill generation: Int) throws {
    guard let latest = try generations.last, latest != generation else { return }
    let theirs = planFile(generation: latest)
    if try Files.read(theirs) != (try? Files.read(planFile(generation: generation))) {
      throw OtherPlanError(file: theirs)
    }
  }
}

/// Looks now and then whether the plan that a process works on is still the one that counts.
final class PlanWatch: Sendable {
  private let folder: ResultsFolder
  private let generation: Int
  private let found = Atomic(false)

  init(_ folder: ResultsFolder, generation: Int) {
    self.folder = folder
    self.generation = generation
  }

  /// True once another plan was seen.
  var isReplaced: Bool { found.load(ordering: .relaxed) }

  /// A folder that cannot be read now says nothing new.
  func look() {
    do {
      try check()
    } catch is OtherPlanError {
      found.store(true, ordering: .relaxed)
    } catch {}
  }

  func check() throws { try folder.checkPlan(isStill: generation) }
}
