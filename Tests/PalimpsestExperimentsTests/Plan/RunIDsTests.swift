import PalimpsestExperiments
import PalimpsestJSON
import TestFixtures
import Testing

/// Ids of runs in 16 bytes each.
struct RunIDsTests {
  private let own = (0..<9).map { "0f\(String($0, radix: 16))" + String(repeating: "7a9", count: 9) + "be" }
  private let others = ["a", "", "ünïcode \" \\", String(repeating: "A", count: 32), String(repeating: "0", count: 33)]

  @Test func `equal keys are equal ids`() {
    let ids = [
      "0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdee", "1123456789abcdef0123456789abcdef",
    ]
    #expect(RunKey(ids[0]) == RunKey(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF))
    #expect(ids.allSatisfy { RunKey($0).text == $0 })
    let others = ["a", "b", "", ids[0] + "0", ids[0].uppercased()]
    #expect(Set((ids + others).map { RunKey($0) }).count == 8)
  }

  @Test func `each byte is a digit of lower-case hex or none`() {
    for byte in UInt8.min ... .max {
      let key = RunKey(hex: [UInt8](repeating: UInt8(ascii: "0"), count: 31) + [byte])
      let digit = "0123456789abcdef".utf8.enumerated().first { $1 == byte }?.offset
      #expect(key?.low == digit.map { UInt64($0) }, "byte \(byte)")
    }
  }

  /// One that is not the toolkit's own, in any place among those that are.
  @Test func `ids are what they were made of`() {
    #expect(Array(RunIDs(own)) == own && RunIDs().isEmpty && RunIDs([]) == [])
    for other in others {
      for place in 0...own.count {
        let ids = Array(own[..<place]) + [other] + Array(own[place...])
        let kept = RunIDs(ids)
        #expect(Array(kept) == ids && kept.count == ids.count)
        #expect(kept.indices.map { kept.key(at: $0) } == ids.map { RunKey($0) })
        #expect(kept != RunIDs(own) && kept == RunIDs(ids))
      }
    }
  }

  @Test func `a plan's file gives the ids that were written`() throws {
    var plan = try Fixture.plan()
    #expect(try StoredPlan(plan.json, file: "plan.json") == plan)
    #expect(plan.configurations[0].runIDs.allSatisfy { $0.count == 32 })
    // Somebody else's ids are read as they are; that they are not those of the settings is then said.
    for other in others {
      plan.configurations[0].runIDs = [other, plan.configurations[0].runIDs[1]]
      let error = #expect(throws: Problems.self) { try StoredPlan(plan.json, file: "plan.json") }
      #expect(error?.description.contains("are not those of the run ids beside them") == true)
    }
  }
}
