import Foundation
import HDF5

/// A process that reads one file for this one.
struct ReadingProcess {
  private let name: String
  private let limits: ReadingLimits
  private let end: ContinuousClock.Instant

  /// - Parameters:
  ///   - name: the file's, for messages.
  ///   - size: its bytes.
  init(_ name: String, size: Int) {
    self.name = name
    limits = ReadingLimits(size: size)
    end = .now + .seconds(limits.patience)
  }

  /// - Throws: ``CubeError`` for a damaged file, ``HDF5Error`` where no process can be started.
  func read(_ bytes: [UInt8]) throws -> PlainCube {
    let (mine, theirs) = try started(ChildCalls.socketPair())
    defer { close(mine) }
    let command = CubeReading.command
    let process = try started(ChildCalls.spawn(command.path, command.arguments, input: theirs))
    close(theirs)
    let answer = ChildCalls.exchange(mine, bytes, until: end)
    if answer == nil { kill(process, SIGKILL) }
    return try cube(answer, ChildCalls.wait(for: process))
  }

  /// What was said, or how it came that nothing was.
  private func cube(_ answer: [UInt8]?, _ status: ReadingStatus) throws -> PlainCube {
    guard let answer else { throw damaged("reading it took more than \(limits.patience) s") }
    switch (try? ReadingAnswer(answer), status) {
    case (.cube(let cube)?, _): return cube
    case (.refused(let doing, let problem, let cause)?, _):
      return try CubeTable.reading(name) { () throws(HDF5Error) in
        throw HDF5Error(file: name, doing: doing, problem: problem, cause: cause)
      }
    case (nil, .signal(SIGXCPU)): throw damaged("reading it took more than \(limits.seconds) s of processor time")
    case (nil, .signal(let signal)):
      throw damaged("HDF5 \(HDF5Version.headers) crashed on it (signal \(signal); it may take \(limits.description))")
    case (nil, .code(let code)):
      throw damaged("HDF5 \(HDF5Version.headers) gave up on it (code \(code); it may take \(limits.description))")
    }
  }

  private func damaged(_ reason: String) -> CubeError { CubeError(file: name, .damaged, "it is damaged: \(reason)") }

  private func started<Value>(_ result: Result<Value, POSIXError>) throws(HDF5Error) -> Value {
    switch result {
    case .success(let value): return value
    case .failure(let error):
      throw HDF5Error(
        file: name, doing: "start a process to read the file, which has no checksum",
        problem: unsafe String(cString: strerror(error.code.rawValue)))
    }
  }
}

/// How a process ended.
enum ReadingStatus: Equatable {
  case code(Int32)
  case signal(Int32)
}
