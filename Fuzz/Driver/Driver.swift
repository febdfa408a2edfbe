import Foundation
import FuzzTargets

/// What libFuzzer calls: once with the program's arguments, then with each input. Which reader is tried is said by
/// `FUZZ_TARGET`; with `FUZZ_SEEDS` the first call also writes the seeds into that folder.

/// Made once; libFuzzer calls from one thread alone.
nonisolated(unsafe) private let trial: FuzzTarget.Trial = {
  do { return try target.makeTrial() } catch { fatalError("\(target.rawValue): \(error)") }
}()

private let environment = ProcessInfo.processInfo.environment

private let target: FuzzTarget = {
  guard let target = FuzzTarget(rawValue: environment["FUZZ_TARGET"] ?? "") else {
    fatalError("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
  }
  return target
}()

@_cdecl("LLVMFuzzerInitialize")
public func begin(_ count: UnsafeMutableRawPointer?, _ words: UnsafeMutableRawPointer?) -> CInt {
  guard let folder = environment["FUZZ_SEEDS"] else { return 0 }
  do {
    for (number, seed) in try target.seeds().enumerated() {
      try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(number)"))
    }
  } catch { fatalError("\(target.rawValue): the seeds cannot be written: \(error)") }
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do { _ = try unsafe trial(bytes) } catch { fatalError("\(target.rawValue): \(error)") }
  return 0
}
