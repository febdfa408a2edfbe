import Palimpsest

/// An estimate, or why there is none.
enum EstimateResult {
  case estimate(Estimate)
  case none(String)

  /// - Throws: ``PreparationError`` where no run could begin either: a network does not fit in memory.
  init(_ summary: PlanSummary, jobs: Int) throws {
    do {
      self = .estimate(
        try Estimate(
          summary, PalimpsestTool.catalog, library: DatasetFolder.standard(), jobs: jobs, calibrations: .standard()))
    } catch let error as PreparationError {
      throw error
    } catch {
      self = .none(String(describing: error))
    }
  }

  var text: String {
    switch self {
    case .none(let reason): "no estimate: " + reason
    case .estimate(let estimate) where estimate.runsLeft == 0: "nothing is left to run"
    case .estimate(let estimate):
      "about \(duration(estimate.seconds)) and \(estimate.bytes >> 20) MiB with --jobs \(estimate.jobs), "
        + estimate.basisText
    }
  }

  var json: JSONValue {
    switch self {
    case .estimate(let estimate): estimate.json
    case .none(let reason): ["problem": JSONValue(reason)]
    }
  }
}

extension ResultsFolder {
  /// Seconds of the runs the journal holds, by id; NaN where a run did not complete.
  func finishedSeconds() throws -> [String: Double] {
    Dictionary(
      try journal().entries.map { ($0.runID, $0.record.status == .completed ? $0.record.cost.timeTotal : .nan) }
    ) { first, _ in first }
  }
}

extension Estimate {
  /// What the numbers rest on.
  fileprivate var basisText: String {
    let finished = pairs.count { if case .finished = $0.basis { true } else { false } }
    let probed = pairs.count { if case .probe = $0.basis { true } else { false } }
    let others = pairs.count - finished - probed
    var words: [String] = []
    if finished > 0 { words.append("\(finished) by finished runs") }
    if probed > 0 { words.append("\(probed) by the first steps of a run") }
    if others > 0 { words.append("\(others) taken to be like those") }
    return "judged from " + counted(pairs.count, "pair") + " of scenario and strategy: " + words.joined(separator: ", ")
  }

  fileprivate var json: JSONValue {
    [
      "seconds": JSONValue(seconds), "preparationSeconds": JSONValue(preparationSeconds), "bytes": JSONValue(bytes),
      "jobs": JSONValue(jobs),
      "pairs": JSONValue(
        pairs.map { pair in
          [
            "scenario": JSONValue(pair.scenario), "strategy": JSONValue(pair.strategy),
            "secondsPerRun": JSONValue(pair.secondsPerRun), "basis": JSONValue(pair.basis.word),
          ]
        }),
    ]
  }
}

extension Estimate.Basis {
  fileprivate var word: String {
    switch self {
    case .finished: "finished"
    case .probe: "probe"
    case .others: "others"
    }
  }
}
