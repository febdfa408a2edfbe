import HDF5

/// When, where and by which program each run was run.
extension CubeWriter {
  func writeStart() throws(HDF5Error) {
    let started = try column(
      "started", "When the run began", units: "seconds since 1970-01-01T00:00:00Z", fill: .nan,
      pack.facts.started)
    try started.attributes.set("calendar", "proleptic_gregorian")
  }

  func writeMachines() throws(HDF5Error) {
    for text in RunText.allCases where text != .error { try write(text) }
  }

  func write(_ text: RunText) throws(HDF5Error) {
    try column(text.rawValue, text.longName, pack.facts.texts(text))
  }
}
