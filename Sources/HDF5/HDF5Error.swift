import CHDF5

/// What went wrong with which file while doing what, and the innermost cause libhdf5 knew.
///
/// `results/a.h5: cannot open dataset /accuracy: H5Dopen2(): unable to open dataset; cause: object 'accuracy' doesn't
/// exist [Symbol table: Object not found]`
public struct HDF5Error: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path, or the name given to an image in memory.
  public let file: String
  /// The action, as it follows "cannot": `open dataset /accuracy`.
  public let doing: String
  /// What the called function said, or what this module found wrong itself.
  public let problem: String
  /// The innermost message with its class, where libhdf5 gave one beyond `problem`.
  public let cause: String?

  package init(file: String, doing: String, problem: String, cause: String? = nil) {
    (self.file, self.doing, self.problem, self.cause) = (file, doing, problem, cause)
  }

  public var description: String {
    "\(file): cannot \(doing): \(problem)" + (cause.map { "; cause: \($0)" } ?? "")
  }
}

/// The file and the action that errors are reported for.
package struct HDF5Task {
  let file: String
  let doing: String

  /// An error that this module found itself.
  package func failure(_ problem: String) -> HDF5Error {
    HDF5Error(file: file, doing: doing, problem: problem, cause: nil)
  }

  /// Passes on a result that is an id, a count or a status: libhdf5 means failure by every negative one.
  ///
  /// Must follow the call at once and on its thread: the next call of libhdf5 clears the reasons.
  ///
  /// - Parameter hint: said where libhdf5 keeps silent, as its high-level library does.
  @discardableResult
  func check<Code: SignedInteger>(
    _ code: Code, hint: String = "libhdf5 gave no reason"
  ) throws(HDF5Error) -> Code {
    if code >= 0 { return code }
    let frames = HDF5Frame.stack()
    guard let outer = frames.first, let inner = frames.last else { throw failure(hint) }
    let cause = "\(inner.text) [\(inner.major): \(inner.minor)]"
    if outer.text == inner.text { throw failure("\(outer.function)(): \(cause)") }
    throw HDF5Error(file: file, doing: doing, problem: "\(outer.function)(): \(outer.text)", cause: cause)
  }

  /// Takes over a new id that lives to the end of the scope.
  func scoped(_ id: hid_t) throws(HDF5Error) -> HDF5Scoped { HDF5Scoped(try check(id)) }
}

/// One entry of libhdf5's error stack.
private struct HDF5Frame {
  let function: String
  let text: String
  let major: String
  let minor: String

  init(_ error: H5E_error2_t) {
    unsafe function = error.func_name.map { unsafe String(cString: $0) } ?? "libhdf5"
    unsafe text = error.desc.map { unsafe String(cString: $0) } ?? "failed"
    unsafe major = Self.message(error.maj_num)
    unsafe minor = Self.message(error.min_num)
  }

  /// The calling thread's stack, the called function first and the cause last; leaves it empty.
  static func stack() -> [HDF5Frame] {
    var frames: [HDF5Frame] = []
    _ = unsafe withUnsafeMutablePointer(to: &frames) { frames in
      unsafe H5Ewalk2(
        hid_t(H5E_DEFAULT), H5E_WALK_DOWNWARD,
        { _, error, context in
          guard let error = unsafe error, let context = unsafe context else { return 0 }
          unsafe context.assumingMemoryBound(to: [HDF5Frame].self).pointee.append(HDF5Frame(error.pointee))
          return 0
        }, frames)
    }
    H5Eclear2(hid_t(H5E_DEFAULT))
    return frames
  }

  /// The text of a major or minor error number, at most 200 bytes of it.
  private static func message(_ number: hid_t) -> String {
    var text = [CChar](repeating: 0, count: 201)
    let length = unsafe H5Eget_msg(number, nil, &text, 200)
    return String(decoding: text.prefix(max(0, min(200, length))).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
