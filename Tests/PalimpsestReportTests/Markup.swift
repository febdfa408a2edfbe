import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A piece of XML as a parser reads it; nil where it is none.
struct XML {
  struct Element {
    let name: String
    let attributes: [String: String]
    /// Of itself and all in it.
    var text = ""
  }

  let elements: [Element]

  init?(_ text: String) {
    let (parser, reader) = (XMLParser(data: Data(text.utf8)), Reader())
    parser.delegate = reader
    guard parser.parse() else { return nil }
    elements = reader.elements
  }

  subscript(name: String) -> [Element] { elements.filter { $0.name == name } }

  private final class Reader: NSObject, XMLParserDelegate {
    var elements: [Element] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      open.append(elements.count)
      elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      for place in open { elements[place].text += text }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      open.removeLast()
    }
  }
}

/// A page's tags in their order, read as a browser reads HTML: what stands in scripts and styles is no markup.
struct HTMLTags {
  struct Tag: Equatable {
    let name: String
    let attributes: [String: String]
    /// `</b>`.
    let closes: Bool
    /// `<path d="…"/>`.
    let isClosedAtOnce: Bool
    /// What stands behind it, up to the next tag.
    let text: String
  }

  let tags: [Tag]

  init(_ page: String) {
    var (tags, rest) = ([Tag](), page[...])
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let inside = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      let raw = ["script", "style"].first { inside == $0 || inside.hasPrefix($0 + " ") }
      let until = raw.flatMap { rest.range(of: "</" + $0)?.lowerBound } ?? rest.firstIndex(of: "<") ?? rest.endIndex
      tags.append(HTMLTags.tag(inside, text: String(rest[..<until])))
      rest = rest[until...]
    }
    self.tags = tags
  }

  private static func tag(_ inside: Substring, text: String) -> Tag {
    let pieces = inside.split(separator: "\"", omittingEmptySubsequences: false)
    let words = pieces[0].split(separator: " ")
    var attributes: [String: String] = [:]
    for place in stride(from: 0, to: pieces.count - 1, by: 2) {
      let name = pieces[place].split(separator: " ").last ?? ""
      attributes[String(name.dropLast())] = plain(String(pieces[place + 1]))
    }
    let name = words.first.map(String.init) ?? ""
    return Tag(
      name: name.hasPrefix("/") ? String(name.dropFirst()) : name, attributes: attributes, closes: name.hasPrefix("/"),
      isClosedAtOnce: inside.hasSuffix("/"), text: text)
  }

  /// Text as it is read: without escapes.
  static func plain(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
  }

  /// Tags that close nothing that is open, or stay open, where there are any.
  var stray: [String] {
    let empty: Set<String> = ["!DOCTYPE", "meta", "input", "link", "br", "hr", "img"]
    var (open, stray) = ([String](), [String]())
    for tag in tags where !empty.contains(tag.name) && !tag.isClosedAtOnce {
      if !tag.closes {
        open.append(tag.name)
      } else if open.last == tag.name {
        open.removeLast()
      } else {
        stray.append("/" + tag.name)
      }
    }
    return stray + open
  }

  var ids: [String] { tags.compactMap { $0.attributes["id"] } }

  /// Text of the blocks of JSON by their ids.
  var blocks: [(id: String, text: String)] {
    tags.filter { $0.attributes["type"] == "application/json" }.map { ($0.attributes["id"] ?? "", $0.text) }
  }

  /// What a reader sees from a tag up to its end.
  func text(from start: Int) -> String {
    var (depth, text) = (0, "")
    for tag in tags[start...] where !tag.isClosedAtOnce {
      depth += tag.closes ? -1 : 1
      if depth == 0 { break }
      text += tag.text
    }
    return HTMLTags.plain(text)
  }
}

/// Fields of CSV as RFC 4180 has it: a quote in a quoted field stands twice.
func csvRows(_ text: String) -> [[String]] {
  var (rows, field, isQuoted) = ([[String]](), "", false)
  rows.append([])
  for character in text + "\n" {
    if character == "\"" { isQuoted.toggle() }
    switch character {
    case "," where !isQuoted, "\n" where !isQuoted:
      rows[rows.count - 1].append(unquoted(field))
      field = ""
      if character == "\n" { rows.append([]) }
    default: field.append(character)
    }
  }
  return rows.dropLast()
}

private func unquoted(_ field: String) -> String {
  guard field.count > 1, field.hasPrefix("\""), field.hasSuffix("\"") else { return field }
  return field.dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "\"")
}
