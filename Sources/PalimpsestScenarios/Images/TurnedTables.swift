import PalimpsestCore
import Synchronization

/// The turned images of every task, made when a run first asks for them and kept for the others. What is kept depends
/// on the data and the angle alone, so it does not matter which run asks first.
final class TurnedTables: Sendable {
  private let pixels: Pixels
  private let rotations: [Rotation]
  private let made: Mutex<[Int: Table]> = Mutex([:])

  init(_ pixels: Pixels, _ rotations: [Rotation]) {
    self.pixels = pixels
    self.rotations = rotations
  }

  /// - Cost: the first time about 8 multiply-adds a pixel of the whole data set; runs that ask meanwhile wait.
  func table(of task: Int) -> Table {
    made.withLock { made in
      if let table = made[task] { return table }
      let table = rotations[task].isUpright ? pixels.table : pixels.table(of: rotations[task].bilinear(pixels.bytes))
      made[task] = table
      return table
    }
  }
}
