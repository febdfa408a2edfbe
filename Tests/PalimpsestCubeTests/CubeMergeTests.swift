import Foundation
import HDF5
import PalimpsestCore
import PalimpsestCube
import PalimpsestJSON
import PalimpsestMetrics
import Testing

private func column(_ name: String, _ kind: String) -> String {
  "{\"name\": \"\(name)\", \"kind\": \"\(kind)\", \"path\": \"a.\(name)\", \"help\": \"Help.\"}"
}

/// Three tasks with p*, a number of its own; naive-8 is in the second cube too.
func firstSweep() throws -> CubeSweep {
  let sweep = try CubeSweep(seeds: [7, 8], columns: [(column("x_rate", "number"), ["naive": "0.5"])])
  try sweep.journal([
    ("naive", 7, RunRecord.completed(threeTasks).withTruth), ("naive", 8, RunRecord.completed(threeTasks)),
  ])
  return sweep
}

/// A shorter run, a failed one and a joint one; a truth value of its own; other times.
func secondSweep(_ accuracy: [[Double]] = threeTasks) throws -> CubeSweep {
  let sweep = try CubeSweep(
    strategies: [("naive", "[]"), ("joint", "[{\"name\": \"joint\"}]")], seeds: [8, 9],
    columns: [(column("y_on", "bool"), ["naive": "true", "joint": "false"])])
  var again = RunRecord.completed(accuracy)
  again.cost.timeTotal = 99
  try sweep.journal([
    ("naive", 8, again), ("naive", 9, .ended(.failed, "no rows")), ("joint", 8, RunRecord.completed(threeTasks)),
    ("joint", 9, RunRecord.completed([[0.75, 0.5], [0.25, 1]])),
  ])
  return sweep
}

private func table(_ sweep: CubeSweep, _ name: String) throws -> CubeTable {
  try CubeTable(bytes: sweep.image(), named: name)
}

private func merged(_ tables: [CubeTable]) throws -> CubeTable {
  let image = try CubeMerge(tables).image(origin: .ada, at: Date(timeIntervalSince1970: 0)).bytes
  return try CubeTable(bytes: image, named: "merged.h5")
}

private func root(_ tables: [CubeTable]) throws -> HDF5Group {
  try HDF5File.open(bytes: CubeMerge(tables).image(origin: .ada, at: Date(timeIntervalSince1970: 0)).bytes).root
}

@Suite struct CubeMergeTests {
  let first: CubeTable
  let second: CubeTable

  init() throws {
    first = try table(firstSweep(), "a.h5")
    second = try table(secondSweep(), "b.h5")
  }

  @Test func `a run of two files is there once, and each run says where it came from`() throws {
    let root = try root([first, second])
    let ids = ["id-naive-7", "id-naive-8", "id-naive-9", "id-joint-8", "id-joint-9"]
    #expect(try root.strings("run_id") == ids)
    #expect(try root.integers("run") == [0, 1, 2, 3, 4])
    #expect(try root.strings("source_file") == ["a.h5", "a.h5", "b.h5", "b.h5", "b.h5"])
    #expect(try root.integers("source_run") == [0, 1, 1, 2, 3])
    #expect(try root.doubles("time_total") == [3, 3, 0, 3, 3])
    #expect(try root.attributes.number("runs_planned", as: Int64.self) == 5)
    #expect(try root.attributes.number("runs_completed", as: Int64.self) == 4)
    #expect(try root.attributes.number("complete", as: Int8.self) == 1)
  }

  @Test func `whole numbers that are missing are told by the fill value, and no others`() throws {
    let sweep = try CubeSweep(
      strategies: [("joint", "[]")], seeds: [5], columns: [(column("z_size", "integer"), ["joint": "3"])])
    try sweep.journal([("joint", 5, RunRecord.completed(threeTasks))])
    let third = try table(sweep, "c.h5")
    let root = try root([merged([first, second]), third])
    let filled = try root.datasetNames().filter { name in
      guard case .integer = try root.dataset(name).element() else { return false }
      return try root.dataset(name).attributes.contains("_FillValue")
    }
    #expect(filled == ["curve_examples", "curve_task", "task_names", "z_size"])
    #expect(try root.dataset("z_size").attributes.numbers("_FillValue", as: Int64.self) == [-1])
    #expect(try root.integers("z_size") == [-1, -1, -1, -1, -1, 3])
  }

  @Test func `columns that only one file has are filled, and arrays padded`() throws {
    let root = try root([first, second])
    let rate = try root.doubles("x_rate")
    #expect(rate[0] == 0.5 && rate[1] == 0.5 && rate[2...].allSatisfy(\.isNaN))
    #expect(try root.integers("y_on") == [-1, -1, 1, 0, 0])
    #expect(try root.dataset("y_on").attributes.string("flag_meanings") == "none false true")
    #expect(try root.dataset("accuracy").shape() == [5, 3, 3])
    let accuracy = try root.floats("accuracy")
    #expect(accuracy[36] == 0.75 && accuracy[37] == 0.5 && accuracy[39] == 0.25 && accuracy[40] == 1)
    #expect([38, 41, 42, 43, 44].allSatisfy { accuracy[$0].isNaN })
    #expect(try root.integers("curve_task") == [0, 1, 2] + [Int64](repeating: -1, count: 12))
    #expect(try root.dataset("cross_accuracy").dimensionNames() == ["run", "task", "task_other"])
  }

  @Test func `configurations are kept once, and runs point at theirs`() throws {
    let root = try root([first, second])
    let texts = try root.strings("configuration_json")
    #expect(texts.count == 2 && Set(texts).count == 2)
    #expect(try root.integers("config") == [0, 0, 0, 1, 1])
    #expect(texts[1].contains("joint"))
  }

  /// In the first file naive-8 has no joint run to be compared with, in the second it has: 0.9 − 0.9 and so on are 0.
  @Test func `a metric that only one file can work out is kept`() throws {
    #expect(try first.doubles("intransigence").allSatisfy(\.isNaN))
    #expect(try merged([first, second]).doubles("intransigence")[1] == 0)
  }

  @Test func `merging in any grouping gives the same rows`() throws {
    let third = try table(secondSweep(), "c.h5")
    let all = try merged([first, second, third])
    for other in [try merged([merged([first, second]), third]), try merged([first, merged([second, third])])] {
      #expect(other.columns.map(\.name) == all.columns.map(\.name))
      for column in all.columns where column.isRunColumn {
        if column.element == .string {
          #expect(try other.strings(column.name) == all.strings(column.name), "\(column.name)")
        } else {
          let (mine, theirs) = (try all.doubles(column.name), try other.doubles(column.name))
          #expect(mine.map(\.bitPattern) == theirs.map(\.bitPattern), "\(column.name)")
        }
      }
    }
  }

  @Test func `equal arguments give equal bytes`() throws {
    func image() throws -> [UInt8] {
      try CubeMerge([first, second]).image(origin: .ada, at: Date(timeIntervalSince1970: 0)).bytes
    }
    #expect(try image() == image())
  }

  @Test func `a run whose results differ is an error that names both files`() throws {
    let other = try table(secondSweep([[0.9, 0.5, 0.4], [0.6, 0.8, 0.5], [0.5, 0.6, 0.75]]), "other.h5")
    let error = #expect(throws: MergeError.self) { try merged([first, other]) }
    #expect(
      error?.description == """
        a.h5 and other.h5: both hold run id-naive-8, but accuracy differs, though the same run must give the same \
        numbers. Look for two versions of the program or processors without fused multiply-add; leave one of the files out.
        """)
  }

  @Test(arguments: [1, RunCost.currentRevision])
  func `work and memory must agree where both files count them alike`(revision: Int) throws {
    var counted = RunRecord.completed(threeTasks)
    counted.cost.revision = revision
    counted.cost.learner.bytesMemory = 0
    let sweep = try CubeSweep(seeds: [8])
    try sweep.journal([("naive", 8, counted)])
    let other = try table(sweep, "other.h5")
    if revision == RunCost.currentRevision {
      let error = #expect(throws: MergeError.self) { try merged([first, other]) }
      #expect(error?.description.contains("both hold run id-naive-8, but bytes_memory differs") == true)
    } else {
      let all = try merged([first, other])
      #expect(try all.integers("bytes_memory") == [402, 402] && all.integers("cost_revision") == [2, 2])
      #expect(try merged([other, first]).integers("bytes_memory") == [0, 402])
    }
  }

  @Test func `costs by part that one file has not counted are no difference`() throws {
    func cube(_ seeds: [Int], _ name: String, _ parts: [PartCost]) throws -> CubeTable {
      let sweep = try CubeSweep(seeds: seeds)
      var record = RunRecord.completed(threeTasks)
      record.cost.learner.parts = parts
      try sweep.journal(seeds.map { ("naive", $0, record) })
      return try table(sweep, name)
    }
    let network = PartCost("network", multiplyAdds: 1 << 40, bytes: 400)
    let parts = [network, PartCost("ewc", bytes: 401)]
    let (new, old) = try (cube([7, 8], "new.h5", parts), cube([8, 9], "old.h5", []))
    let both = try merged([new, old])
    #expect(try both.integers("bytes_part") == [400, 401, 400, 401, -1, -1])
    #expect(try both.integers("multiply_adds_part") == [1 << 40, 0, 1 << 40, 0, -1, -1])
    #expect(try both.strings("part_name") == ["network", "ewc"] && both.integers("part_names") == [0, 0, -1])
    #expect(try merged([old, new]).integers("bytes_part") == [-1, -1, -1, -1, 400, 401])
    let other = try cube([8], "other.h5", [network, PartCost("ewc", bytes: 400)])
    let error = #expect(throws: MergeError.self) { try merged([new, other]) }
    #expect(error?.description.contains("both hold run id-naive-8, but bytes_part differs") == true)
    let short = try cube([10], "short.h5", [network])
    #expect(try merged([short, new]).integers("bytes_part") == [400, -1, 400, 401, 400, 401])
  }

  @Test func `a completed run takes the place of one that failed`() throws {
    let failed = try CubeSweep(seeds: [7, 8])
    try failed.journal([("naive", 7, .ended(.failed, "no rows")), ("naive", 8, RunRecord.completed(threeTasks))])
    let table = try table(failed, "failed.h5")
    for order in [[table, first], [first, table]] {
      let all = try merged(order)
      #expect(try all.integers("status") == [0, 0])
      #expect(try all.strings("source_file")[0] == "a.h5")
      #expect(try all.strings("error") == ["", ""])
    }
  }

  @Test func `provenance of each file is kept`() throws {
    let third = try table(secondSweep(), "c.h5")
    let image = try CubeMerge([merged([first, second]), third]).image(origin: .ada, at: .now).bytes
    let provenance = try HDF5File.open(bytes: image).root.group("provenance")
    #expect(try provenance.groupNames() == ["source_0", "source_1", "source_2"])
    let files = try (0...2).map { try provenance.group("source_\($0)").attributes.string("file") }
    #expect(files == ["a.h5", "b.h5", "c.h5"])
    #expect(try provenance.group("source_1").dataset("experiment_json").strings() == ["{ \"name\": \"sweep\" } // é"])
  }

  @Test func `cubes without runs, of one run and of failed runs merge`() throws {
    let empty = try table(CubeSweep(), "empty.h5")
    let failed = try CubeSweep(strategies: [("lost", "[]")])
    try failed.journal([("lost", 7, .ended(.diverged, "the loss is inf"))])
    let lost = try table(failed, "lost.h5")
    #expect(try merged([empty, empty]).runs == 0)
    #expect(try merged([lost, empty]).integers("tasks") == [0])
    let all = try merged([empty, lost, first])
    #expect(try all.strings("strategy") == ["lost", "naive", "naive"])
    #expect(try all.doubles("average_accuracy")[0].isNaN)
    #expect(all.column("accuracy")?.shape == [3, 3, 3])
  }

  @Test func `a number in one file and a text in the other become texts`() throws {
    func cube(_ kind: String, _ value: String, _ strategy: String) throws -> CubeTable {
      let sweep = try CubeSweep(
        strategies: [(strategy, "[]")], columns: [(column("x_size", kind), [strategy: value])])
      try sweep.journal([(strategy, 7, RunRecord.completed(threeTasks))])
      return try table(sweep, strategy + ".h5")
    }
    let (integer, number) = (try cube("integer", "3", "a"), try cube("number", "0.25", "b"))
    let text = try cube("string", "\"half\"", "c")
    #expect(try merged([integer, number]).doubles("x_size") == [3, 0.25])
    #expect(try merged([integer, number, text]).strings("x_size") == ["3", "0.25", "half"])
  }
}

@Suite struct CubeTableTests {
  @Test func `what is no cube, or a part of one, is refused with its name`() throws {
    let image = try firstSweep().image()
    func message(_ bytes: [UInt8]) -> String {
      do {
        _ = try CubeTable(bytes: bytes, named: "x.h5")
        return ""
      } catch { return String(describing: error) }
    }
    #expect(message([]) == "x.h5: it is no HDF5 file.")
    #expect(message(Array("{}".utf8)) == "x.h5: it is no HDF5 file.")
    for cut in 1...64 {
      #expect(
        message(image.dropLast(cut))
          == "x.h5: it is damaged: its checksum is not that of its content.", "\(cut) bytes less")
    }
    for cut in [8, 100, 2048, image.count / 2, image.count - 73] {
      #expect(message(Array(image[..<cut])).hasPrefix("x.h5: it is damaged: cannot open the file: "), "\(cut)")
    }
    let foreign = try HDF5File.create()
    #expect(
      try message(foreign.image())
        == "x.h5: it has no attribute palimpsest_schema, not \"results/1\": it is no cube of this program.")
    try foreign.root.attributes.set("palimpsest_schema", "results/1")
    #expect(try message(foreign.image()) == "x.h5: it has no dataset run.")
  }

  /// Without the checksum libhdf5 crashes on 2 flips of 300 and shows every second as wrong numbers.
  @Test func `a flipped bit anywhere is refused before libhdf5 sees it`() throws {
    let image = try firstSweep().image()
    for byte in stride(from: 8, to: image.count - 72, by: 997) {
      var damaged = image
      damaged[byte] ^= 1 << UInt8(byte % 8)
      #expect(throws: CubeError.self, "\(byte)") { try CubeTable(bytes: damaged, named: "x.h5") }
    }
  }

  @Test func `a cube whose checksum another program dropped is taken as it is`() throws {
    let image = try firstSweep().image()
    #expect(try CubeTable(bytes: Array(image.dropLast(72)), named: "x.h5").runs == 2)
  }

  @Test func `a cube beside a manifest must be the one collected`() throws {
    let sweep = try firstSweep()
    try sweep.folder.collect(origin: .ada)
    #expect(try CubeTable(file: sweep.folder.cube).runs == 2)
    try Files.replace(sweep.folder.cube, with: secondSweep().image())
    let error = #expect(throws: CubeError.self) { try CubeTable(file: sweep.folder.cube) }
    #expect(error?.kind == .damaged)
    #expect(throws: CubeError.self) { try CubeTable(file: sweep.folder.cube + ".none") }
  }
}
