import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct SplitTests {
  private let library = TinyLibrary.table(classes: 6)
  private let split = with(Split()) { $0.data = unscaled() }

  private func stream(_ split: Split, seed: UInt64 = 1) throws -> any DriftStream {
    try split.prepare(from: library).makeStream(seed: Seed(seed))
  }

  @Test func `class-incremental: own outputs a task, all of them may be answered`() throws {
    let stream = try stream(split)
    #expect(stream.shape == TaskShape(inputs: 1, outputs: 6))
    #expect(stream.experiences.map(\.outputs) == [0..<2, 2..<4, 4..<6])
    #expect(stream.experiences.map(\.seenOutputs) == [0..<2, 0..<4, 0..<6])
    #expect(stream.experiences.map(\.name) == ["c0, c1", "c2, c3", "c4, c5"])
    #expect(stream.experiences.map(\.rows) == [8, 8, 8])
    // Row i of the table is of class i mod 6: classes 2 and 3 stand at 2, 3, 8, 9, 14, 15, 20, 21.
    #expect(stream.trainingRows(for: 1).places == [2, 3, 8, 9, 14, 15, 20, 21])
    #expect(stream.trainingRows(for: 1).labels == [2, 3, 2, 3, 2, 3, 2, 3])
    #expect(stream.evaluationSet(for: 1).rows.places == [26, 27, 32, 33])
    #expect((0..<3).map { stream.evaluationSet(for: $0).knownExperience } == [nil, nil, nil])
    #expect((0..<3).map { stream.evaluationSet(for: $0).candidates } == [0..<6, 0..<6, 0..<6])
  }

  @Test func `task-incremental: the task is told and its outputs are the answers`() throws {
    let stream = try stream(with(split) { $0.setting = .taskIncremental })
    #expect(stream.shape.outputs == 6)
    #expect((0..<3).map { stream.evaluationSet(for: $0).knownExperience } == [0, 1, 2])
    #expect((0..<3).map { stream.evaluationSet(for: $0).candidates } == [0..<2, 2..<4, 4..<6])
    #expect(stream.trainingRows(for: 2).labels == [4, 5, 4, 5, 4, 5, 4, 5])
  }

  @Test func `domain-incremental: labels are places within the task`() throws {
    let stream = try stream(with(split) { $0.setting = .domainIncremental })
    #expect(stream.shape.outputs == 2)
    #expect(stream.experiences.map(\.outputs) == [0..<2, 0..<2, 0..<2])
    #expect(stream.trainingRows(for: 2).labels == [0, 1, 0, 1, 0, 1, 0, 1])
    #expect(stream.evaluationSet(for: 2).knownExperience == nil)
    let told = try self.stream(
      with(split) {
        $0.setting = .domainIncremental
        $0.identity = .given
      })
    #expect(told.evaluationSet(for: 2).knownExperience == 2)
    #expect(told.evaluationSet(for: 2).candidates == 0..<2)
  }

  @Test(arguments: Split.Setting.allCases) func `tasks are disjoint and complete`(setting: Split.Setting) throws {
    let stream = try stream(
      with(split) {
        $0.setting = setting
        $0.classOrder = .shuffled
        $0.classesPerTask = 3
      }, seed: 5)
    #expect((0..<2).flatMap { stream.trainingRows(for: $0).places }.sorted() == Array(Int32(0)..<24))
    #expect((0..<2).flatMap { stream.evaluationSet(for: $0).rows.places }.sorted() == Array(Int32(24)..<36))
  }

  @Test func `classes in an order of one's own`() throws {
    let stream = try stream(with(split) { $0.classes = [5, 0, 3, 1] })
    #expect(stream.experiences.map(\.name) == ["c5, c0", "c3, c1"])
    #expect(stream.trainingRows(for: 0).places == [0, 5, 6, 11, 12, 17, 18, 23])
    #expect(stream.trainingRows(for: 0).labels == [1, 0, 1, 0, 1, 0, 1, 0])
  }

  @Test func `a shuffled order depends on the seed alone`() throws {
    let shuffled = with(split) { $0.classOrder = .shuffled }
    let names = try (0..<20).map { try stream(shuffled, seed: $0).experiences.map(\.name) }
    #expect(try stream(shuffled, seed: 3).experiences.map(\.name) == names[3])
    #expect(Set(names).count > 15)
    #expect(Set(names.map { $0.joined(separator: ", ").split(separator: ", ").sorted() }).count == 1)
  }

  @Test func `capped rows are a sample of the seed, in file order, the same for every setting`() throws {
    let capped = with(split) {
      $0.rowsPerClass = 2
      $0.data.testRows = 3
    }
    let places = try (0..<20).map { try stream(capped, seed: $0).trainingRows(for: 0).places }
    #expect(places.allSatisfy { $0.count == 4 && $0 == $0.sorted() })
    #expect(places.allSatisfy { $0.filter { $0 % 6 == 0 }.count == 2 })
    #expect(Set(places).count > 5)
    let asTasks = with(capped) { $0.setting = .taskIncremental }
    #expect(try stream(asTasks, seed: 4).trainingRows(for: 0).places == places[4])
    #expect(try stream(capped).evaluationSet(for: 0).rows.count == 3)
    let more = with(split) { $0.rowsPerClass = 99 }
    #expect(try stream(more).trainingRows(for: 0).count == 8)
  }

  @Test func `fewer tasks use fewer outputs`() throws {
    let stream = try stream(with(split) { $0.tasks = 2 })
    #expect(stream.shape.outputs == 4)
    #expect(stream.experiences.count == 2)
  }

  @Test func `parameters are read by name, those of the data set among them`() throws {
    let read = try Split(settings: [
      "dataset": .string("digits8x8"), "scale": .string("standard"), "setting": .string("domain"),
      "classes": .list([.number("1"), .number("0")]), "identity": .string("given"),
    ])
    #expect(read.data.dataset == "digits8x8" && read.data.scale == .standard)
    #expect(read.setting == .domainIncremental && read.classes == [1, 0] && read.identity == .given)
    #expect(
      Split.declaredParameters.map(\.name) == [
        "dataset", "scale", "testRows", "setting", "classesPerTask", "tasks", "classOrder", "classes", "rowsPerClass",
        "identity", "transition", "width", "schedule.name", "schedule.at", "schedule.order", "schedule.period",
        "schedule.amplitude", "schedule.stay", "schedule.width", "schedule.length", "schedule.from", "schedule.to",
      ])
  }

  @Test func `contradictions name the parameter`() {
    #expect(
      refusal(with(split) { $0.classesPerTask = 4 }, library)
        == "classesPerTask: 6 classes do not divide into tasks of 4. Choose a divisor of 6, or set \"tasks\"")
    #expect(
      refusal(with(split) { $0.tasks = 4 }, library)
        == "tasks: 4 tasks of 2 classes are too many: there are 6 classes, enough for 3")
    #expect(
      refusal(with(split) { $0.tasks = .max }, library)
        == "tasks: \(Int.max) tasks of 2 classes are too many: there are 6 classes, enough for 3")
    #expect(
      refusal(with(split) { $0.classesPerTask = .max }, library)
        == "classesPerTask: 6 classes do not divide into tasks of \(Int.max). Choose a divisor of 6, or set \"tasks\"")
    #expect(
      refusal(with(split) { $0.classes = [0, 6] }, library)
        == "classes: 6 is not a class of \"tiny\"; its classes are numbered from 0 to 5")
    #expect(refusal(with(split) { $0.classes = [0, 1, 0] }, library) == "classes: class 0 is listed twice")
    #expect(
      refusal(
        with(split) {
          $0.classesPerTask = 1
          $0.setting = .taskIncremental
        }, library)
        == "classesPerTask: with 1 class to choose from there is nothing to learn. At least 2 are needed")
    #expect(
      refusal(
        with(split) {
          $0.setting = .taskIncremental
          $0.identity = .hidden
        }, library)
        == "identity: in the task-incremental setting the task is told. Choose setting \"class\" to hide it")
    #expect(
      refusal(with(split) { $0.identity = .given }, library)
        == "identity: in the class-incremental setting the task is hidden. Choose setting \"task\" to tell it")
  }

  /// A table of the given labels, the last rows for testing.
  private func labelled(_ labels: [Int32], test: Int, classes: Int = 2) -> TinyLibrary {
    let rows = labels.count
    return TinyLibrary(
      dataset: Dataset(
        name: "t", inputs: Table(FloatBuffer(labels.map { Float($0) }), columns: 1), labels: labels,
        classes: (0..<classes).map { "c\($0)" }, training: 0..<rows - test, test: rows - test..<rows))
  }

  @Test func `data that cannot be learned or tested are refused`() {
    #expect(
      refusal(split, labelled([0, 0, 1, 0, 1], test: 2))
        == "dataset: class \"c1\" of \"t\" has 1 row to train on; a class needs at least 2")
    #expect(
      refusal(split, labelled([0, 0, 1, 1, 0], test: 1))
        == "dataset: class \"c1\" of \"t\" has no rows to test on; a class needs at least 1")
    #expect(refusal(split, labelled([0, 0, 1, 1], test: 0)) == "dataset: \"t\" has no rows to test on")
    #expect(refusal(split, labelled([0, 1], test: 2)) == "dataset: \"t\" has no rows to train on")
    #expect(
      refusal(split, labelled([0, 0], test: 1, classes: 1)) == "dataset: \"t\" has 1 class; at least 2 are needed")
  }
}
