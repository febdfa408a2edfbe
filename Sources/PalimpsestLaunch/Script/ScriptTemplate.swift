import PalimpsestJSON
import PalimpsestRuns

/// A job script with places to fill: how a site adds an engine without code.
///
/// Filled in are `{{results}}`, `{{launch}}`, `{{tasks}}`, `{{last}}` (the last task's number, tasks − 1), `{{cpus}}`, `{{memory}}` (MB),
/// `{{minutes}}` and `{{program}}`. Paths come as words that a POSIX shell takes unchanged, quotes included where they need them.
public struct ScriptTemplate: Sendable {
  private let text: String
  /// What messages call it.
  private let name: String

  public static let placeholders = ["results", "launch", "tasks", "last", "cpus", "memory", "minutes", "program"]

  /// - Parameter name: of a shipped template, or the path of a file.
  /// - Throws: ``PalimpsestJSON/FileError``; ``EngineError`` for a file that is no template.
  public init(_ name: String) throws {
    self.name = name
    if let shipped = ScriptTemplate.shipped[name] {
      text = shipped
      return
    }
    guard Files.exists(name) else {
      let known = ScriptTemplate.shipped.keys.sorted().joined(separator: ", ")
      throw FileError(.missing, "\(visible(name)): there is no such template; those that are shipped are \(known)")
    }
    let bytes = try Files.read(name, atMost: 1 << 20)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EngineError(.strange, "\(visible(name)): a template is a text in UTF-8, and this is none")
    }
    self.text = text
    try check()
  }

  /// A place with another name would stand in the script as it is.
  private func check() throws(EngineError) {
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      guard let end = rest[start.upperBound...].firstRange(of: "}}") else { break }
      let place = String(rest[start.upperBound..<end.lowerBound])
      guard ScriptTemplate.placeholders.contains(place) else {
        let near = suggestion(for: place, among: ScriptTemplate.placeholders)
        throw EngineError(
          .strange,
          "\(visible(name)): nothing is filled in for {{\(visible(place))}}"
            + (near.isEmpty ? "; known are \(ScriptTemplate.placeholders.joined(separator: ", "))" : near))
      }
      rest = rest[end.upperBound...]
    }
  }

  /// The script of a launch.
  /// - Throws: ``EngineError`` for a path that no script can hold.
  public func script(_ work: SubmittedWork) throws(EngineError) -> String {
    let paths = [work.folder.folder, work.record.program]
    for path in paths where path.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
      throw EngineError(
        .refused,
        "\(visible(path)): a path with a line break or another control character cannot stand in a job script; choose another folder"
      )
    }
    let values: [String: String] = [
      "results": shellQuoted(work.folder.folder), "program": shellQuoted(work.record.program),
      "launch": String(work.record.number), "tasks": String(work.record.tasks),
      "last": String(work.record.tasks - 1), "cpus": String(work.needs.cpus),
      "memory": String(work.needs.megabytes), "minutes": String(work.needs.minutes),
    ]
    return filled(values)
  }

  /// In one pass: a path that looks like a place stays what it is.
  private func filled(_ values: [String: String]) -> String {
    var (out, rest) = ("", text[...])
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let place = String(rest[start.upperBound..<end.lowerBound])
      out += rest[..<start.lowerBound] + (values[place] ?? "{{\(place)}}")
      rest = rest[end.upperBound...]
    }
    return out + rest
  }
}
