import Foundation
import PalimpsestJSON

/// What processes left behind that were killed while they replaced a file: `NAME.tmp.<host>.<pid>.<random>`.
extension ResultsFolder {
  /// Removes those beside the cube and in the folder.
  public func removeStrayFiles() {
    removeStrayFiles(beside: (try? Files.destination(of: cube)) ?? cube)
    for place in [folder, progressFolder, journalFolder, detailFolder] { removeStrayFiles(in: place) { _ in true } }
  }

  func removeStrayFiles(beside path: String) {
    let name = Paths.last(of: path)
    removeStrayFiles(in: Paths.parent(of: path)) { $0.hasPrefix(name + ".tmp.") }
  }

  func removeStrayFiles(in folder: String, _ isMine: (String) -> Bool) {
    guard let names = try? Files.names(in: folder.isEmpty ? "." : folder) else { return }
    for file in names where isMine(file) && isStray(file) {
      SystemCalls.unlink(folder.isEmpty ? file : folder + "/" + file)
    }
  }

  /// True for `anything.tmp.<host>.<pid>.<random>` of this machine whose process is gone; earlier versions had no random
  /// part.
  private func isStray(_ file: String) -> Bool {
    guard let mark = file.range(of: ".tmp.", options: .backwards) else { return false }
    let owner = file[mark.upperBound...].split(separator: ".", omittingEmptySubsequences: false)
    guard (2...3).contains(owner.count), owner[0] == Provenance.hostName, let process = Int(owner[1]) else {
      return false
    }
    return process > 0 && !Processes.isAlive(process)
  }
}
