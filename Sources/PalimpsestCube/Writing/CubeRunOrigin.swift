import HDF5

/// When, where and by which program each run was run.
extension CubeWriter {
  func writeStart() throws(HDF5Error) {
    let started = try column(
      "started", "When the run began", units: "seconds since 1970-01-01T00:00:00Z", fill: .nan,
      rows.map { $0.entry.started })
    try started.attributes.set("calendar", "proleptic_gregorian")
  }

  func writeMachines() throws(HDF5Error) {
    try column("host", "Machine that ran it", rows.map { $0.entry.host })
    try column("worker", "Process and worker that ran it", rows.map { $0.entry.worker })
    try column("instruction_set", "Instructions that the kernels used", rows.map { $0.entry.instructionSet })
    try column("toolkit_version", "Version of the program that ran it", rows.map { $0.entry.toolkitVersion })
    try column(
      "toolkit_commit", "Commit that the program that ran it was built from", rows.map { $0.entry.toolkitCommit })
    try column("git_commit", "Commit of the working directory it was run in", rows.map { $0.entry.gitCommit })
  }
}
