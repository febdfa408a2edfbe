import Foundation
import PalimpsestCore
import PalimpsestDatasets
import PalimpsestScenarios

/// Data sets in a folder of their own, which goes away with it.
final class Tables: Sendable {
  private let folder: String
  private var library: DatasetFolder { DatasetFolder([folder]) }

  init() throws {
    folder = NSTemporaryDirectory() + "/palimpsest-fuzz-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder + "/set", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/set/\(name)"))
  }

  /// Nil where the set is refused as broken or missing.
  private func read() throws -> Dataset? {
    do { return try library.dataset(named: "set") } catch is DatasetError { return nil }
  }

  // MARK: - IDX

  /// Two bytes that say how long the image file is, the image file, the label file.
  static let imageSeeds: [[UInt8]] = [
    [0, 28, 0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255]
      + [0, 0, 8, 1, 0, 0, 0, 2, 7, 3]
  ]

  func tryImages(_ bytes: [UInt8]) throws -> Bool {
    guard bytes.count >= 2 else { return false }
    let images = bytes.dropFirst(2).prefix(Int(bytes[0]) << 8 | Int(bytes[1]))
    let labels = bytes[images.endIndex...]
    for part in ["train", "t10k"] {
      try write("\(part)-images-idx3-ubyte", images)
      try write("\(part)-labels-idx1-ubyte", labels)
    }
    guard let set = try read() else { return false }
    try expect(set.labels(of: set.training) == labels.dropFirst(8).map { "\($0)" }, "other labels than the file's")
    try expect(set.numbers(of: set.test) == images.dropFirst(16).map { Float($0) }, "other pixels than the file's")
    return true
  }

  // MARK: - CSV

  static let textSeeds = [
    "label,x1,x2\na,1,2\nb,-0.5,1e-3\na,3,4\nb,5,6\n", "x;\"y \"\"z\"\"\";class\r\n1;2;\"a;b\"\r\n3;4;c\r\n\r\n5;6;c",
    "\u{FEFF}label\tx\n é\t1\nb\t2",
  ].map { Array($0.utf8) }

  /// A table that is taken and written again, every cell in quotation marks, holds the same rows.
  func tryTable(_ bytes: [UInt8]) throws -> Bool {
    try write("set.csv", bytes)
    guard let set = try read() else { return false }
    let text = set.text
    try write("set.csv", text.utf8)
    guard let again = try read() else { throw FuzzFault("a table that was written cannot be read:\n\(text)") }
    let isSame = again.text == text && again.numbers(of: again.training) == set.numbers(of: set.training)
    try expect(isSame, "written again it is another table:\n\(text)")
    return true
  }

  // MARK: - gzip

  /// A table in a block of fixed codes; one in the stored blocks of two members, with padding behind them.
  static let packedSeeds: [[UInt8]] = [
    [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 212, 169, 224, 74, 212, 49, 228, 74, 210, 49, 2, 210, 198, 92, 0, 183, 29,
      51, 210, 16, 0, 0, 0,
    ],
    [
      31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 1, 8, 0, 247, 255, 121, 44, 120, 10, 97, 44, 49, 10, 121, 80, 164, 231, 8, 0,
      0, 0, 31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 1, 8, 0, 247, 255, 98, 44, 50, 10, 97, 44, 51, 10, 140, 54, 128, 90, 8,
      0, 0, 0, 0, 0, 0,
    ],
  ]

  /// What is packed is told by its first bytes, not by its name: both ways give the same.
  func tryPacked(_ bytes: [UInt8]) throws -> Bool {
    try? FileManager.default.removeItem(atPath: "\(folder)/set/set.csv")
    try write("set.csv.gz", bytes)
    let named = try read()
    try FileManager.default.removeItem(atPath: "\(folder)/set/set.csv.gz")
    guard bytes.starts(with: [0x1f, 0x8b]) else {
      try expect(named == nil, "a file that is not packed is unpacked")
      return false
    }
    try write("set.csv", bytes)
    try expect(try read()?.text == named?.text, "the name makes a difference")
    return named != nil
  }
}

extension Dataset {
  fileprivate func labels(of rows: Range<Int>) -> [String] { rows.map { classes[Int(labels[$0])] } }

  fileprivate func numbers(of rows: Range<Int>) -> [Float] {
    let batch = Rows(
      table: inputs, experience: 0, places: rows.map { Int32($0) }, labels: Array(labels[rows])
    ).batch.inputs
    return (0..<batch.rows).flatMap { batch.row($0) }
  }

  /// As a table, the label first.
  fileprivate var text: String {
    let head = (["label"] + columns.indices.map { "x\($0)" }).map { "\"\($0)\"" }.joined(separator: ",")
    let values = numbers(of: 0..<labels.count)
    let rows = labels.indices.map { row in
      let cells = values[row * columns.count..<(row + 1) * columns.count].map { "\($0)" }
      let label = classes[Int(labels[row])].replacing("\"", with: "\"\"")
      return (["\"\(label)\""] + cells).joined(separator: ",")
    }
    return ([head] + rows).joined(separator: "\n") + "\n"
  }
}
