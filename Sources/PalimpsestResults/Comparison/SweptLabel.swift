import PalimpsestJSON

/// A label of the experiment file with the settings that tell one configuration of a sweep from others of the same label:
/// `ewc@ewc_strength=10`, as it is also asked for.
package struct SweptLabel: Sendable, Hashable {
  package struct Setting: Sendable, Hashable {
    let name: String
    let value: String
  }

  package let label: String
  package private(set) var settings: [Setting]

  package init(_ label: String, _ settings: [(name: String, value: JSONValue)] = []) {
    self.label = label
    self.settings = settings.map { Setting(name: $0.name, value: $0.value.plainText) }
  }

  /// The same with one more setting.
  func with(_ name: String, _ value: String) -> SweptLabel {
    var label = self
    label.settings.append(Setting(name: name, value: value))
    return label
  }

  package var text: String {
    settings.isEmpty ? label : label + "@" + settings.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
  }

  /// True where `asked` is the label, or the label with some of the settings: each by its column's name or the end of it,
  /// `strength` for `ewc_strength`, with dots and dashes for underscores if one likes.
  func isMeant(by asked: String) -> Bool {
    if asked == label || asked == text { return true }
    guard asked.hasPrefix(label + "@") else { return false }
    return SweptLabel.settings(asked.dropFirst(label.count + 1)).allSatisfy(has)
  }

  private func has(_ asked: Setting) -> Bool {
    let name = String(asked.name.map { $0 == "." || $0 == "-" ? "_" : $0 })
    return settings.contains { ($0.name == name || $0.name.hasSuffix("_" + name)) && $0.value == asked.value }
  }

  /// `a=1,b=[2,3]`: a comma within a value is one that no name and "=" follow.
  private static func settings(_ text: Substring) -> [Setting] {
    text.split(separator: ",", omittingEmptySubsequences: false).reduce(into: []) { settings, piece in
      if let sign = piece.firstIndex(of: "=") {
        settings.append(Setting(name: String(piece[..<sign]), value: String(piece[piece.index(after: sign)...])))
      } else if let last = settings.popLast() {
        settings.append(Setting(name: last.name, value: last.value + "," + piece))
      } else {
        settings.append(Setting(name: String(piece), value: ""))
      }
    }
  }
}

extension [SweptLabel] {
  /// Those that a name means.
  /// - Throws: ``ComparisonError`` where it means none: with the nearest right one, else with all there are.
  func meant(by name: String, _ kind: String, in file: String) throws(ComparisonError) -> [SweptLabel] {
    let meant = filter { $0.isMeant(by: name) }
    if !meant.isEmpty { return meant }
    let ofLabel = filter { name.hasPrefix($0.label + "@") }.map(\.text)
    let known = ofLabel.isEmpty ? Set(map(\.label)).sorted() : ofLabel
    let near = suggestion(for: name, among: known)
    let end = near.isEmpty ? "; there \(known.count == 1 ? "is" : "are") \(known.listed)" : near
    throw ComparisonError(.unknown, "\(file): no \(kind) is called \(quotedForMessage(name))\(end)")
  }
}

extension [String] {
  /// With commas between them; of many the first twenty.
  var listed: String {
    let more = count > 20 ? " and \(count - 20) more" : ""
    return prefix(20).joined(separator: ", ") + more
  }
}

/// What was asked for and cannot be compared.
public struct ComparisonError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// A name that nothing has, or that means too little or too much.
    case unknown
    /// Runs that share no scenario or no seed.
    case unpaired
  }

  public let kind: Kind
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  static func noSharedRun(_ old: MeasuredRuns, _ new: MeasuredRuns) -> ComparisonError {
    ComparisonError(
      .unpaired, "\(old.source) and \(new.source) share no run of the same scenario, strategy and seed")
  }
}
