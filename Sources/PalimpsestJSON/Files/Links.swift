import Foundation

/// Symbolic links in the place of a file that a user named.
extension Files {
  /// Where the content of a file lies: at its path, or where the link leads that stands there, even where nothing is yet.
  ///
  /// Results that a link keeps on another disk stay there. A link is followed that belongs to this user, to the superuser
  /// or to the owner of its folder: whoever else may write to the folder cannot make us overwrite a file of ours.
  /// - Throws: ``FileError`` for somebody else's link, and for links that lead in a circle.
  public static func destination(of path: String) throws(FileError) -> String {
    var path = path
    for _ in 0..<40 {
      guard let status = SystemCalls.status(path), status.st_mode & S_IFMT == S_IFLNK else { return path }
      let folder = Paths.parent(of: path)
      let trusted = [geteuid(), 0, SystemCalls.status(folder.isEmpty ? "." : folder)?.st_uid]
      guard trusted.contains(status.st_uid) else {
        throw FileError(.unwritable, "\(path): cannot write: this link belongs to another user and is not followed")
      }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        throw .system(.unwritable, "follow", path)
      }
      path = target.hasPrefix("/") || folder.isEmpty ? target : (folder == "/" ? "" : folder) + "/" + target
    }
    throw .system(.unwritable, "follow", path, ELOOP)
  }
}
