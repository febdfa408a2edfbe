import CHDF5

/// The most bytes one read may ask for: a damaged or hostile file must not exhaust the memory.
private let largestRead = 16 << 30

/// An array of `count` numbers filled by `read`, which returns libhdf5's status.
func readNumbers<T: HDF5Number>(
  _ count: Int, _ task: HDF5Task, _ read: (UnsafeMutableRawPointer?) -> Int32
) throws(HDF5Error) -> [T] {
  try checkSize(count, of: MemoryLayout<T>.size, task)
  if count == 0 { return [] }
  var status: Int32 = 0
  let values = unsafe [T](unsafeUninitializedCapacity: count) { buffer, filled in
    status = unsafe read(UnsafeMutableRawPointer(buffer.baseAddress))
    filled = status < 0 ? 0 : count
  }
  try task.check(status)
  return values
}

/// An array of `count` strings of the stored type `type`, filled by `read`, which returns libhdf5's status.
func readStrings(
  _ count: Int, type: hid_t, space: hid_t, _ task: HDF5Task, _ read: (UnsafeMutableRawPointer?) -> Int32
) throws(HDF5Error) -> [String] {
  if count == 0 { return [] }
  if try task.check(H5Tis_variable_str(type)) > 0 {
    return try unsafe readVariableStrings(count, type: type, space: space, task, read)
  }
  let size = H5Tget_size(type)
  try checkSize(count, of: size, task)
  var bytes = [UInt8](repeating: 0, count: count * size)
  try task.check(unsafe bytes.withUnsafeMutableBytes { unsafe read($0.baseAddress) })
  let padding: UInt8 = H5Tget_strpad(type) == H5T_STR_SPACEPAD ? 32 : 0
  return (0..<count).map { fixedString(bytes[$0 * size..<($0 + 1) * size], padding: padding) }
}

/// libhdf5 allocates each string; they are copied, then given back. An empty string may be a null pointer.
private func readVariableStrings(
  _ count: Int, type: hid_t, space: hid_t, _ task: HDF5Task, _ read: (UnsafeMutableRawPointer?) -> Int32
) throws(HDF5Error) -> [String] {
  try checkSize(count, of: MemoryLayout<Int>.size, task)
  let pointers = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: count)
  defer { unsafe pointers.deallocate() }
  unsafe pointers.initialize(repeating: nil)
  try task.check(unsafe read(UnsafeMutableRawPointer(pointers.baseAddress)))
  let strings = unsafe pointers.map { unsafe $0.map { unsafe String(cString: $0) } ?? "" }
  try task.check(unsafe pal_reclaim(type, space, UnsafeMutableRawPointer(pointers.baseAddress)))
  return strings
}

/// A string of fixed length without what fills it up: everything from the first zero on, or spaces at the end.
private func fixedString(_ bytes: ArraySlice<UInt8>, padding: UInt8) -> String {
  var text = bytes.prefix { $0 != 0 }
  if padding != 0 { while text.last == padding { text.removeLast() } }
  return String(decoding: text, as: UTF8.self)
}

/// Gives `write` the strings as an array of C strings; it returns libhdf5's status.
///
/// - Errors: a string that contains U+0000, at which every reader would cut it off.
func writeStrings(
  _ strings: [String], _ task: HDF5Task, _ write: (UnsafeRawPointer?) -> Int32
) throws(HDF5Error) {
  var text: [UInt8] = []
  var starts: [Int] = []
  for string in strings {
    starts.append(text.count)
    text.append(contentsOf: string.utf8)
    text.append(0)
  }
  if text.count(where: { $0 == 0 }) > strings.count, let bad = strings.firstIndex(where: { $0.utf8.contains(0) }) {
    throw task.failure("string \(bad) contains U+0000, where HDF5 would end it")
  }
  let status = unsafe text.withUnsafeBufferPointer { text in
    let pointers = unsafe starts.map { unsafe text.baseAddress?.advanced(by: $0) }
    return unsafe pointers.withUnsafeBytes { unsafe write($0.baseAddress) }
  }
  try task.check(status)
}

private func checkSize(_ count: Int, of size: Int, _ task: HDF5Task) throws(HDF5Error) {
  let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
  if overflow || bytes > largestRead {
    throw task.failure("\(count) elements of \(size) bytes exceed the limit of \(largestRead) bytes for one read")
  }
}
