/// A word as a shell takes it unchanged.
package func shellQuoted(_ word: String) -> String {
  let isPlain =
    !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=,:+".contains($0)) }
  return isPlain
    ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
