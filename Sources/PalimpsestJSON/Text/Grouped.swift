/// A count as people read it: `1,204`.
package func grouped(_ count: Int) -> String {
  let digits = Array(String(count))
  return digits.indices.reduce("") { text, place in
    text + (place > 0 && (digits.count - place) % 3 == 0 ? "," : "") + String(digits[place])
  }
}
