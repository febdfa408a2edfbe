import Foundation

/// Which tests run: quick ones always, slow ones (statistics, published numbers, kill loops) where `PALIMPSEST_TIER` is `slow`.
public enum Tier {
  public static let slow = ProcessInfo.processInfo.environment["PALIMPSEST_TIER"] == "slow"
}
