import PalimpsestCore
import PalimpsestScenarios
import Testing

/// FNV-1a over the little-endian bytes of the numbers.
private func fingerprint(_ numbers: [Int32]) -> UInt64 {
  numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    .reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

@Suite struct RotatedTests {
  private func stream(
    _ library: TinyLibrary, _ angles: [Double], _ interpolation: Rotated.Interpolation = .nearest, seed: UInt64 = 1
  ) throws -> any DriftStream {
    let rotated = with(Rotated()) {
      $0.data = unscaled()
      $0.angles = angles
      $0.interpolation = interpolation
    }
    return try rotated.prepare(from: library).makeStream(seed: Seed(seed))
  }

  private func firstImage(_ stream: any DriftStream, _ task: Int) -> [Float] {
    stream.trainingRows(for: task).batch.inputs.row(0)
  }

  @Test func `turned images keep their values, owners and times`() throws {
    let values = Matrix([[0.5], [1.5], [2.5], [3.5], [4.5], [5.5]])
    let library = TinyLibrary(
      dataset: Dataset(
        name: "values", inputs: Table(bytes: (0..<24).map { UInt8($0) }, columns: 4, scale: 1), labels: [],
        classes: ["y"], training: 0..<4, test: 4..<6, image: ImageSize(height: 2, width: 2),
        owners: RowOwners(places: [0, 1, 0, 1, 0, 1], names: ["a", "b"]), arrivals: [0, 5, 10, 15, 20, 25],
        targetValues: DatasetValues(values, .numbers)))
    let stream = try stream(library, [0, 90])
    for task in 0..<2 {
      let rows = stream.trainingRows(for: task)
      #expect(rows.batch.values == Matrix([[0.5], [1.5], [2.5], [3.5]]))
      #expect(rows.owners == [0, 1, 0, 1] && rows.times == [0, 5, 10, 15])
      #expect(stream.evaluationSet(for: task).rows.times == [20, 25])
    }
  }

  @Test(arguments: Rotated.Interpolation.allCases)
  func `quarter turns are exact`(interpolation: Rotated.Interpolation) throws {
    let stream = try stream(.images(height: 3, width: 3), [0, 90, 180, 270, -90, 360], interpolation)
    // 1 2 3      3 6 9      9 8 7      7 4 1
    // 4 5 6  →   2 5 8  →   6 5 4  →   8 5 2   counter-clockwise
    // 7 8 9      1 4 7      3 2 1      9 6 3
    #expect(firstImage(stream, 0) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(firstImage(stream, 1) == [3, 6, 9, 2, 5, 8, 1, 4, 7])
    #expect(firstImage(stream, 2) == [9, 8, 7, 6, 5, 4, 3, 2, 1])
    #expect(firstImage(stream, 3) == [7, 4, 1, 8, 5, 2, 9, 6, 3])
    #expect(firstImage(stream, 4) == firstImage(stream, 3))
    #expect(firstImage(stream, 5) == firstImage(stream, 0))
    #expect(stream.evaluationSet(for: 1).rows.batch.inputs.row(0) == [43, 46, 49, 42, 45, 48, 41, 44, 47])
    #expect(stream.experiences.map(\.name) == ["0°", "90°", "180°", "270°", "-90°", "360°"])
  }

  @Test func `half a turn of any shape is exact`() throws {
    let stream = try stream(.images(height: 2, width: 3), [180])
    #expect(firstImage(stream, 0) == [6, 5, 4, 3, 2, 1])
  }

  /// Places taken from Pillow 13.0: `Image.rotate` of an image that holds 1, 2, 3 …
  @Test func `nearest takes the pixels Pillow takes`() throws {
    let small = try stream(.images(height: 4, width: 5), [30])
    #expect(
      small.trainingRows(for: 0).columnOrder == [
        -1, 2, 3, 9, 9,
        1, 6, 7, 13, 14,
        5, 6, 12, 13, 18,
        10, 10, 16, 17, -1,
      ])
    let published: [(Double, UInt64)] = [
      (90, 0x4713_bc35_0e83_e935), (180, 0x761d_f189_ea95_0065), (270, 0xed7c_9e2b_e677_a205),
      (80, 0xc6d4_b9a7_28c7_a723), (160, 0x2627_bf30_d71b_b18b), (30, 0x6f3f_213c_3de7_c771),
      (45, 0xc28c_9093_452f_1ad6), (-22.5, 0x2536_f7a1_6347_e21b), (359, 0xba85_3795_6f80_4985),
    ]
    let large = try stream(.images(height: 28, width: 28), published.map(\.0))
    for (task, expected) in published.enumerated() {
      let order = try #require(large.trainingRows(for: task).columnOrder)
      #expect(fingerprint(order) == expected.1, "\(expected.0)°")
    }
  }

  /// Pillow 13.0 on the same pixels as floats, rounded.
  @Test func `bilinear has Pillow's weights, rounded to the nearest byte`() throws {
    let bytes = (0..<20).map { UInt8($0 * 37 % 256) }
    let library = TinyLibrary(
      dataset: Dataset(
        name: "p", inputs: Table(bytes: [[UInt8]](repeating: bytes, count: 5).flatMap { $0 }, columns: 20, scale: 1),
        labels: [0, 1, 0, 1, 0], classes: ["a", "b"], training: 0..<4, test: 4..<5,
        image: ImageSize(height: 4, width: 5)))
    #expect(
      firstImage(try stream(library, [30], .bilinear), 0) == [
        0, 70, 87, 84, 63,
        32, 100, 25, 132, 22,
        173, 187, 171, 180, 168,
        128, 107, 104, 121, 0,
      ])
  }

  @Test func `a turned table is made once and shared`() throws {
    let rotated = with(Rotated()) { $0.interpolation = .bilinear }
    let prepared = try rotated.prepare(from: TinyLibrary.images(height: 3, width: 3))
    let one = prepared.makeStream(seed: Seed(1))
    let two = prepared.makeStream(seed: Seed(2))
    #expect(one.trainingRows(for: 1).batch.inputs == two.trainingRows(for: 1).batch.inputs)
    #expect(one.evaluationSet(for: 0).rows.batch.inputs.row(0)[0] == 41 * (1 / 255 as Float))
  }

  @Test func `capped rows are the same for the same seed`() throws {
    let rotated = with(Rotated()) {
      $0.rowsPerTask = 2
      $0.data.testRows = 1
      $0.interpolation = .bilinear
      $0.identity = .given
    }
    let prepared = try rotated.prepare(from: TinyLibrary.images(height: 3, width: 3))
    let places = (0..<20).map { prepared.makeStream(seed: Seed($0)).trainingRows(for: 2).places }
    #expect(Set(places).count > 2)
    #expect(prepared.makeStream(seed: Seed(7)).trainingRows(for: 2).places == places[7])
    #expect(prepared.makeStream(seed: Seed(7)).evaluationSet(for: 2).knownExperience == 2)
    #expect(prepared.makeStream(seed: Seed(7)).evaluationSet(for: 2).rows.count == 1)
  }

  @Test func `drawn angles lie in their range, differ by seed and do not depend on their number`() throws {
    func angles(_ tasks: Int, seed: UInt64, first: Bool = true) throws -> [Double] {
      let rotated = with(Rotated()) {
        ($0.drawnTasks, $0.leastAngle, $0.largestAngle) = (tasks, 20, 50)
        ($0.rotateFirst, $0.interpolation) = (first, .bilinear)
      }
      let stream = try rotated.prepare(from: TinyLibrary.images(height: 3, width: 3)).makeStream(seed: Seed(seed))
      #expect(stream.experiences.map(\.name) == (1...tasks).map { "rotation \($0)" })
      return try #require(stream.inputs?.turns).degrees
    }
    let many = try (0..<200 as Range<UInt64>).flatMap { try angles(5, seed: $0) }
    #expect(many.allSatisfy { (20...50).contains($0) } && Set(many).count == 1000)
    // The mean of 1,000 uniform draws: its standard error is 30 / √12 / √1000 = .27.
    let mean: Double = many.reduce(0, +) / 1000
    #expect(abs(mean - 35) < 1.35)
    #expect(try angles(3, seed: 7) == Array(angles(5, seed: 7)[..<3]))
    #expect(try angles(3, seed: 7, first: false) == [0] + angles(3, seed: 7)[1...])
  }

  @Test func `drawn angles turn the images`() throws {
    let rotated = with(Rotated()) {
      ($0.data, $0.drawnTasks, $0.leastAngle, $0.largestAngle) = (unscaled(), 2, 90, 90)
    }
    let stream = try rotated.prepare(from: TinyLibrary.images(height: 3, width: 3)).makeStream(seed: Seed(1))
    #expect(firstImage(stream, 0) == [3, 6, 9, 2, 5, 8, 1, 4, 7] && firstImage(stream, 1) == firstImage(stream, 0))
  }

  @Test func `a range must not end before it begins`() {
    let rotated = with(Rotated()) { ($0.drawnTasks, $0.leastAngle, $0.largestAngle) = (2, 22.5, 0) }
    #expect(
      refusal(rotated, .images(height: 3, width: 3))
        == "leastAngle: 22.5° is more than largestAngle, 0°. Exchange them")
  }

  @Test func `only images can be turned`() {
    #expect(refusal(Rotated(), .table(classes: 2)) == "dataset: \"tiny\" holds no images of bytes to turn")
  }
}
