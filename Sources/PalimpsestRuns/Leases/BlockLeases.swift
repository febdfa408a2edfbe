import PalimpsestJSON

/// A block in hand.
package struct HeldBlock: Sendable, Equatable {
  package let block: Int
  package let generation: Int
  /// Runs of it that earlier holders have done.
  package let done: Set<String>
  /// Holders that fell silent over it one after the other, with no run finished and no word of why.
  package let silences: Int
  /// File names of the journals of earlier holders, each once, in the order of their generations.
  package var journals: [String] = []
}

/// Takes, keeps, ends and gives back the blocks of a launch: one for each thread of a worker. All of it is said by names and times of
/// files (`LeaseStore`); nothing is asked of other workers.
///
/// The rules, over all interleavings of any number of these with deaths between any two calls (`LeaseLaws`):
/// - A block is taken by making the name of its first lease, taken over by making the next one, and finished by a marker that is made
///   before the leases go. So no name is ever free again, and whoever makes one looks for the marker afterwards.
/// - A lease that was not touched for `patience` seconds is anyone's, by the server's clock alone. So two hold a block no longer than the
///   time between two touches.
package struct BlockLeases: Sendable {
  /// What there is to do next.
  package enum Next: Sendable, Equatable {
    case block(HeldBlock)
    /// Others hold all that is left, and one of them may be dead, or is the last: ask again in a second.
    case later
    /// Others hold all that is left and are alive, or nothing is.
    case nothing
  }

  /// Where the holder's journal stands, and what earlier ones hold.
  package struct Journals: Sendable {
    let own: @Sendable () throws -> (name: String, length: Int)
    let done: @Sendable (_ block: Int, _ earlier: [Lease]) throws -> Set<String>
    let leftWord: @Sendable (_ holder: Lease) -> Bool

    /// - Parameters:
    ///   - own: the file name and the length of the holder's journal.
    ///   - done: ids of a block's runs that stand in these journals behind these offsets.
    ///   - leftWord: whether it is known what the holder died of (``Casualties``).
    package init(
      own: @escaping @Sendable () throws -> (name: String, length: Int),
      done: @escaping @Sendable (Int, [Lease]) throws -> Set<String>,
      leftWord: @escaping @Sendable (Lease) -> Bool = { _ in false }
    ) {
      (self.own, self.done, self.leftWord) = (own, done, leftWord)
    }
  }

  private let store: any LeaseStore
  private let holder: LeaseHolder
  private let journals: Journals
  private let patience: Double
  /// Blocks in the order in which this holder looks for them.
  private let order: [Int]
  /// What the folders held when they were last read: block → latest generation, and blocks that are done.
  private var leased: [Int: Int] = [:]
  private var done: Set<Int> = []
  /// All before it in the order are taken or done, as far as is known.
  private var cursor = 0
  private var isFresh = false
  private var hasLooked = false
  private var hasInherited: Bool
  private var hasFinished = false
  /// Since when all that is left is one block, which another has in hand.
  private var waitsSince: Double?

  /// - Parameters:
  ///   - start: the block that is looked for first.
  ///   - patience: seconds after which a silent lease is anyone's.
  package init(
    _ store: any LeaseStore, _ holder: LeaseHolder, blocks: Int, start: Int, patience: Double, _ journals: Journals
  ) {
    (self.store, self.holder, self.patience, self.journals) = (store, holder, patience, journals)
    order = blocks == 0 ? [] : (0..<blocks).map { (start + $0) % blocks }
    hasInherited = holder.restart == 0 || holder.job.isEmpty
  }

  // MARK: - Taking

  /// The next block, which is then this holder's until it is finished, released or lost.
  ///
  /// - Parameter poisoned: called for a block that is not to be tried again, with its finished runs; what it returns is kept with the marker.
  /// - Cost: a link, a look and the private file; the folders are read where a block that looked free was not, and where none looks free.
  package mutating func next(poisoned: (Int, Set<String>) throws -> [UInt8]) throws -> Next {
    if order.isEmpty { return .nothing }
    if !hasLooked { try look() }
    if !hasInherited, let own = try inherited(poisoned) { return .block(own) }
    while true {
      if let held = try takeFree() { return .block(held) }
      if isFresh { break }
      try look()
    }
    return try takeAbandoned(poisoned)
  }

  private mutating func look() throws {
    // Leases first: a block that is finished in between has lost its lease and has its marker.
    (leased, done, cursor) = ([:], [], 0)
    for name in try store.names(on: .leases) {
      guard let (block, generation) = LeaseName.parse(lease: name) else { continue }
      leased[block] = max(leased[block] ?? 0, generation)
    }
    for name in try store.names(on: .done) {
      if let (block, _) = LeaseName.parse(marker: name) { done.insert(block) }
    }
    (isFresh, hasLooked) = (true, true)
  }

  /// When the folders were last read every block was finished or set aside.
  package var isAllDone: Bool { done.count >= order.count }

  private func isOpen(_ block: Int) -> Bool { !done.contains(block) }

  /// The first block without lease and marker that can be had. What is known of the folders is old from the first call on.
  private mutating func takeFree() throws -> HeldBlock? {
    while cursor < order.count, !isOpen(order[cursor]) || leased[order[cursor]] != nil { cursor += 1 }
    guard cursor < order.count else { return nil }
    let block = order[cursor]
    isFresh = false
    leased[block] = 0
    let (journal, length) = try journals.own()
    let lease = Lease(holder, journal: journal, offset: length)
    guard try store.create(LeaseName.lease(block, 0), on: .leases, lease.content) else { return nil }
    return try confirmed(block, 0, done: [], silences: 0)
  }

  /// A block that was taken may have been finished before, and its leases gone.
  private mutating func confirmed(_ block: Int, _ generation: Int, done runs: Set<String>, silences: Int) throws
    -> HeldBlock?
  {
    guard try isMarked(block) else {
      return HeldBlock(block: block, generation: generation, done: runs, silences: silences)
    }
    done.insert(block)
    try store.remove(LeaseName.lease(block, generation))
    return nil
  }

  private func isMarked(_ block: Int) throws -> Bool {
    try store.exists(LeaseName.marker(block), on: .done) || store.exists(LeaseName.poison(block), on: .done)
  }

  // MARK: - Taking over

  private var abandonable: [(block: Int, generation: Int)] {
    order.compactMap { block in isOpen(block) ? leased[block].map { (block, $0) } : nil }
  }

  /// Blocks that this task held before it was started anew.
  private mutating func inherited(_ poisoned: (Int, Set<String>) throws -> [UInt8]) throws -> HeldBlock? {
    for (block, generation) in abandonable {
      guard let lease = try lease(block, generation), holder.follows(lease.holder) else { continue }
      if let held = try takeOver(block, generation, silentSince: nil, poisoned) { return held }
    }
    hasInherited = true
    return nil
  }

  private mutating func takeAbandoned(_ poisoned: (Int, Set<String>) throws -> [UInt8]) throws -> Next {
    let candidates = abandonable
    if candidates.isEmpty { return .nothing }
    var mayBeDead = false
    isFresh = false
    let now = try store.now()
    for (block, generation) in candidates {
      guard let touched = try store.touched(LeaseName.lease(block, generation)) else {
        mayBeDead = true  // It is finished or another's; the folders tell.
        continue
      }
      if now - touched >= patience, let held = try takeOver(block, generation, silentSince: touched, poisoned) {
        return .block(held)
      }
      mayBeDead = mayBeDead || now - touched >= patience * 0.75
    }
    return mayBeDead || stays(beside: candidates.count, at: now) ? .later : .nothing
  }

  /// The last but one at work waits for the last, for the patience at most: a last one that dies meanwhile has an heir, and a slot is not
  /// idle for long. Who has done nothing here goes at once, for any number of such may come.
  private mutating func stays(beside open: Int, at now: Double) -> Bool {
    guard hasFinished, open == 1 else { return false }
    let since = waitsSince ?? now
    waitsSince = since
    return now - since < patience
  }

  /// Nil where it is not there; a damaged one is nobody's, and of runs in no journal.
  private func lease(_ block: Int, _ generation: Int) throws -> Lease? {
    try store.read(LeaseName.lease(block, generation)).map { bytes in
      Lease(bytes) ?? Lease(LeaseHolder(host: "", process: 0, task: -1), journal: "", offset: 0)
    }
  }

  /// Makes the next generation of a block's lease, unless it was touched after `silentSince`. One that holder after holder fell silent over is set aside.
  private mutating func takeOver(
    _ block: Int, _ generation: Int, silentSince: Double?, _ poisoned: (Int, Set<String>) throws -> [UInt8]
  ) throws -> HeldBlock? {
    var earlier: [Lease?] = []
    for older in 0...generation { earlier.append(try lease(block, older)) }
    // They go after the marker was made.
    if earlier.contains(where: { $0 == nil }), try isMarked(block) {
      done.insert(block)
      return nil
    }
    guard let last = earlier.last ?? nil else { return nil }
    let holders = earlier.compactMap { $0 }
    let runs = try journals.done(block, holders)
    // Reading journals takes a while: a holder that came back meanwhile keeps its block.
    let touched = try store.touched(LeaseName.lease(block, generation))
    if let silentSince, touched != silentSince { return nil }
    let isExplained = touched == 0 || journals.leftWord(last)
    let silences = isExplained ? 0 : runs.count > last.finished ? 1 : last.silences + 1
    let (journal, length) = try journals.own()
    let next = Lease(holder, journal: journal, offset: length, finished: runs.count, silences: silences)
    leased[block] = generation + 1
    guard try store.create(LeaseName.lease(block, generation + 1), on: .leases, next.content) else { return nil }
    guard var held = try confirmed(block, generation + 1, done: runs, silences: silences) else { return nil }
    held.journals = Lease.journals(of: holders)
    if silences < Lease.mostSilences { return held }
    try setAside(held, poisoned(block, runs))
    return nil
  }

  /// The block is not tried again in this launch.
  private mutating func setAside(_ held: HeldBlock, _ content: [UInt8]) throws {
    done.insert(held.block)
    _ = try store.create(LeaseName.poison(held.block), on: .done, content)
    try removeLeases(of: held)
  }

  // MARK: - Holding

  /// Says that the holder lives, and looks whether another has taken the block over.
  /// - Returns: false where it is not this holder's any more: the run in hand is the last of it.
  package func keep(_ held: HeldBlock) throws -> Bool {
    guard try store.touch(LeaseName.lease(held.block, held.generation)) else { return false }
    return try !store.exists(LeaseName.lease(held.block, held.generation + 1), on: .leases)
  }

  /// Every run of the block stands in a journal that was synced.
  package mutating func finish(_ held: HeldBlock) throws {
    done.insert(held.block)
    (hasFinished, waitsSince) = (true, nil)
    // Without its lease it was finished by an heir.
    _ = try store.mark(LeaseName.lease(held.block, held.generation), done: LeaseName.marker(held.block))
    try removeLeases(of: held)
  }

  private func removeLeases(of held: HeldBlock) throws {
    for generation in (0...held.generation).reversed() { try store.remove(LeaseName.lease(held.block, generation)) }
  }

  /// Gives the block back: anyone may go on with it at once.
  package func release(_ held: HeldBlock) throws { try store.expire(LeaseName.lease(held.block, held.generation)) }
}
