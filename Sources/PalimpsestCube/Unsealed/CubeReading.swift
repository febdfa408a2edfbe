import Foundation
import HDF5
import Synchronization

/// Who reads cubes that nobody vouches for: those without a checksum.
///
/// libhdf5 crashes on some damaged files, at once or when the process ends, and can be kept busy without end by others. A
/// program that says so first thing in its `main` reads them in a process of its own, which is the same program started
/// again with one argument more: that one's death or silence is an error like any other.
///
///     CubeReading.inOwnProcess()
///
/// A program that does not say so reads such files itself, after all shapes were judged: mostly as well, but a damaged file
/// may then end it.
public enum CubeReading {
  /// The only argument of the process that reads.
  private static let argument = "--read-cube-from-standard-input"

  private static let isApart = Atomic<Bool>(false)

  /// Reads and ends, where this process was started to do that; else notes that such processes can be started.
  public static func inOwnProcess() {
    if CommandLine.arguments.dropFirst() == [argument] { Child.serve() }
    isApart.store(true, ordering: .relaxed)
  }

  /// - Throws: ``CubeError`` for a damaged file, also where its reader died of it; ``HDF5Error`` where none can be started.
  static func read(_ bytes: [UInt8], named name: String) throws -> PlainCube {
    if isApart.load(ordering: .relaxed) { return try ReadingProcess(name, size: bytes.count).read(bytes) }
    return try CubeTable.reading(name) { () throws(HDF5Error) in try PlainReader.read(bytes, named: name) }
  }

  /// This program, and the arguments that make it a reader.
  static var command: (path: String, arguments: [String]) {
    #if os(Linux)
      let path = "/proc/self/exe"
    #else
      let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
    return (path, ["palimpsest", argument])
  }
}

/// What a file of some size may take of its reader.
struct ReadingLimits {
  /// Processor time, in seconds: one more for each 4 MiB, where a tenth is needed.
  let seconds: Int
  /// Bytes of memory beside what the program has when it starts.
  let memory: Int

  init(size: Int) {
    seconds = 3 + size / (4 << 20)
    memory = (1 << 30) + 16 * size
  }

  /// Time on the clock: a busy machine is no fault of the file.
  var patience: Int { 4 * seconds }

  var description: String { "\(seconds) s and \(memory >> 20) MiB" }
}

// MARK: - The process that reads

extension CubeReading {
  fileprivate enum Child {}
}

extension CubeReading.Child {
  /// Standard input is a socket: the file comes in, the values go out.
  static func serve() -> Never {
    ChildCalls.forbidCoreFiles()
    let bytes = ChildCalls.readAll(STDIN_FILENO)
    let limits = ReadingLimits(size: bytes.count)
    ChildCalls.limit(processorSeconds: limits.seconds, memory: limits.memory)
    ChildCalls.writeAll(STDIN_FILENO, ReadingAnswer(reading: bytes).bytes)
    _exit(0)
  }
}

/// What the process that reads has to say.
enum ReadingAnswer {
  case cube(PlainCube)
  case refused(doing: String, problem: String, cause: String?)

  init(reading bytes: [UInt8]) {
    do {
      self = .cube(try PlainReader.read(bytes, named: ""))
    } catch {
      self = .refused(doing: error.doing, problem: error.problem, cause: error.cause)
    }
  }

  /// Ends in a mark: an answer that is cut off is none.
  private static let end = 0x7061_6C69

  var bytes: [UInt8] {
    var coder = PlainEncoder()
    switch self {
    case .cube(let cube):
      coder.add(0)
      cube.encode(to: &coder)
    case .refused(let doing, let problem, let cause):
      coder.add(1)
      for text in [doing, problem, cause ?? ""] { coder.add(text) }
    }
    coder.add(ReadingAnswer.end)
    return coder.bytes
  }

  init(_ bytes: [UInt8]) throws(PlainDecoder.Failure) {
    var coder = PlainDecoder(bytes)
    switch try coder.number() {
    case 0: self = .cube(try PlainCube(from: &coder))
    case 1:
      let (doing, problem, cause) = (try coder.text(), try coder.text(), try coder.text())
      self = .refused(doing: doing, problem: problem, cause: cause.isEmpty ? nil : cause)
    default: throw PlainDecoder.Failure()
    }
    guard try coder.number() == ReadingAnswer.end, coder.isAtEnd else { throw PlainDecoder.Failure() }
  }
}
