import PalimpsestCore

/// An update that has begun: what it takes to go on with it in another process.
struct RunningUpdate: Sendable, Codable {
  /// Counted from 0.
  let number: Int
  /// Among the person's rows: those of the personal model, and those of the window's.
  let own: [Int32]
  let windowed: [Int32]
  /// Among the population's rows.
  let mixed: [Int32]
  /// Which of the two is trained, and where it stands; nil: at its beginning.
  var isAtWindow = false
  var place: BatchFeed.Place?
}

extension PersonalModel {
  /// An update begins, on the rows whose outcome has been observed.
  /// - Parameters:
  ///   - rows: the person's, in order of time: as many as were observed are looked at, from the first on.
  ///   - population: rows to mix in where the settings ask for some.
  /// - Returns: false where there is nothing to learn from, or a candidate is still judged in the dark.
  public mutating func beginUpdate(_ order: UpdateOrder, on rows: Rows, population: Rows? = nil) -> Bool {
    guard update == nil, candidate == nil else { return false }
    let known = min(clock.rows, rows.count)
    let every = safeguard.heldOutEvery ?? .max
    let kept = (0..<Int32(known)).filter { (Int($0) + 1) % every != 0 }
    let own = choose(among: kept, of: rows)
    guard !own.isEmpty else { return false }
    let number = counts.started
    let wantsWindow = safeguard.experts.contains(.window)
    update = RunningUpdate(
      number: number, own: own, windowed: wantsWindow ? latest(training.rows.days, kept, rows) : [],
      mixed: mixed(population, number))
    candidate = started(personal, begins: !hasBegun)
    counts.started += 1
    clock.beginUpdate()
    return true
  }

  /// Goes on with the update that has begun, to its end at most. Whatever the numbers of steps, the bits are the same.
  /// - Parameters:
  ///   - rows, population: those that it began with; more of the person's may have come.
  /// - Returns: false once the update has ended; it is true while there is more to do.
  public mutating func advance(steps: Int, on rows: Rows, population: Rows? = nil) -> Bool {
    guard var running = update else { return false }
    if feeds.isEmpty { feeds = [feed(running, rows, population)] }
    var left = steps
    while left > 0 {
      if step(running) {
        left -= 1
      } else if !running.isAtWindow && !running.windowed.isEmpty {
        running.isAtWindow = true
        running.place = nil
        update = running
        window = started(shipped, begins: true)
        feeds = [feed(running, rows, population)]
      } else {
        feeds = []
        end(rows)
        return false
      }
    }
    running.place = feeds[0].place
    update = running
    return true
  }

  /// Goes through a whole update.
  /// - Returns: false where none began.
  @discardableResult
  public mutating func learn(_ order: UpdateOrder, on rows: Rows, population: Rows? = nil) -> Bool {
    guard beginUpdate(order, on: rows, population: population) else { return false }
    while advance(steps: .max, on: rows, population: population) {}
    return true
  }

  /// One with the optimiser of updates.
  /// - Parameter begins: the person's stage is still to begin.
  private func started(_ learner: any Learner, begins: Bool) -> any Learner {
    var learner = learner
    training.training.prepare(&learner)
    if begins { learner.begin(stageInfo) }
    return learner
  }

  private var stageInfo: ExperienceInfo {
    ExperienceInfo(
      index: PersonalModel.stage, name: "person", outputs: 0..<shape.outputs, seenOutputs: 0..<shape.outputs, rows: 0)
  }

  // MARK: - Rows

  private func choose(among known: [Int32], of rows: Rows) -> [Int32] {
    switch training.rows.name {
    case .all: known
    case .window: latest(training.rows.days, known, rows)
    case .new: known.filter { Int($0) >= clock.rows - clock.rowsSinceUpdate }
    case .budget: budget(known, rows)
    }
  }

  /// Those of the last days up to the latest row; all where rows have no times.
  private func latest(_ days: Int, _ known: [Int32], _ rows: Rows) -> [Int32] {
    guard let times = rows.times else { return known }
    let first = clock.time - 86_400 * Int64(days)
    return known.filter { times[Int($0)] > first }
  }

  private func budget(_ known: [Int32], _ rows: Rows) -> [Int32] {
    let count = training.rows.labels
    if known.count <= count { return known }
    switch training.rows.choice {
    case .periodic: return (0..<count).map { known[($0 * known.count) / count] }
    case .random:
      // Each row has a number of its own: a row that was asked for stays asked for while later ones come.
      return smallest(count, of: known) { seed.uniform(Int($0), 0, 0) }
    case .uncertain: return smallest(count, of: known, certainty(rows))
    case .certain:
      let certainty = certainty(rows)
      return smallest(count, of: known) { -certainty($0) }
    case .mixed:
      let certainty = certainty(rows)
      let unsure = smallest(count / 2, of: known, certainty)
      let taken = Set(unsure)
      return (unsure + smallest(count - count / 2, of: known.filter { !taken.contains($0) }) { -certainty($0) })
        .sorted()
    }
  }

  /// |p − ½| under the shipped model, for the likeliest label.
  private func certainty(_ rows: Rows) -> (Int32) -> Double {
    let logits = shipped.predict(rows.batch.inputs, knowing: 0)
    return { row in
      var most = 0.0
      PersonalModel.shares(of: logits, row: Int(row), isBinary: shape.isBinary) { _, p in most = max(most, p) }
      return most
    }
  }

  private func smallest(_ count: Int, of rows: [Int32], _ value: (Int32) -> Double) -> [Int32] {
    let ranked = rows.map { (value: value($0), row: $0) }.sorted { ($0.value, $0.row) < ($1.value, $1.row) }
    return ranked.prefix(count).map(\.row).sorted()
  }

  private func mixed(_ population: Rows?, _ number: Int) -> [Int32] {
    guard let population, training.populationRows > 0, population.count > 0 else { return [] }
    var rng = seed.stream("population rows", number)
    return (0..<training.populationRows).map { _ in Int32(rng.index(below: population.count)) }
  }

  // MARK: - Steps

  private func feed(_ running: RunningUpdate, _ rows: Rows, _ population: Rows?) -> BatchFeed {
    let own = rows.selecting(running.isAtWindow ? running.windowed : running.own).withoutTruth
    let mixed = running.mixed.isEmpty ? nil : population?.selecting(running.mixed).withoutTruth
    var feed = BatchFeed(
      [own.with(owners: nil, times: nil)] + (mixed.map { [$0.with(owners: nil, times: nil)] } ?? []),
      training.training.feed, using: seed.stream(running.isAtWindow ? "window" : "update", running.number))
    if let place = running.place { try? feed.restore(place) }
    return feed
  }

  /// - Returns: false where the feed has ended.
  private mutating func step(_ running: RunningUpdate) -> Bool {
    let offers = training.rows.name == .new
    return running.isAtWindow
      ? PersonalModel.learn(&window, from: &feeds[0], stageInfo, offers: offers)
      : PersonalModel.learn(&candidate, from: &feeds[0], stageInfo, offers: offers)
  }

  /// Learner and feed change where they lie.
  private static func learn(
    _ learner: inout (any Learner)?, from feed: inout BatchFeed, _ stage: ExperienceInfo, offers: Bool
  ) -> Bool {
    let taken: Void? = feed.withNext { batch, place, epoch in
      var context = StepContext(experience: stage, epoch: epoch, step: place.step, steps: place.steps, run: place)
      context.offersRows = offers
      _ = learner?.learn(batch, context)
    }
    return taken != nil
  }

  /// Judged, deployed, dropped, or left in the dark.
  private mutating func end(_ rows: Rows) {
    update = nil
    counts.finished += 1
    forgetSteps()
    guard let candidate else { return }
    counts.multiplyAdds += candidate.cost.multiplyAdds - personal.cost.multiplyAdds
    if let window { counts.multiplyAdds += window.cost.multiplyAdds - shipped.cost.multiplyAdds }
    guard candidate.isFinite else { return drop() }
    switch safeguard.judge(trial(of: candidate, rows)).decision {
    case .deploy: deploy(candidate)
    case .shadow: break
    case .keep, .rollBack: drop()
    }
  }

  /// What an optimiser remembers is of no more use where the next update begins with a fresh one; it need not be saved.
  private mutating func forgetSteps() {
    guard training.training.resetOptimizer else { return }
    let optimizer = training.training.optimizer.optimizer
    candidate?.train(with: optimizer)
    window?.train(with: optimizer)
  }

  private mutating func drop() {
    candidate = nil
    counts.rejected += 1
  }

  /// Both models on the rows that were kept from training.
  private func trial(of candidate: any Learner, _ rows: Rows) -> Trial {
    guard let every = safeguard.heldOutEvery else { return Trial(current: [], candidate: []) }
    let kept = (0..<Int32(min(clock.rows, rows.count))).filter { (Int($0) + 1) % every == 0 }
    guard !kept.isEmpty else { return Trial(current: [], candidate: []) }
    let held = rows.selecting(kept)
    return Trial(
      current: answers(of: personal, knowing: hasBegun ? PersonalModel.stage : 0, held),
      candidate: answers(of: candidate, knowing: PersonalModel.stage, held))
  }

  private func answers(of learner: any Learner, knowing stage: Int, _ rows: Rows) -> [ExpertAnswer] {
    let logits = learner.predict(rows.batch.inputs, knowing: stage)
    return rows.labels.indices.map { row in
      var shares = [Double](repeating: 0, count: classes)
      PersonalModel.shares(of: logits, row: row, isBinary: shape.isBinary) { shares[$0] = $1 }
      let label = Int(rows.labels[row])
      return ExpertAnswer(likelihood: shares[label], isRight: shares.likeliest == label)
    }
  }
}
