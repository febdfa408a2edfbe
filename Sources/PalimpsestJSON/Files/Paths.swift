/// Paths as text, cut at their last "/". Nothing is looked up on the disk, and no path is too short.
public enum Paths {
  /// The folder a path lies in: `a/b` of `a/b/c`, `/` of `/a` and of `/`, nothing of `a`. Slashes at the end do not count.
  public static func parent(of path: String) -> String {
    let whole = trimmed(path[...])
    guard let slash = whole.lastIndex(of: "/") else { return "" }
    let folder = trimmed(whole[..<slash])
    return folder.isEmpty ? "/" : String(folder)
  }

  /// What a path names in its folder: `c` of `a/b/c` and of `c/`, `/` of `/`, nothing of nothing.
  public static func last(of path: String) -> String {
    let whole = trimmed(path[...])
    guard let slash = whole.lastIndex(of: "/"), whole.count > 1 else { return String(whole) }
    return String(whole[whole.index(after: slash)...])
  }

  /// Without slashes at the end; one stays where there is nothing else.
  private static func trimmed(_ path: Substring) -> Substring {
    var path = path
    while path.count > 1 && path.last == "/" { path.removeLast() }
    return path
  }
}
