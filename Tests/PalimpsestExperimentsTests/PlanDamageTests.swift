import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestTesting
import Testing

extension StoredPlan {
  /// The file as format 2 had it, without a checksum.
  var unsealed: [UInt8] {
    let body = text.components(separatedBy: ",\n\"sha256\":")[0]
    return Array((body.replacingOccurrences(of: "{\"format\":3,", with: "{\"format\":2,") + "}\n").utf8)
  }
}

/// Bits that fall over in files on which the meaning of results hangs.
@Suite struct PlanDamageTests {
  static let flips = Tier.slow ? 1000 : 200

  func plan() throws -> StoredPlan {
    var plan = try StoredPlan(
      Plan(
        Fixture.small(
          strategies: #""naive": [], "e": [{ "name": "ewc" }], "r": [{ "name": "reservoir", "capacity": 20 }]"#,
          #""seeds": [5, 3]"#, #""question": "Why “é”?""#,
          #""sweep": { "grid": { "strategies.e.ewc.strength": [1, 2.5] } }"#)))
    plan.overrides = ["training.epochs=2"]
    plan.selection = ["criterion": "forgetting"]
    for i in plan.configurations.indices { plan.configurations[i].positions = [2 * i + 1, 2 * i] }
    return plan
  }

  /// Calls `check` with copies in which one bit each has fallen over.
  func flip(_ bytes: [UInt8], _ seed: UInt64, _ check: ([UInt8], Int) throws -> Void) rethrows {
    var rng = Seed(seed).stream("flips")
    for _ in 0..<Self.flips {
      var damaged = bytes
      let place = rng.index(below: bytes.count)
      damaged[place] ^= 1 << UInt8(rng.index(below: 8))
      try check(damaged, place)
    }
  }

  @Test func `a bit that falls over in a plan is always seen`() throws {
    let whole = try plan().json
    #expect(throws: Never.self) { try StoredPlan(whole, file: "") }
    flip(whole, 1) { damaged, place in
      #expect(throws: Problems.self, "bit of byte \(place)") { try StoredPlan(damaged, file: "plan.json") }
    }
  }

  @Test func `a plan that was cut or written by hand is refused`() throws {
    let whole = try plan().json
    for length in stride(from: 0, to: whole.count, by: 7) {
      #expect(throws: Problems.self) { try StoredPlan(Array(whole[..<length]), file: "plan.json") }
    }
    let edited = String(decoding: whole, as: UTF8.self).replacingOccurrences(of: "2.5", with: "3.5")
    let error = #expect(throws: Problems.self) { try StoredPlan(Array(edited.utf8), file: "plan.json") }
    #expect(error?.description.contains("this plan is damaged: its checksum is not that of its content.") == true)
    let pretty = try JSONReader.read(whole, file: "").value().prettyText
    let reformatted = #expect(throws: Problems.self) { try StoredPlan(Array(pretty.utf8), file: "plan.json") }
    #expect(reformatted?.description.contains("this plan is damaged: its checksum is gone.") == true)
  }

  /// Without a checksum labels, texts and paths may change unseen, and what this program does not know; lists never get
  /// shorter, seeds are those of the run ids, and columns those of the settings.
  @Test func `a bit that falls over in a plan of format 2 shortens no list and renames no column`() throws {
    let plan = try plan()
    var (read, refused) = (0, 0)
    flip(plan.unsealed, 2) { damaged, place in
      guard let other = try? StoredPlan(damaged, file: "") else { return refused += 1 }
      read += 1
      #expect(other.seeds == plan.seeds && other.configurations.map(\.runIDs) == plan.configurations.map(\.runIDs))
      #expect(other.columns.map(\.name) == plan.columns.map(\.name), "byte \(place)")
      #expect(Set(other.runs.map(\.index)).count == 8)
    }
    #expect(refused > 0 && read > 0)
  }

  @Test(arguments: [
    ("\"seeds\":[5,3]", "\"seeds\":[5,\"3\"]"), ("\"seeds\":[5,3]", "\"seeds\":[5,4]"),
    ("[\"training.epochs=2\"]", "[\"training.epochs=2\",7]"), ("\"kind\":\"integer\"", "\"kind\":\"intege2\""),
    ("\"help\":\"", "\"help\":1,\"h\":\""), ("[\"numerics\",1]", "[\"numerisc\",1]"),
    ("\"strength\":2.5", "\"strength\":3.5"), ("\"capacity\":20", "\"capacitz\":20"),
    (",[1,0]]", ",[1,1]]"), (",[1,0]]", ",[1]]"), (",[1,0]]", ",[1,\"0\"]]"), ("[0,1,2,3,4,5]", "[0,1,2,3,4,4]"),
  ])
  func `an element that is not as it should be is not left out of a plan of format 2`(
    right: String, wrong: String
  ) throws {
    let text = String(decoding: try plan().unsealed, as: UTF8.self)
    let range = try #require(text.range(of: right))
    #expect(throws: Never.self) { try StoredPlan(Array(text.utf8), file: "") }
    let damaged = text.replacingCharacters(in: range, with: wrong)
    let error = #expect(throws: Problems.self) { try StoredPlan(Array(damaged.utf8), file: "plan.json") }
    #expect(error?.description.hasPrefix("plan.json: this plan is damaged: ") == true)
  }

  /// Strength 3.5 under a checksum that somebody has worked out anew.
  @Test func `settings that are not those of the run ids are refused with a checksum too`() throws {
    var text = try plan().text.components(separatedBy: "\"sha256\":")[0]
    text = text.replacingOccurrences(of: "\"strength\":2.5", with: "\"strength\":3.5")
    let error = #expect(throws: Problems.self) {
      try StoredPlan(SealedJSON.sealed(Array(text.utf8)), file: "plan.json")
    }
    #expect(
      error?.description.hasPrefix(
        "plan.json: this plan is damaged: the settings of \"small\", \"e\" are not those of the run ids beside them. ")
        == true)
  }

  /// A later version may have changed a part, and another program has others: their ids cannot be worked out here.
  @Test(arguments: [
    ("{\"name\":\"ewc\",\"revision\":2", "{\"name\":\"ewc\",\"revision\":1"),
    ("{\"name\":\"ewc\",\"revision\":2", "{\"name\":\"ewd\",\"revision\":2"),
    ("[\"numerics\",1]", "[\"numerics\",0]"), ("\"strength\":2.5", "\"strength\":-2.5"),
  ])
  func `what this program has otherwise is passed over`(mine: String, theirs: String) throws {
    var text = try plan().text.components(separatedBy: "\"sha256\":")[0]
    text = text.replacingOccurrences(of: mine, with: theirs)
    #expect(throws: Never.self) { try StoredPlan(SealedJSON.sealed(Array(text.utf8)), file: "plan.json") }
  }

  @Test func `the plan of every experiment that ships has the ids of its settings`() throws {
    let folder =
      URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/Experiments"
    let names = try Files.names(in: folder).filter { $0.hasSuffix(".json") && !$0.contains("schema") }
    #expect(names.count > 5)
    for name in names {
      let experiment = try Experiment.read(Files.read(folder + "/" + name), file: name)
      let plan = try StoredPlan(Plan(experiment.overridden(by: Overrides(seeds: "2"))))
      #expect(plan.firstWrong(isSealed: false) == nil, "\(name)")
    }
  }

  @Test func `a bit that falls over in a journal costs its line or joins two, and is always told`() throws {
    let folder = try TemporaryFolder()
    let entries = (0..<8).map { entry("run \($0)", accuracy: Double($0) / 8) }
    let lines = entries.map(\.line)
    flip(lines.reduce([], +), 3) { damaged, place in
      do {
        try Files.replace(folder("j.jsonl"), with: damaged)
        let journal = try Journal(folder: folder.path)
        #expect(!journal.damaged.isEmpty, "byte \(place)")
        #expect(journal.entries.count >= 6 && journal.entries.allSatisfy(entries.contains), "byte \(place)")
        let index = try JournalIndex(folder: folder.path)
        #expect(index.entries.map(\.runID) == journal.entries.map(\.runID), "byte \(place)")
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func `digests of data that are damaged are refused, those of earlier versions are read`() throws {
    let folder = try TemporaryFolder()
    let results = ResultsFolder(folder("r"))
    try Files.makeFolder(results.folder)
    let whole = SealedJSON.sealed(["format": 2, "inputs": ["tiny": "abc", "other": "def"]])
    try Files.replace(results.inputsFile, with: whole)
    #expect(try results.inputs() == ["tiny": "abc", "other": "def"])
    try flip(whole, 4) { damaged, place in
      try Files.replace(results.inputsFile, with: damaged)
      #expect(throws: Problems.self, "byte \(place)") { try results.inputs() }
    }
    try Files.replace(results.inputsFile, with: #"{"tiny": "abc"}"#)
    #expect(try results.inputs() == ["tiny": "abc"])
    try Files.replace(results.inputsFile, with: #"{"tiny": 7}"#)
    let error = #expect(throws: Problems.self) { try results.inputs() }
    #expect(
      error?.description
        == "\(results.inputsFile): this file is damaged. Move it away and run again: the digests of the data are then "
        + "taken anew")
  }
}
