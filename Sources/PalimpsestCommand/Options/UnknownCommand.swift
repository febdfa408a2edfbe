import Palimpsest

/// A first word that names no command.
enum UnknownCommand {
  /// - Returns: what was meant, or which commands there are; nil where nothing is wrong with the word.
  static func problem(_ arguments: [String]) -> UsageError? {
    guard let word = arguments.first, !word.hasPrefix("-"), !known.contains(word) else { return nil }
    return UsageError("no command is called \"\(word)\"" + hint(word))
  }

  private static let known =
    Root.configuration.subcommands.flatMap { command in
      [command.configuration.commandName].compactMap { $0 } + command.configuration.aliases
    } + ["help"]

  private static func hint(_ word: String) -> String {
    if word.hasSuffix(".json") { return "; to run an experiment file: palimpsest run \(shellQuoted(word))" }
    let near = suggestion(for: word, among: known)
    return near.isEmpty ? "; the commands are \(known.joined(separator: ", "))" : near
  }
}
