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
    try column("host", "Machine that ran it", pack.facts.hosts.texts)
    try column("worker", "Process and worker that ran it", pack.facts.workers.texts)
    try column("instruction_set", "Instructions that the kernels used", pack.facts.instructionSets.texts)
    try column("toolkit_version", "Version of the program that ran it", pack.facts.toolkitVersions.texts)
    try column(
      "toolkit_commit", "Commit that the program that ran it was built from", pack.facts.toolkitCommits.texts)
    try column("git_commit", "Commit of the working directory it was run in", pack.facts.gitCommits.texts)
  }
}
