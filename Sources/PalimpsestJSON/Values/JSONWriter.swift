extension JSONValue {
  /// Without any whitespace, in the tree's order, numbers as they were written.
  public var compactText: String {
    var out = ""
    appendCompact(to: &out, comma: ",", colon: ":")
    return out
  }

  /// A value in a table: a text without its quotes.
  public var plainText: String { string ?? compactText }

  /// For people: a member a line, two spaces a level; an array of scalars on one line if that fits into 100 columns.
  /// No newline at the end.
  public var prettyText: String {
    var out = ""
    appendPretty(to: &out, indent: "", room: 100)
    return out
  }

  /// The text of anything but an array or object.
  var scalarText: String {
    switch content {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .string(let text): jsonQuoted(text)
    case .array, .object: preconditionFailure("\(kind) is not a scalar")
    }
  }

  private func appendCompact(to out: inout String, comma: String, colon: String) {
    switch content {
    case .array(let elements):
      out.appendList(elements, "[", comma, "]") { $1.appendCompact(to: &$0, comma: comma, colon: colon) }
    case .object(let object):
      out.appendList(object.members, "{", comma, "}") { out, member in
        out += jsonQuoted(member.key) + colon
        member.value.value.appendCompact(to: &out, comma: comma, colon: colon)
      }
    default: out += scalarText
    }
  }

  /// `room` is what is left of the line.
  private func appendPretty(to out: inout String, indent: String, room: Int) {
    let inner = indent + "  "
    let (start, separator, end) = ("\n" + inner, ",\n" + inner, "\n" + indent)
    switch content {
    case .array(let elements):
      if let line = lineOfScalars(room: room) { return out += line }
      out.appendList(elements, "[" + start, separator, end + "]") {
        $1.appendPretty(to: &$0, indent: inner, room: 100 - inner.count)
      }
    case .object(let object) where !object.isEmpty:
      out.appendList(object.members, "{" + start, separator, end + "}") { out, member in
        let key = jsonQuoted(member.key) + ": "
        out += key
        member.value.value.appendPretty(to: &out, indent: inner, room: 100 - inner.count - key.count)
      }
    default: appendCompact(to: &out, comma: ", ", colon: ": ")
    }
  }

  /// `[1, 2, 3]`, if this is an array of scalars short enough for it.
  private func lineOfScalars(room: Int) -> String? {
    guard let array, array.count <= max(room, 0), array.allSatisfy({ $0.array == nil && $0.object == nil }) else {
      return array?.isEmpty == true ? "[]" : nil
    }
    let line = "[" + array.map(\.scalarText).joined(separator: ", ") + "]"
    return line.count <= room ? line : nil
  }
}

extension String {
  /// The items between `open` and `close`, with `separator` between each two.
  mutating func appendList<Items: Sequence>(
    _ items: Items, _ open: String, _ separator: String, _ close: String, item: (inout String, Items.Element) -> Void
  ) {
    self += open
    var isFirst = true
    for element in items {
      if !isFirst { self += separator }
      isFirst = false
      item(&self, element)
    }
    self += close
  }
}
