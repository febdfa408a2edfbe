import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import TestFixtures
import Testing

/// Bits that fall over in the plan, on which the meaning of results hangs.
@Suite struct PlanDamageTests {
  @Test func `a bit that falls over in a plan is always seen`() throws {
    let whole = try Fixture.plan().json
    #expect(throws: Never.self) { try StoredPlan(whole, file: "") }
    Damage.flip(whole, 1) { damaged, place in
      #expect(throws: Problems.self, "bit of byte \(place)") { try StoredPlan(damaged, file: "plan.json") }
    }
  }

  @Test func `a plan that was cut or written by hand is refused`() throws {
    let whole = try Fixture.plan().json
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
    let plan = try Fixture.plan()
    var (read, refused) = (0, 0)
    Damage.flip(plan.unsealed, 2) { damaged, place in
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
    let text = String(decoding: try Fixture.plan().unsealed, as: UTF8.self)
    let range = try #require(text.range(of: right))
    #expect(throws: Never.self) { try StoredPlan(Array(text.utf8), file: "") }
    let damaged = text.replacingCharacters(in: range, with: wrong)
    let error = #expect(throws: Problems.self) { try StoredPlan(Array(damaged.utf8), file: "plan.json") }
    #expect(error?.description.hasPrefix("plan.json: this plan is damaged: ") == true)
  }

  /// Strength 3.5 under a checksum that somebody has worked out anew.
  @Test func `settings that are not those of the run ids are refused with a checksum too`() throws {
    var text = try Fixture.plan().text.components(separatedBy: "\"sha256\":")[0]
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
    var text = try Fixture.plan().text.components(separatedBy: "\"sha256\":")[0]
    text = text.replacingOccurrences(of: mine, with: theirs)
    #expect(throws: Never.self) { try StoredPlan(SealedJSON.sealed(Array(text.utf8)), file: "plan.json") }
  }

  @Test func `the plan of every experiment that ships has the ids of its settings`() throws {
    let folder = House.root + "/Experiments"
    let names = try Files.names(in: folder).filter { $0.hasSuffix(".json") && !$0.contains("schema") }
    #expect(names.count > 5)
    for name in names {
      let experiment = try Experiment.read(Files.read(folder + "/" + name), file: name)
      let plan = try StoredPlan(Plan(experiment.overridden(by: Overrides(seeds: "2"))))
      #expect(plan.firstWrong(isSealed: false) == nil, "\(name)")
    }
  }
}
