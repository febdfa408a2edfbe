import Foundation
import PalimpsestJSON
import TestFixtures
import Testing

/// What is no regular file is refused before a byte is read of it.
@Suite struct InputFileTests {
  private func refusal(_ path: String, atMost most: Int = 1 << 20, pipes: Bool = false) -> String? {
    do throws(InputFile.Refusal) {
      var file = try InputFile(path, atMost: most, pipes: pipes)
      _ = try file.rest()
      return nil
    } catch {
      return error.message(path)
    }
  }

  @Test func `devices, pipes and folders are named`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(refusal("/dev/zero") == "/dev/zero: this is a device; a regular file is needed")
    #expect(refusal("/dev/zero", pipes: true) == "/dev/zero: this is a device; a regular file is needed")
    #expect(refusal(pipe) == "\(pipe): this is a pipe; a regular file is needed")
    // A pipe of the file system may never have a writer.
    #expect(refusal(pipe, pipes: true) == "\(pipe): this is a pipe; a regular file is needed")
    #expect(refusal(folder.path) == "\(folder.path): cannot read: Is a directory")
    #expect(refusal("/nowhere/x") == "/nowhere/x: cannot read: No such file or directory")
  }

  @Test func `a file is read up to its stated size`() throws {
    let folder = try TemporaryFolder()
    let path = folder("file")
    try Files.replace(path, with: [UInt8](repeating: 7, count: 1 << 20))
    #expect(refusal(path) == nil)
    #expect(
      refusal(path, atMost: 1 << 10) == "\(path): the file is larger than 1 KiB, the most that is read of it")
    // The system makes these as they are read; their size is said to be 0.
    #expect(refusal("/proc/self/status") == nil)
    #expect(refusal("/proc/self/maps", atMost: 16)?.contains("larger than 16 bytes") == true)
  }

  @Test func `a pipe that the process was handed is read to its end`() throws {
    let pipe = Pipe()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    pipe.fileHandleForWriting.write(Data("{}".utf8))
    try pipe.fileHandleForWriting.close()
    #expect(refusal(path)?.contains("this is a pipe") == true)
    var file = try InputFile(path, atMost: 1 << 20, pipes: true)
    #expect(try file.rest() == Array("{}".utf8))
  }
}
