import Foundation
import Palimpsest

/// The environment variable that forces an instruction set.
enum InstructionSet {
  /// Takes the set that `PALIMPSEST_ISA` names.
  /// - Throws: ``UsageError`` where there is none of that name, or this processor cannot run it.
  static func choose(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws(UsageError) {
    guard let name = environment["PALIMPSEST_ISA"], !name.isEmpty else { return }
    guard KernelTable.compiled.contains(name) else {
      let known = KernelTable.compiled.joined(separator: ", ")
      throw UsageError("PALIMPSEST_ISA: no instruction set is called \"\(name)\". This program has \(known).")
    }
    guard KernelTable.select(name) else {
      throw UsageError(
        "PALIMPSEST_ISA: this processor cannot run \"\(name)\". Unset the variable: the best set is found by itself.")
    }
  }
}
