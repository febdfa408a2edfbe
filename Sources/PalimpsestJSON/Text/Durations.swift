/// `0.4 s`, `5 s`, `3 min 20 s`, `2 h 5 min`. A time before now, by a clock that was set back, is none.
public func duration(_ seconds: Double) -> String {
  guard seconds < 1e9 else { return "a long time" }
  let seconds = max(0, seconds)
  let whole = Int(seconds.rounded())
  if seconds < 9.95 { return "\(oneDecimal(seconds)) s" }
  if whole < 60 { return "\(whole) s" }
  if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
  return "\(whole / 3600) h \(whole % 3600 / 60) min"
}

/// One decimal, rounded to the nearest.
public func oneDecimal(_ x: Double) -> String {
  guard abs(x) < 1e15 else { return "\(x)" }
  let tenths = Int((abs(x) * 10).rounded())
  return (x < 0 && tenths > 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
}
