import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestTesting

/// Bits that fall over.
package enum Damage {
  package static let flips = Tier.slow ? 1000 : 200

  /// Calls `check` with copies in which one bit each has fallen over, and the place of its byte.
  package static func flip(_ bytes: [UInt8], _ seed: UInt64, _ check: ([UInt8], Int) throws -> Void) rethrows {
    var rng = Seed(seed).stream("flips")
    for _ in 0..<flips {
      var damaged = bytes
      let place = rng.index(below: bytes.count)
      damaged[place] ^= 1 << UInt8(rng.index(below: 8))
      try check(damaged, place)
    }
  }
}

extension StoredPlan {
  /// The file as format 2 had it, without a checksum.
  package var unsealed: [UInt8] {
    let body = text.components(separatedBy: ",\n\"sha256\":")[0]
    return Array((body.replacingOccurrences(of: "{\"format\":3,", with: "{\"format\":2,") + "}\n").utf8)
  }
}

extension Fixture {
  /// A plan with something in every field: a question, a sweep, changes from the command line, a selection.
  /// - Parameter hasPositions: whether the runs stand in places of their own, as after a second generation.
  package static func plan(hasPositions: Bool = true) throws -> StoredPlan {
    var plan = try StoredPlan(
      Plan(
        small(
          strategies: #""naive": [], "e": [{ "name": "ewc" }], "r": [{ "name": "reservoir", "capacity": 20 }]"#,
          #""seeds": [5, 3]"#, #""question": "Why “é”?""#,
          #""sweep": { "grid": { "strategies.e.ewc.strength": [1, 2.5] } }"#)))
    plan.overrides = ["training.epochs=2"]
    plan.selection = ["criterion": "forgetting"]
    for i in plan.configurations.indices where hasPositions { plan.configurations[i].positions = [2 * i + 1, 2 * i] }
    return plan
  }
}
