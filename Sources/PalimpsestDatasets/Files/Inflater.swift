import CZlib
import PalimpsestJSON

/// Unpacks gzip data chunk by chunk, whatever number of members follow each other in the file (RFC 1952). Zero bytes
/// after the last member are padding.
@safe
struct Inflater: ~Copyable {
  /// Why the data cannot be unpacked.
  enum Failure: Error, Equatable {
    /// The data end at this byte, inside a member.
    case truncated(byte: Int)
    /// Near this byte they are not what gzip allows; zlib's own words.
    case corrupt(byte: Int, reason: String)
  }

  private enum Place { case beforeMember, insideMember, padding }

  /// zlib keeps a pointer back to its stream: the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output = [UInt8](repeating: 0, count: 1 << 17)
  private var place = Place.beforeMember
  /// Bytes taken so far.
  private var taken = 0

  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    _ = unsafe pal_inflate_init_gzip(stream)
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Unpacks the next bytes of the file onto the end of `result`.
  mutating func unpack(_ input: [UInt8], into result: inout [UInt8]) throws(Failure) {
    var next = 0
    while next < input.count {
      if place == .beforeMember && taken + next > 0 && input[next] == 0 { place = .padding }
      if place == .padding {
        try skipPadding(input, from: next)
        break
      }
      next = try unpackMember(input, from: next, into: &result)
    }
    taken += input.count
  }

  /// To be called after the last byte of the file.
  func finish() throws(Failure) {
    if place == .insideMember { throw .truncated(byte: taken) }
  }

  /// Unpacks until the member or the input ends.
  /// - Returns: the place of the first byte that was not taken.
  private mutating func unpackMember(
    _ input: [UInt8], from first: Int, into result: inout [UInt8]
  ) throws(Failure) -> Int {
    place = .insideMember
    var next = first
    while place == .insideMember {
      let step = inflateOnce(input, from: next)
      result.append(contentsOf: output[..<step.written])
      next += step.read
      switch step.code {
      case Z_STREAM_END:
        place = .beforeMember
        unsafe inflateReset(stream)
      case Z_OK, Z_BUF_ERROR:
        if next == input.count && step.written < output.count { return next }
      default:
        throw .corrupt(byte: taken + next, reason: reason)
      }
    }
    return next
  }

  private mutating func inflateOnce(_ input: [UInt8], from first: Int) -> (code: Int32, read: Int, written: Int) {
    let stream = unsafe stream
    let room = output.count
    return unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe input.withUnsafeBufferPointer { input in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress.map { unsafe $0 + first })
        unsafe stream.pointee.avail_in = UInt32(input.count - first)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        let code = unsafe inflate(stream, Z_NO_FLUSH)
        let read = unsafe input.count - first - Int(stream.pointee.avail_in)
        return unsafe (code, read, room - Int(stream.pointee.avail_out))
      }
    }
  }

  private func skipPadding(_ input: [UInt8], from first: Int) throws(Failure) {
    if let other = input[first...].firstIndex(where: { $0 != 0 }) {
      throw .corrupt(byte: taken + other, reason: "data after the end")
    }
  }

  private var reason: String {
    guard let message = unsafe stream.pointee.msg else { return "unknown reason" }
    return unsafe String(cString: message)
  }
}
