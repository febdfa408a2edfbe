import CHDF5
import Foundation

/// The one door to libhdf5, which is not safe to enter from two threads at once: the build of many systems has no lock,
/// and the high-level library (dimension scales) has none anywhere.
///
/// Every function of this module passes through `sync` by itself. Wrap a longer piece of work in `sync` to keep others
/// out meanwhile; never wait for another thread inside.
public enum HDF5 {
  private static let lock = NSRecursiveLock()

  /// libhdf5 does not clean up when the process ends: there is nothing to save, and a damaged file can make it crash then.
  /// Must come before its first call.
  private static let endsQuietly: Void = { _ = H5dont_atexit() }()

  /// Runs `body` alone: no other thread is inside libhdf5 meanwhile. May be nested.
  ///
  /// Each entry also turns off libhdf5's printing of errors, because thread-safe builds keep that setting per thread.
  public static func sync<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    lock.lock()
    defer { lock.unlock() }
    _ = endsQuietly
    pal_silence()
    return try body()
  }
}

/// A release of libhdf5.
public struct HDF5Version: Sendable, Equatable, CustomStringConvertible {
  public let major: Int
  public let minor: Int
  public let release: Int

  package init(major: Int, minor: Int, release: Int) {
    self.major = major
    self.minor = minor
    self.release = release
  }

  public var description: String { "\(major).\(minor).\(release)" }

  /// The headers this program was compiled with.
  public static let headers = HDF5Version(
    major: Int(H5_VERS_MAJOR), minor: Int(H5_VERS_MINOR), release: Int(H5_VERS_RELEASE))

  /// The library the program runs with.
  public static var library: HDF5Version {
    var numbers: (UInt32, UInt32, UInt32) = (0, 0, 0)
    HDF5.sync { _ = unsafe H5get_libversion(&numbers.0, &numbers.1, &numbers.2) }
    return HDF5Version(major: Int(numbers.0), minor: Int(numbers.1), release: Int(numbers.2))
  }

  /// Why a program compiled with these headers must not call `library`, or nil where it may.
  ///
  /// Structs and ids may change from one minor version to the next, not between releases of one. libhdf5's own check
  /// (`H5check`) aborts the process; this one lets the caller throw.
  package func refusal(of library: HDF5Version) -> String? {
    if major == library.major && minor == library.minor { return nil }
    return "the program was compiled with the headers of HDF5 \(self) but runs with library \(library). "
      + "Rebuild it, or let the loader find HDF5 \(major).\(minor)."
  }
}
