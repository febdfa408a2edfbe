import CKernels
import Synchronization

/// The table of arithmetic kernels in force: one for each instruction set, picked once for the process.
///
/// All tables with fused multiply-add (AVX-512, AVX2, NEON) give the same bits; the x86-64 baseline has none and may differ.
/// `PALIMPSEST_ISA` (`avx512`, `avx2`, `baseline`) forces one; ``select(_:)`` does the same in code.
public enum KernelTable {
  /// The address of the table, 0 before its first use: tables are constants of the program, and so is this start, which spares
  /// every use the question whether it has happened.
  private static let selected = Atomic<UInt>(0)

  /// The table in force.
  @inline(__always)
  static var current: UnsafePointer<pal_kernels> {
    unsafe UnsafePointer(bitPattern: selected.load(ordering: .relaxed)) ?? initial()
  }

  /// The table to start with, unless one has been selected. A processor always runs the baseline, so there is one.
  @inline(never)
  private static func initial() -> UnsafePointer<pal_kernels> {
    let table = unsafe pal_kernels_default().unsafelyUnwrapped
    let exchange = selected.compareExchange(
      expected: 0, desired: UInt(bitPattern: table), ordering: .relaxed)
    return unsafe UnsafePointer(bitPattern: exchange.original) ?? table
  }

  /// The name of the instruction set in force: `avx512`, `avx2`, `neon` or `baseline`.
  public static var name: String { unsafe String(cString: current.pointee.name) }

  /// The names compiled into this program, best first. The processor may not run the first ones.
  public static var compiled: [String] {
    var names: [String] = []
    while let name = unsafe pal_kernels_name(names.count) { unsafe names.append(String(cString: name)) }
    return names
  }

  /// Takes the table with that name for the whole process.
  /// - Returns: false, and nothing changes, where the name is unknown or this processor can't run it.
  @discardableResult
  public static func select(_ name: String) -> Bool {
    guard let table = unsafe pal_kernels_named(name) else { return false }
    selected.store(UInt(bitPattern: table), ordering: .relaxed)
    return true
  }

  /// Runs independent chains of multiply-adds: the floating-point operations done, for measuring the machine's peak.
  public static func peakLoop(iterations: Int) -> Double { unsafe current.pointee.peak_loop(iterations) }
}
