#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which tests run: quick ones always, slow ones (statistics, published numbers, kill loops) where `PALIMPSEST_TIER` is `slow`.
public enum Tier {
  public static let slow = unsafe getenv("PALIMPSEST_TIER").map { unsafe String(cString: $0) } == "slow"
}
