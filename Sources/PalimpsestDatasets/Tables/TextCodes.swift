/// Numbers for texts, from 0 on in the order of their first appearance.
struct TextCodes {
  private var codes: [String: Int] = [:]
  /// The texts, in the order of their numbers.
  private(set) var texts: [String] = []

  init(_ texts: [String] = []) {
    self.texts = texts
    for (code, text) in texts.enumerated() { codes[text] = code }
  }

  /// The number of a text that has one.
  func known(_ text: String) -> Int? { codes[text] }

  /// The number of a text, which gets the next one where it has none.
  mutating func code(of text: String) -> Int {
    if let code = codes[text] { return code }
    codes[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }
}
