import Foundation
import HDF5
import Synchronization
import Testing

/// The message of the error that `body` throws.
private func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return "\(error)"
  }
}

/// A file to misread: a column of floats, a column of strings, an attribute.
private func small() throws -> HDF5File {
  let file = try HDF5File.create(named: "a.h5")
  try file.root.write("accuracy", [Float(0.5)], shape: [1])
  try file.root.write("strategy", ["ewc"])
  try file.root.attributes.set("runs", [Int64(1), 2])
  return try HDF5File.open(bytes: file.image(), named: "a.h5")
}

@Test func `errors of reading say where, while doing what, and why`() throws {
  let root = try small().root
  #expect(
    message { _ = try root.dataset("nothing") }
      == "a.h5: cannot open dataset /nothing: H5Dopen2(): unable to open dataset; cause: "
      + "object 'nothing' doesn't exist [Symbol table: Object not found]")
  #expect(
    message { _ = try root.dataset("accuracy").read(as: Int32.self) }
      == "a.h5: cannot read dataset /accuracy as int32: it holds float32, which int32 cannot hold exactly")
  #expect(
    message { _ = try root.dataset("strategy").read(as: Float.self) }
      == "a.h5: cannot read dataset /strategy as float32: it holds strings")
  #expect(
    message { _ = try root.dataset("accuracy").strings() }
      == "a.h5: cannot read dataset /accuracy as strings: it holds float32")
  #expect(
    message { _ = try root.attributes.number("runs", as: Int64.self) }
      == "a.h5: cannot read attribute runs of /: it has 2 values, not one")
  #expect(
    message { _ = try root.attributes.string("title") }.hasPrefix("a.h5: cannot read attribute title of /: H5Aopen()"))
  #expect(message { _ = try root.group("accuracy") }.hasPrefix("a.h5: cannot open group /accuracy: H5Gopen2()"))
}

@Test func `errors of writing say where, while doing what, and why`() throws {
  let root = try HDF5File.create(named: "b.h5").root
  let run = try root.write("run", [Int32(0)], shape: [1])
  #expect(
    message { try root.write("x", [Float(1)], shape: [2, 3]) }
      == "b.h5: cannot write dataset /x: 1 values do not fill shape [2, 3], which has 6")
  #expect(
    message { try root.write("x", [Float](), shape: [-1, 0]) }
      == "b.h5: cannot write dataset /x: -1 is not an extent in shape [-1, 0]")
  #expect(
    message { try root.write("x", ["a", "b\0c"]) }
      == "b.h5: cannot write dataset /x: string 1 contains U+0000, where HDF5 would end it")
  #expect(message { try root.write("run", "taken") }.contains("H5Dcreate2(): unable to create dataset; cause: "))
  #expect(
    message { try run.attach(run, axis: 1) } == "b.h5: cannot attach /run to axis 1 of /run: the shape is [1]")
  #expect(
    message { try root.write("y", ["a", "b"]).attach(run, axis: 0) }
      == "b.h5: cannot attach /run to axis 0 of /y: shape [2] does not fit the scale's [1]")
  #expect(
    message { try root.write("z", ["a"]).attach(run, axis: 0) }
      == "b.h5: cannot attach /run to axis 0 of /z: /run is not a dimension scale")
  let reading = try small().root
  #expect(message { try reading.write("new", "x") }.contains("no write intent on file"))
}

@Test func `what is no HDF5 file is refused`() throws {
  #expect(
    message { _ = try HDF5File.open(bytes: Array("not HDF5, but long enough to look".utf8), named: "c.h5") }
      == "c.h5: cannot open the file: H5Fopen(): unable to open file; cause: "
      + "file signature not found [File accessibility: Not an HDF5 file]")
  #expect(
    message { _ = try HDF5File.open(bytes: [], named: "c.h5") }
      == "c.h5: cannot open the file: it is empty, not an HDF5 file")
}

@Test func `every truncated image is refused`() throws {
  let bytes = try small().image()
  for length in 0..<bytes.count {
    #expect(throws: HDF5Error.self, "\(length) bytes") { try HDF5File.open(bytes: Array(bytes.prefix(length))) }
  }
}

@Test func `headers and library must share the minor version`() {
  let headers = HDF5Version(major: 1, minor: 10, release: 8)
  #expect(headers.refusal(of: HDF5Version(major: 1, minor: 10, release: 11)) == nil)
  #expect(
    headers.refusal(of: HDF5Version(major: 1, minor: 14, release: 8))
      == "the program was compiled with the headers of HDF5 1.10.8 but runs with library 1.14.8. "
      + "Rebuild it, or let the loader find HDF5 1.10.")
  #expect(HDF5Version.headers.refusal(of: .library) == nil)
}

@Test func `sync may be nested and passes values and errors through`() throws {
  #expect(HDF5.sync { HDF5.sync { 3 } } == 3)
  #expect(throws: CancellationError.self) { try HDF5.sync { throw CancellationError() } }
}

@Test func `many threads may build files at once`() throws {
  let bad = Atomic<Int>(0)
  DispatchQueue.concurrentPerform(iterations: 64) { place in
    let root = try? reopened { try $0.write("x", [Int64(place)], shape: [1], storage: .rows(1)) }
    if (try? root?.dataset("x").read(as: Int64.self)) != [Int64(place)] { bad.add(1, ordering: .relaxed) }
  }
  #expect(bad.load(ordering: .relaxed) == 0)
}

@Test func `sync lets one thread in at a time`() {
  let inside = Atomic<Int>(0)
  let most = Atomic<Int>(0)
  DispatchQueue.concurrentPerform(iterations: 8) { _ in
    HDF5.sync {
      most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
      Thread.sleep(forTimeInterval: 0.005)
      inside.subtract(1, ordering: .relaxed)
    }
  }
  #expect(most.load(ordering: .relaxed) == 1)
}

/// What is written to standard error while `body` runs; passed on afterwards, for it may belong to others.
private func standardError(during body: () throws -> Void) throws -> String {
  let path = FileManager.default.temporaryDirectory.path + "/palimpsest-\(UUID().uuidString).txt"
  let file = unsafe open(path, O_CREAT | O_RDWR, 0o600)
  let saved = dup(2)
  dup2(file, 2)
  defer { try? FileManager.default.removeItem(atPath: path) }
  do {
    defer {
      dup2(saved, 2)
      close(saved)
      close(file)
    }
    try body()
  }
  let text = try String(contentsOfFile: path, encoding: .utf8)
  FileHandle.standardError.write(Data(text.utf8))
  return text
}

@Test func `a failing call on another thread prints nothing`() throws {
  let root = try small().root
  let found = Mutex("")
  let text = try standardError {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let text = message { _ = try root.dataset("nothing") }
      found.withLock { $0 = text }
      done.signal()
    }
    done.wait()
  }
  #expect(found.withLock { $0 }.contains("object 'nothing' doesn't exist"))
  #expect(!text.contains("HDF5-DIAG"))
}
