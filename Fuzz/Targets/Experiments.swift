import PalimpsestExperiments
import PalimpsestJSON

/// Experiment files: JSON with comments, then what it asks for.
enum Experiments {
  static let seeds = [small, swept, commented].map { Array($0.utf8) }

  static let small = """
    {
      "format": 1,
      "name": "small",
      "scenarios": { "v": { "name": "habit-phases", "users": 4, "days": 20 } },
      "model": { "hidden": [8] },
      "training": { "epochs": 2, "batch": 16, "optimizer": { "name": "adam", "rate": 0.001 } },
      "strategies": { "naive": [], "both": [{ "name": "ewc", "strength": 10 }, { "name": "reservoir", "capacity": 30 }] },
      "seeds": [1, 2]
    }
    """

  private static let swept = """
    {
      "name": "swept",
      "scenarios": { "v": { "name": "habit-phases" }, "s": { "name": "split", "dataset": "mnist" } },
      "strategies": { "si": [{ "name": "si" }], "joint": [{ "name": "joint" }] },
      "sweep": {
        "grid": { "training.epochs": [1, 2], "strategies.si.si.strength": [0.1, 10] },
        "zip": { "training.batch": [8, 16], "model.hidden": [[8], [8, 4]] }
      },
      "seeds": 2
    }
    """

  private static let commented = #"""
    { "name": "habit-é-\u00e9-\ud83d\ude00", // a label
      "seeds": [1, -2.50e+3, 18446744073709551615, 0.1, 1e-400], /* and
      so on */ "none": null, "": [[], {}, true, false] }
    """#

  static func tryJSON(_ bytes: [UInt8]) throws -> Bool {
    let document = JSONReader.read(bytes, file: "fuzz.json")
    try checkProblems(document, bytes)
    guard let root = document.root, document.problems.isEmpty else { return false }
    try checkTexts(root)
    guard let experiment = try? Experiment.read(bytes, file: "fuzz.json") else { return true }
    try Plans.checkPlan(of: experiment)
    return true
  }

  /// Every problem has a place inside the file.
  private static func checkProblems(_ document: JSONDocument, _ bytes: [UInt8]) throws {
    let end = document.source.place(at: bytes.count)
    try expect(document.root != nil || !document.problems.isEmpty, "neither a tree nor a problem")
    for problem in document.problems {
      guard let place = problem.place else { throw FuzzFault("no place: \(problem)") }
      try expect(place <= end && !problem.message.isEmpty, "\(problem), but the end is \(end)")
    }
  }

  /// Each of a tree's texts reads back as the tree; the canonical one as itself.
  private static func checkTexts(_ root: JSONValue) throws {
    for text in [root.compactText, root.prettyText] {
      try expect(JSONReader.read(text, file: "again.json").root == root, "written again it is another: \(text)")
    }
    let canonical = root.canonicalText
    let again = JSONReader.read(canonical, file: "canonical.json").root
    try expect(again?.canonicalText == canonical, "the canonical form of \(canonical) is another")
  }
}
