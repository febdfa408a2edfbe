/// Where leases and markers of finished blocks are kept: what is asked of the files of one launch, and no more.
///
/// A name, once made, is never made again by anyone: leases end by a marker or by the next generation, and a marker stays. `create`
/// is atomic over all machines: of several that ask for a name one gets it.
package protocol LeaseStore: Sendable {
  /// The names on a shelf, in no order.
  func names(on shelf: LeaseShelf) throws -> [String]
  /// - Returns: false where the name is taken.
  func create(_ name: String, on shelf: LeaseShelf, _ content: [UInt8]) throws -> Bool
  func exists(_ name: String, on shelf: LeaseShelf) throws -> Bool
  /// The content of a lease; nil where it is not there.
  func read(_ lease: String) throws -> [UInt8]?
  /// Gives a lease the server's time.
  /// - Returns: false where it is not there.
  func touch(_ lease: String) throws -> Bool
  /// Gives a lease the time 0: it is anyone's.
  func expire(_ lease: String) throws
  /// When a lease was touched last, in seconds by the server's clock; nil where it is not there.
  func touched(_ lease: String) throws -> Double?
  /// The server's clock, in seconds.
  func now() throws -> Double
  /// Gives a lease a second name, on the shelf of what is done. Fine where that is taken.
  /// - Returns: false where the lease is not there.
  func mark(_ lease: String, done marker: String) throws -> Bool
  /// Fine where it is not there.
  func remove(_ lease: String) throws
}

/// The two folders of a launch.
package enum LeaseShelf: Sendable, Hashable { case leases, done }
