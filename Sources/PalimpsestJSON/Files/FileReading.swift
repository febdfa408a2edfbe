extension Files {
  /// Bytes that are read of a file at most where nothing smaller is said: of a cube, a plan, a model, a saved run.
  public static let most = 8 << 30

  /// All of a regular file: devices, pipes, sockets and folders are refused before a byte is read.
  ///
  /// - Parameters:
  ///   - most: bytes that are read at most.
  ///   - pipes: whether a pipe that the process was handed will do: `/dev/stdin`, or what a shell makes of `<(…)`.
  public static func read(
    _ path: String, atMost most: Int = Files.most, pipes: Bool = false
  ) throws(FileError) -> [UInt8] {
    do {
      var file = try InputFile(path, atMost: most, pipes: pipes)
      return try file.rest()
    } catch {
      throw FileError(error, path)
    }
  }

  /// SHA-256 of a regular file of any size, in hex.
  package static func sha256(of path: String) throws(FileError) -> String {
    do {
      var file = try InputFile(path, atMost: .max)
      var hash = SHA256()
      while true {
        let bytes = try file.next(1 << 20)
        if bytes.isEmpty { return hash.hex }
        hash.add(bytes)
      }
    } catch {
      throw FileError(error, path)
    }
  }

  /// The descriptor of a regular file opened for reading; the caller's to close.
  package static func descriptor(of path: String) throws(FileError) -> Int32 {
    do {
      return try InputFile.descriptor(of: path)
    } catch {
      throw FileError(error, path)
    }
  }
}

extension FileError {
  fileprivate init(_ refusal: InputFile.Refusal, _ path: String) {
    if case .system(let code) = refusal {
      self = .system(.unreadable, "read", path, code)
    } else {
      self.init(.unreadable, refusal.message(path))
    }
  }
}
