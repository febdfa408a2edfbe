import PalimpsestRuns

/// The lines of a job script by which a worker that was killed alone (out of memory, a fault, `kill -9`) is begun anew in its task.
enum RepeatedWorker {
  /// A function of a POSIX shell: `again COMMAND…` runs the command with `--attempt N` behind it until it ends by itself, and returns what
  /// it ended with.
  ///
  /// A signal to the shell is remembered, not passed on: engines send theirs to the worker too. What it waits grows by a second each time,
  /// so that a machine short of memory has time to recover.
  /// - Parameter besides: statuses that tell of a killed worker beside those of a shell.
  static func function(besides: [Int] = []) -> String {
    let killed = (besides + ExitStatus.killed).map(String.init).joined(separator: " | ")
    return """
      # again COMMAND...: a worker that was killed alone is begun anew, at most \(WorkerPlace.mostRestarts) times
      again() {
        attempt=0 ended=
        trap 'ended=yes' TERM INT USR1 USR2
        while :; do
          "$@" --attempt "$attempt" && return
          status=$?
          case $status in \(killed)) ;; *) return "$status" ;; esac
          if [ -n "$ended" ] || [ "$attempt" -ge \(WorkerPlace.mostRestarts) ]; then return "$status"; fi
          attempt=$((attempt + 1))
          sleep "$attempt"
          if [ -n "$ended" ]; then return "$status"; fi
        done
      }
      """
  }
}
