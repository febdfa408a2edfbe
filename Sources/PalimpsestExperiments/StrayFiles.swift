import Foundation

/// What processes left behind that were killed while they replaced a file: `NAME.tmp.<host>.<pid>`.
extension ResultsFolder {
  /// Removes those beside the cube and in the folder.
  public func removeStrayFiles() {
    removeStrayFiles(beside: cube)
    for place in [folder, progressFolder, journalFolder, detailFolder] { removeStrayFiles(in: place) { _ in true } }
  }

  func removeStrayFiles(beside path: String) {
    let name = Paths.last(of: path)
    removeStrayFiles(in: Paths.parent(of: path)) { $0.hasPrefix(name + ".tmp.") }
  }

  func removeStrayFiles(in folder: String, _ isMine: (String) -> Bool) {
    for file in Files.names(in: folder.isEmpty ? "." : folder) where isMine(file) && isStray(file) {
      SystemCalls.unlink(folder.isEmpty ? file : folder + "/" + file)
    }
  }

  /// True for `anything.tmp.<host>.<pid>` of this machine whose process is gone.
  private func isStray(_ file: String) -> Bool {
    guard let mark = file.range(of: ".tmp.", options: .backwards) else { return false }
    let owner = file[mark.upperBound...]
    guard let dot = owner.lastIndex(of: "."), owner[..<dot] == Provenance.hostName,
      let process = Int(owner[owner.index(after: dot)...])
    else { return false }
    return process > 0 && !Processes.isAlive(process)
  }
}
