import Foundation
import PalimpsestCore
import PalimpsestDatasets
import PalimpsestScenarios
import PalimpsestTesting
import Testing

private let library = DatasetFolder.standard()

private func isHere(_ name: String) -> Bool { library.location(of: name) != nil }

/// Runs over the published files where they are found (PALIMPSEST_DATASETS, datasets/, ../shared/data).
@Suite struct RealDataTests {
  @Test(.enabled(if: isHere("mnist"), "skipped: MNIST is not there; see datasets/README.md"))
  func `MNIST has its counts, first labels, mean and deviation`() throws {
    let mnist = try library.dataset(named: "mnist")
    #expect(mnist.training == 0..<60_000)
    #expect(mnist.test == 60_000..<70_000)
    #expect(mnist.labels.prefix(10) == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4])
    let counts = (0..<10).map { label in mnist.labels[mnist.test].count { $0 == Int32(label) } }
    #expect(counts == [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009])
    let pixels = try #require(mnist.inputs.rawBytes).prefix(60_000 * 784)
    let mean = Double(pixels.reduce(0) { $0 + Int($1) }) / Double(pixels.count)
    #expect(abs(mean / 255 - 0.13066) < 5e-6)
    #expect(mnist.digest == KnownDataset.all[0].files.map(\.contentSHA256).joined(separator: ","))
  }

  @Test(arguments: KnownDataset.all.filter { isHere($0.name) }.map(\.name))
  func `the published files are those of the manifest`(_ name: String) throws {
    let known = try #require(KnownDataset.named(name))
    #expect(try library.verify(known.name).allSatisfy { $0.state == .right })
    if known.log == nil {
      let set = try library.dataset(named: known.name)
      #expect(set.training.count == known.trainingRows && set.test.count == known.testRows)
      #expect(set.inputs.columns == known.columns && set.classes.count == known.classes)
    }
  }

  @Test(.enabled(if: isHere("letter-recognition"), "skipped: letter-recognition is not there; see datasets/README.md"))
  func `letters stand in order of the alphabet, their rows as in the file`() throws {
    let letters = try library.dataset(named: "letter-recognition")
    #expect(letters.classes.joined() == "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    #expect(letters.values[0] == [2, 8, 3, 5, 1, 8, 13, 0, 6, 6, 10, 8, 0, 8, 0, 8])
    #expect(letters.labels[0] == 19)  // T
  }

  @Test(.enabled(if: isHere("mnist"), "skipped: MNIST is not there; see datasets/README.md"))
  func `split MNIST holds every row once, in pairs of digits`() throws {
    let stream = try Split().prepare(from: library).makeStream(seed: Seed(1))
    let first = [5923 + 6742, 5958 + 6131, 5842 + 5421, 5918 + 6265, 5851 + 5949]
    #expect(stream.experiences.map(\.rows) == first)
    #expect(stream.experiences.map(\.name) == ["0, 1", "2, 3", "4, 5", "6, 7", "8, 9"])
    let values = stream.trainingRows(for: 0).selecting([0]).batch.inputs.row(0)
    #expect(values.max() == 1 && values.min() == 0)
  }

  @Test(.enabled(if: isHere("digits8x8"), "skipped: digits8x8 is not there; see datasets/README.md"))
  func `small digits can be split, permuted and rotated`() throws {
    var data = DatasetSettings()
    data.dataset = "digits8x8"
    var split = Split()
    split.data = data
    var permuted = Permuted()
    permuted.data = data
    var rotated = Rotated()
    rotated.data = data
    rotated.interpolation = .bilinear
    for scenario in [split, permuted, rotated] as [any Scenario] {
      let stream = try scenario.prepare(from: library).makeStream(seed: Seed(1))
      let inputs = stream.trainingRows(for: 1).batch.inputs
      #expect((0..<inputs.rows).allSatisfy { row in inputs.row(row).allSatisfy { (0...1).contains($0) } })
      #expect(stream.evaluationSet(for: 1).rows.count > 0)
    }
  }

  @Test(.enabled(if: Tier.slow && isHere("mnist"), "skipped: needs PALIMPSEST_TIER=slow and MNIST"))
  func `turning MNIST bilinearly is done once for all runs`() throws {
    var rotated = Rotated()
    rotated.interpolation = .bilinear
    let prepared = try rotated.prepare(from: library)
    let clock = ContinuousClock()
    let first = clock.measure { _ = prepared.makeStream(seed: Seed(1)).trainingRows(for: 1) }
    let second = clock.measure { _ = prepared.makeStream(seed: Seed(2)).trainingRows(for: 1) }
    #expect(second < first / 4)
  }
}
