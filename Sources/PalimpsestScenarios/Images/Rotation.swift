import PalimpsestCore

/// A turn of images of one size about their middle, counter-clockwise as one looks at them.
///
/// The centre of target pixel (x, y) lies at (x + ½, y + ½) and comes from
///
///     x′ = cos·(x + ½ − w/2) − sin·(y + ½ − h/2) + w/2
///     y′ = sin·(x + ½ − w/2) + cos·(y + ½ − h/2) + h/2
///
/// - Source: the geometry of Pillow's `Image.rotate` without `expand`, sine and cosine rounded to 15 places.
struct Rotation: Sendable {
  let size: ImageSize
  let isUpright: Bool
  private let cosine: Double
  private let sine: Double
  /// The source of the point (0, 0).
  private let originX: Double
  private let originY: Double

  init(degrees: Double, size: ImageSize) {
    let turn = degrees.remainder(dividingBy: 360)
    let radians = turn * .pi / 180
    let (middleX, middleY) = (Double(size.width) / 2, Double(size.height) / 2)
    self.size = size
    isUpright = turn == 0
    cosine = rounded(Elementary.cos(radians))
    sine = rounded(Elementary.sin(radians))
    originX = cosine * -middleX - sine * -middleY + middleX
    originY = sine * -middleX + cosine * -middleY + middleY
  }

  /// The column order of the turned image: the pixel that each target centre falls into, −1 outside.
  /// Places are counted in 1/65536 of a pixel, as Pillow counts them.
  var nearest: [Int32] {
    let (c, s) = (fixed(cosine), fixed(sine))
    let startX = fixed(originX + cosine * 0.5 - sine * 0.5)
    let startY = fixed(originY + sine * 0.5 + cosine * 0.5)
    return (0..<size.height * size.width).map { pixel in
      let (x, y) = (pixel % size.width, pixel / size.width)
      return place((startX + c * x - s * y) >> 16, (startY + s * x + c * y) >> 16)
    }
  }

  /// Turned images, each pixel the mean of the four around its source weighed by nearness, rounded to the nearest byte;
  /// beyond the edge the edge pixel counts, and a centre that falls outside the image gives 0.
  ///
  /// - Parameter images: any number of images, row by row.
  func bilinear(_ images: [UInt8]) -> [UInt8] {
    let blends = blends
    var turned = [UInt8](repeating: 0, count: images.count)
    for start in stride(from: 0, to: images.count, by: size.height * size.width) {
      for blend in blends { turned[start + blend.target] = blend.value(images, start) }
    }
    return turned
  }

  /// What each target pixel is blended of; those from outside are left out.
  private var blends: [Blend] {
    (0..<size.height * size.width).compactMap { pixel in
      let (x, y) = (Double(pixel % size.width) + 0.5, Double(pixel / size.width) + 0.5)
      let sourceX = cosine * x - sine * y + originX
      let sourceY = sine * x + cosine * y + originY
      let isInside = sourceX >= 0 && sourceX < Double(size.width) && sourceY >= 0 && sourceY < Double(size.height)
      return isInside ? blend(of: pixel, sourceX - 0.5, sourceY - 0.5) : nil
    }
  }

  private func blend(of target: Int, _ x: Double, _ y: Double) -> Blend {
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let columns = (max(left, 0), min(left + 1, size.width - 1))
    let rows = (max(top, 0) * size.width, min(top + 1, size.height - 1) * size.width)
    return Blend(
      target: target,
      places: (rows.0 + columns.0, rows.0 + columns.1, rows.1 + columns.0, rows.1 + columns.1),
      dx: x - Double(left), dy: y - Double(top))
  }

  private func place(_ x: Int, _ y: Int) -> Int32 {
    (0..<size.width).contains(x) && (0..<size.height).contains(y) ? Int32(y * size.width + x) : -1
  }
}

/// Four pixels, and how far the point between them that a target pixel shows is from the first, to the right and down.
private struct Blend {
  let target: Int
  let places: (Int, Int, Int, Int)
  let dx: Double
  let dy: Double

  func value(_ images: [UInt8], _ start: Int) -> UInt8 {
    let above = between(Double(images[start + places.0]), Double(images[start + places.1]), dx)
    let below = between(Double(images[start + places.2]), Double(images[start + places.3]), dx)
    return UInt8(between(above, below, dy).rounded())
  }
}

private func between(_ a: Double, _ b: Double, _ weight: Double) -> Double { a + (b - a) * weight }

/// Rounded to 15 decimal places, so that the sine of 180° is 0.
private func rounded(_ x: Double) -> Double { (x * 1e15).rounded() / 1e15 }

/// In units of 1/65536.
private func fixed(_ x: Double) -> Int { Int((x * 65536 + 0.5).rounded(.down)) }
