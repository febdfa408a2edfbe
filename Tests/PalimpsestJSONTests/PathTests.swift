import PalimpsestJSON
import Testing

@Suite struct PathTests {
  @Test(arguments: [
    ("a/b/c", "a/b", "c"), ("a/b/", "a", "b"), ("a//b", "a", "b"), ("/a/b", "/a", "b"), ("/a", "/", "a"),
    ("//a", "/", "a"), ("/", "/", "/"), ("//", "/", "/"), ("a", "", "a"), ("a/", "", "a"), ("", "", ""),
    (".", "", "."), ("../x", "..", "x"), ("é/ü", "é", "ü"), ("a b/c.h5", "a b", "c.h5"),
  ])
  func `a path is cut at its last slash`(path: String, parent: String, last: String) {
    #expect(Paths.parent(of: path) == parent)
    #expect(Paths.last(of: path) == last)
  }
}
