import PalimpsestJSON
import PalimpsestRuns

/// Which task of a launch is which task of which array.
///
/// Slurm gives a number twice where its controller died before it had saved the first job: a job is a launch's by number, name and comment.
struct SlurmJobs: Sendable {
  private let jobs: [String]
  /// What the arrays are called; nil in records that do not say so.
  let name: String?
  /// With what the arrays' comments begin.
  private let token: String?
  /// Number of each array's first task in the launch.
  private let first: [Int]
  private let counts: [Int]

  init(_ arrays: [SlurmArray], name: String, token: String) {
    jobs = []
    (self.name, self.token) = (name, token)
    first = arrays.map(\.first)
    counts = arrays.map(\.count)
  }

  /// Of a record; one without a list of arrays has one array.
  init(_ record: LaunchRecord) {
    jobs = record.jobs
    (name, token) = (record.resources["job_name"]?.string, record.resources["comment"]?.string)
    let listed = record.resources["arrays"]?.array ?? []
    first = jobs.indices.map { listed.indices.contains($0) ? listed[$0]["first"]?.int ?? 0 : 0 }
    counts = jobs.indices.map { listed.indices.contains($0) ? listed[$0]["count"]?.int ?? record.tasks : record.tasks }
  }

  /// Whether an array of that name and comment is the launch's. A cluster may keep no comments, or write its own.
  func isOurs(name: String, comment: String = "") -> Bool {
    guard let own = self.name else { return true }
    return name == own && (!comment.hasPrefix(SlurmScript.tokenStart) || token.map(comment.hasPrefix) ?? true)
  }

  /// The resources of a record with what the arrays are called, and their places.
  func added(to resources: JSONValue) -> JSONValue {
    var object = resources.object ?? JSONObject()
    object["job_name"] = name.map { JSONValue($0) }
    object["comment"] = token.map { JSONValue($0) }
    object["arrays"] = JSONValue(
      zip(first, counts).map { JSONValue(["first": JSONValue($0), "count": JSONValue($1)] as JSONObject) })
    return JSONValue(object)
  }

  /// The number in the launch of an array's task; nil for one of another launch.
  func task(_ job: String, _ index: String) -> Int? {
    guard let array = jobs.firstIndex(of: job), let index = Int(index), (0..<counts[array]).contains(index) else {
      return nil
    }
    return first[array] + index
  }

  /// What Slurm calls a task: `35_2`.
  func job(_ task: Int) -> String? {
    guard let array = first.indices.last(where: { first[$0] <= task }), task < first[array] + counts[array],
      jobs.indices.contains(array)
    else { return nil }
    return "\(jobs[array])_\(task - first[array])"
  }
}
