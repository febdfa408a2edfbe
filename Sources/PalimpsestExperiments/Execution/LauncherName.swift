/// Who starts workers, as `launcher` names it.
public enum LauncherName: Sendable, Equatable {
  /// Nobody: the runs are done in the process itself.
  case none
  case local
  case slurm
  /// A job script made from a template: a file, or the name of one that is shipped.
  case script(String)

  /// - Returns: nil for a name that is none of these.
  public init?(_ text: String) {
    switch text {
    case "none": self = .none
    case "local": self = .local
    case "slurm": self = .slurm
    default:
      guard text.hasPrefix("script:"), text.count > "script:".count else { return nil }
      self = .script(String(text.dropFirst("script:".count)))
    }
  }

  public static let expectation = "\"none\", \"local\", \"slurm\" or \"script:\" and a template"
}

/// What a text of the block must be beside a text.
public enum ExecutionTexts {
  /// Path of a setting, and what is wrong with a text there; nil where nothing is.
  static let rules: [(path: String, problem: @Sendable (String) -> String?)] = [
    ("launcher", { LauncherName($0) == nil ? LauncherName.expectation : nil }),
    ("task.memory", { $0 == "auto" || MemoryAmount($0) != nil ? nil : MemoryAmount.expectation }),
    ("task.time", { $0 == "auto" || TimeLimit($0) != nil ? nil : TimeLimit.expectation }),
    ("slurm.partition", name), ("slurm.account", name), ("slurm.qos", name),
  ]

  /// What is expected of a word that stands behind an option of sbatch; nil where it will do.
  public static let name: @Sendable (String) -> String? = { text in
    let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.value >= 32 }
    return isPlain ? nil : "a name without spaces"
  }

  /// What is expected of one more option of sbatch; nil where it will do. What the launcher itself sets is refused.
  public static let option: @Sendable (String) -> String? = { text in
    guard text.hasPrefix("-"), text.count > 1, !text.unicodeScalars.contains(where: { $0.value < 32 }) else {
      return "an option of sbatch such as \"--constraint=avx2\""
    }
    let ours = ["--array", "-a", "--output", "-o", "--open-mode", "--parsable", "--wrap", "--dependency", "-d"]
    let word = text.prefix { $0 != "=" }
    return ours.contains(String(word)) ? "an option that the launcher does not set itself" : nil
  }
}
