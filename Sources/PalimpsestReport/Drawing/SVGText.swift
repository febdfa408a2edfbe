/// Text as it stands between tags and in attributes of HTML, SVG and XML: nothing in it is taken for markup.
///
/// Control characters and what else XML does not allow become U+FFFD.
package func escaped(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 < 0x20 || [0x22, 0x26, 0x27, 0x3C, 0x3E, 0x7F, 0xEF].contains($0) }) else {
    return text
  }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    case "\n", "\t": result.unicodeScalars.append(scalar)
    case _ where scalar.value < 0x20 || [0x7F, 0xFFFE, 0xFFFF].contains(scalar.value): result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A label that is written from right to left, shut off from the text around it (U+2068, U+2069), so that numbers beside it stay where they
/// are; any other as it is.
package func isolated(_ label: String) -> String {
  let turned: [ClosedRange<UInt32>] = [
    0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
  ]
  let isTurned = label.unicodeScalars.contains { scalar in
    scalar.value >= 0x590 && turned.contains { $0.contains(scalar.value) }
      || [0x202B, 0x202E, 0x2067].contains(scalar.value)
  }
  return isTurned ? "\u{2068}\(label)\u{2069}" : label
}

/// A place on a drawing: one decimal at most, so that drawings are small and the same on every machine.
package func pixels(_ x: Double) -> String {
  guard x.isFinite, abs(x) < 1e9 else { return "0" }
  let tenths = Int((abs(x) * 10).rounded())
  let sign = x < 0 && tenths > 0 ? "-" : ""
  return tenths % 10 == 0 ? "\(sign)\(tenths / 10)" : "\(sign)\(tenths / 10).\(tenths % 10)"
}

/// A label as part of an id or a file's name: lower-case letters, digits and dashes, no two dashes together.
package func slug(_ label: String) -> String {
  var result = ""
  for scalar in label.lowercased().unicodeScalars {
    if scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) {
      result.unicodeScalars.append(scalar)
    } else if !result.isEmpty && !result.hasSuffix("-") {
      result += "-"
    }
  }
  while result.hasSuffix("-") { result.removeLast() }
  return result.isEmpty ? "x" : String(result.prefix(60))
}

/// Slugs of labels, each another one: the second of two that are alike gets a `-2`.
package func slugs(_ labels: [String]) -> [String] {
  var taken: Set<String> = []
  return labels.map { label in
    let plain = slug(label)
    var (name, count) = (plain, 1)
    while !taken.insert(name).inserted {
      count += 1
      name = "\(plain)-\(count)"
    }
    return name
  }
}
