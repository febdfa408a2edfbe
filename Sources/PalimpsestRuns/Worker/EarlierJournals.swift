import Foundation
import PalimpsestJSON

/// What the holders of a block before this one have done of it: read from their journals, from where these stood when they
/// took it.
struct EarlierJournals: Sendable {
  let folder: String

  /// - Parameter runs: ids of the block.
  /// - Returns: those that have a whole line. A journal that is not there has none.
  func done(of runs: Set<String>, _ earlier: [Lease]) throws -> Set<String> {
    var done: Set<String> = []
    for (journal, offset) in starts(earlier) {
      var place = JournalPlace()
      place.offset = offset
      do throws(FileError) {
        try JournalFile(path: folder + "/" + journal).lines(from: &place) { line, _ in
          if let id = JournalIndex.Entry(whole: line)?.runID, runs.contains(id) { done.insert(id) }
        }
      } catch {
        if error.kind != .missing { throw error }
      }
    }
    return done
  }

  /// Each journal once, from the first place that is named.
  private func starts(_ earlier: [Lease]) -> [String: Int] {
    let known = Set(Lease.journals(of: earlier))
    let named = earlier.filter { known.contains($0.journal) }
    return Dictionary(named.map { ($0.journal, $0.offset) }, uniquingKeysWith: min)
  }
}
