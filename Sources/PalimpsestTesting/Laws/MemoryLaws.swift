import PalimpsestCore

/// The laws of a memory, as functions that any test can call:
///
///     #expect(MemoryLaws.check(MyMemory()).isEmpty)
///
/// A small stream of tasks is run through the memory. Each function returns what it found wrong, one sentence each. `lends` says how
/// the memory is asked: with a look at a network (a ``PalimpsestCore/Lender``), as a learner asks one that ``PalimpsestCore/Memory/looks``,
/// or without, as a learner asks the others and a transform asks all.
public enum MemoryLaws {
  /// Capacity, draws, repeatability and checkpoints; of a memory that looks in both forms, of another also that both forms are one.
  /// - Parameter memory: with its parameters set and nothing held. The laws know the capacity from its parameters
  ///   `capacity`, `unit` and `per`; without them no bound is checked.
  public static func check<M: Memory>(_ memory: M, seed: UInt64 = 1) -> [String] {
    [LawStream(seed: seed), LawStream(seed: seed, isTagged: true)].flatMap { stream in
      let plain = check(memory, stream, lends: false)
      return plain + (M.looks ? check(memory, stream, lends: true) : answersAlike(memory, stream))
    }
  }

  private static func check(_ memory: some Memory, _ stream: LawStream, lends: Bool) -> [String] {
    withinCapacity(memory, stream, lends: lends) + drawsWhatWasOffered(memory, stream, lends: lends)
      + repeats(memory, stream, lends: lends) + continuesFromCheckpoint(memory, stream, lends: lends)
  }

  /// Never more rows or bytes than the capacity allows, in no class and no task where it is said of those.
  public static func withinCapacity(_ memory: some Memory, _ stream: LawStream, lends: Bool = false) -> [String] {
    let limit = DeclaredCapacity(memory)
    return run(memory, stream, lends) { memory, offered in
      limit.violation(holding: content(memory, stream.columns), bytes: memory.bytes, after: offered)
    }
  }

  /// A draw of n appends min(n, count) rows that were offered, each once, with all their tags and answers, and leaves the
  /// memory as large as it was.
  public static func drawsWhatWasOffered(_ memory: some Memory, _ stream: LawStream, lends: Bool = false) -> [String] {
    run(memory, stream, lends) { memory, offered in
      if memory.count < 0 { return "it holds \(memory.count) rows" }
      for n in [1, 2, memory.count / 2, memory.count, memory.count + 3] where n > 0 {
        if let violation = drawViolation(memory, n, offered, stream, lends) { return violation }
      }
      return nil
    }
  }

  /// The same stream and the same seed give the same rows in the same order.
  public static func repeats(_ memory: some Memory, _ stream: LawStream, lends: Bool = false) -> [String] {
    var contents: [Batch] = []
    _ = run(memory, stream, lends) { memory, _ in
      contents.append(content(memory, stream.columns))
      return nil
    }
    var step = 0
    return run(memory, stream, lends) { memory, _ in
      defer { step += 1 }
      return same(contents[step], content(memory, stream.columns)) ? nil : "the same seed gave other rows"
    }
  }

  /// A memory that is encoded and decoded after every third event goes the same way as one that is not.
  public static func continuesFromCheckpoint<M: Memory>(
    _ memory: M, _ stream: LawStream, lends: Bool = false
  ) -> [String] {
    var resumed = memory
    var (rng, lender) = (Random(key: stream.seed), stream.lender)
    var index = 0
    return run(memory, stream, lends) { direct, _ in
      apply(stream.events[index], to: &resumed, &lender, lends, using: &rng)
      index += 1
      do { if index % 3 == 0 { resumed = try resumed.copiedState } } catch { return "no checkpoint: \(error)" }
      let isSame = same(content(direct, stream.columns), content(resumed, stream.columns))
      return isSame ? nil : "a decoded checkpoint went on with other rows"
    }
  }

  /// What does not look goes the same way with a look and without: a learner never asks it with one.
  private static func answersAlike(_ memory: some Memory, _ stream: LawStream) -> [String] {
    var other = memory
    var (rng, lender) = (Random(key: stream.seed), stream.lender)
    var index = 0
    return run(memory, stream, false) { plain, _ in
      apply(stream.events[index], to: &other, &lender, true, using: &rng)
      index += 1
      let isSame = same(content(plain, stream.columns), content(other, stream.columns))
      return isSame ? nil : "it holds other rows with a look at the network, and does not say that it looks"
    }
  }

  // MARK: - Running

  /// Runs the stream and stops at the first violation.
  private static func run<M: Memory>(
    _ memory: M, _ stream: LawStream, _ lends: Bool, _ law: (M, OfferedRows) -> String?
  ) -> [String] {
    var memory = memory
    var (rng, lender) = (Random(key: stream.seed), stream.lender)
    var offered = OfferedRows()
    for index in stream.events.indices {
      offered.add(stream.events[index])
      apply(stream.events[index], to: &memory, &lender, lends, using: &rng)
      if let violation = law(memory, offered) {
        return ["\(M.name)\(lends ? ", looking" : ""): \(stream.place(index)): \(violation)"]
      }
    }
    return []
  }

  private static func apply(
    _ event: LawStream.Event, to memory: inout some Memory, _ lender: inout Lender, _ lends: Bool,
    using rng: inout Random
  ) {
    switch event {
    case .begin(let info, let model): memory.begin(info, model)
    case .step(let batch, let context):
      var drawn = Batch(columns: batch.columns)
      draw(2, for: batch, from: &memory, into: &drawn, &lender, lends, using: &rng)
      if lends {
        memory.insert(batch, context, &lender, using: &rng)
        lender.moveBack()
      } else {
        memory.insert(batch, context, using: &rng)
      }
    case .end(let ended): memory.consolidate(ended, using: &rng)
    }
  }

  private static func draw(
    _ n: Int, for new: Batch, from memory: inout some Memory, into batch: inout Batch, _ lender: inout Lender,
    _ lends: Bool, using rng: inout Random
  ) {
    guard lends else { return memory.draw(n, into: &batch, using: &rng) }
    memory.draw(n, for: new, into: &batch, &lender, using: &rng)
    lender.moveBack()
  }

  /// All rows held, by a draw from a copy: equal states give equal batches.
  private static func content(_ memory: some Memory, _ columns: Int) -> Batch {
    var copy = memory
    var rng = Random(key: 7)
    var batch = Batch(columns: columns)
    if copy.count > 0 { copy.draw(copy.count, into: &batch, using: &rng) }
    return batch
  }

  private static func same(_ a: Batch, _ b: Batch) -> Bool {
    a.inputs == b.inputs && a.tags.elementsEqual(b.tags) && a.answers == b.answers
  }

  private static func drawViolation(
    _ memory: some Memory, _ n: Int, _ offered: OfferedRows, _ stream: LawStream, _ lends: Bool
  ) -> String? {
    var copy = memory
    var (rng, lender, batch) = (Random(key: stream.seed), stream.lender, stream.marker)
    draw(n, for: stream.marker, from: &copy, into: &batch, &lender, lends, using: &rng)
    let expected = min(n, memory.count)
    if copy.count != memory.count { return "a draw changed the count from \(memory.count) to \(copy.count)" }
    if batch.columns != stream.columns {
      return "a draw made a batch of \(stream.columns) columns one of \(batch.columns)"
    }
    if batch.count != expected + 1 { return "a draw of \(n) from \(memory.count) gave \(batch.count - 1) rows" }
    if batch.inputs.row(0) != stream.marker.inputs.row(0) { return "a draw changed rows that were in the batch" }
    if Set((1..<batch.count).map { batch.inputs[$0, 0] }).count != expected { return "a draw of \(n) gave a row twice" }
    return (1..<batch.count).lazy.compactMap { offered.violation(row: $0, of: batch) }.first
  }
}

/// The capacity that a memory's parameters state.
private struct DeclaredCapacity {
  let capacity: Int?
  let isBytes: Bool
  let per: ParameterValue?

  init(_ memory: some Memory) {
    let values = Dictionary(memory.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    if case .number(let text) = values["capacity"] { capacity = Int(text) } else { capacity = nil }
    isBytes = values["unit"] == .string("bytes")
    per = values["per"]
  }

  func violation(holding rows: Batch, bytes: Int, after offered: OfferedRows) -> String? {
    guard let capacity else { return nil }
    let (stores, keys): (Int, [Int32]) =
      switch per {
      case .string("class"): (offered.labels.count, rows.labels)
      case .string("task"): (offered.experiences.count, rows.experiences)
      default: (1, rows.labels.map { _ in 0 })
      }
    let most = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +).values.max() ?? 0
    let allowed = isBytes ? capacity / rows.rowBytes : capacity
    if most > allowed { return "\(most) rows are held where \(allowed) are allowed" }
    if rows.count > allowed * stores { return "\(rows.count) rows are held where \(allowed * stores) are allowed" }
    if isBytes && bytes > capacity * stores { return "\(bytes) bytes are held where \(capacity * stores) are allowed" }
    return nil
  }
}

/// The rows a memory has been offered, by the number in their first column.
struct OfferedRows {
  private struct Offer {
    let inputs: [Float]
    let tag: RowTag
    /// None where the row came without.
    let answers: [UInt32]
  }

  private(set) var labels: Set<Int32> = []
  private(set) var experiences: Set<Int32> = []
  private var rows: [Float: [Offer]] = [:]

  mutating func add(_ event: LawStream.Event) {
    switch event {
    case .begin: break
    case .step(let batch, _): add(batch)
    case .end(let ended): add(ended.data.batch)
    }
  }

  private mutating func add(_ batch: Batch) {
    for row in 0..<batch.count {
      let inputs = batch.inputs.row(row)
      let offer = Offer(inputs: inputs, tag: batch.tags[row], answers: OfferedRows.answers(row, of: batch))
      rows[inputs[0], default: []].append(offer)
      labels.insert(batch.tags[row].label)
      experiences.insert(batch.tags[row].experience)
    }
  }

  func violation(row: Int, of batch: Batch) -> String? {
    let inputs = batch.inputs.row(row)
    guard let offers = rows[inputs[0]], let first = offers.first, first.inputs == inputs else {
      return "a row was drawn that was never offered"
    }
    let tag = batch.tags[row]
    if first.tag.label != tag.label { return "a row came back with another label" }
    if first.tag.experience != tag.experience { return "a row came back with another experience" }
    let answers = OfferedRows.answers(row, of: batch)
    if offers.contains(where: { $0.tag == tag && $0.answers == answers }) { return nil }
    return "a row came back with another weight, owner, time or other answers"
  }

  /// The bits of a row's answers: NaN marks outputs that took no part.
  private static func answers(_ row: Int, of batch: Batch) -> [UInt32] {
    guard let answers = batch.answers, !answers.isUnknown(row: row) else { return [] }
    return answers.row(row).map(\.bitPattern)
  }
}
