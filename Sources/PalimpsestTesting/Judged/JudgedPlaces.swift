import PalimpsestCore

/// What is drawn joins the batch behind the rows that are there: no more than asked for, as wide, of tasks that have begun, with
/// labels that the outputs have.
struct JudgedMemory<Inner: Memory>: Memory, Judged {
  static var looks: Bool { Inner.looks }
  var inner: Inner
  let findings: Findings
  private var shape: TaskShape?
  /// Tasks that have begun.
  private var tasks = 0

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  var count: Int {
    let count = inner.count
    if count < 0 { find("it holds \(count) rows") }
    return max(0, count)
  }

  var replay: ReplayOptions { inner.replay }

  mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {
    shape = model.shape
    tasks = experience.index + 1
    inner.begin(experience, model)
  }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {
    inner.insert(batch, context, using: &rng)
    _ = count
  }

  mutating func insert(_ batch: Batch, _ context: StepContext, _ lender: inout Lender, using rng: inout Random) {
    inner.insert(batch, context, &lender, using: &rng)
    _ = count
  }

  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    var part = inner
    judge(n, &batch) { part.draw(n, into: &$0, using: &rng) }
    inner = part
  }

  mutating func draw(
    _ n: Int, for new: Batch, into batch: inout Batch, _ lender: inout Lender, using rng: inout Random
  ) {
    var part = inner
    judge(n, &batch) { part.draw(n, for: new, into: &$0, &lender, using: &rng) }
    inner = part
  }

  private func judge(_ n: Int, _ batch: inout Batch, _ draw: (inout Batch) -> Void) {
    var copy = batch
    draw(&copy)
    if let problem = problem(n, batch, copy) { find(problem) } else { batch = copy }
  }

  private func problem(_ n: Int, _ before: Batch, _ after: Batch) -> String? {
    if after.columns != before.columns {
      return "a draw makes a batch of \(before.columns) columns one of \(after.columns)"
    }
    let drawn = after.count - before.count
    if drawn < 0 { return "a draw takes \(-drawn) rows out of the batch" }
    if drawn > n { return "a draw of \(n) gives \(drawn) rows" }
    if !after.tags.prefix(before.count).elementsEqual(before.tags) {
      return "a draw changes rows that were in the batch"
    }
    if let answers = after.answers, let shape, answers.columns != shape.outputs {
      return "a row comes back with \(answers.columns) answers for \(shape.outputs) outputs"
    }
    return after.tags.dropFirst(before.count).lazy.compactMap(problem).first
  }

  private func problem(_ tag: RowTag) -> String? {
    if tag.experience < 0 || tag.experience >= tasks { return "a row comes back of task \(tag.experience) of \(tasks)" }
    if !tag.weight.isFinite || tag.weight < 0 { return "a row comes back with weight \(tag.weight)" }
    guard let target = shape?.target, target.hasLabels, !(0..<target.answers).contains(Int(tag.label)) else {
      return nil
    }
    return "a row comes back with label \(tag.label) of \(target.answers)"
  }
}

/// Masks and ways lie within the network, which grows at its end alone.
struct JudgedIsolation<Inner: Isolation>: Isolation, Judged {
  var inner: Inner
  let findings: Findings

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  var isolatesPredictions: Bool { inner.isolatesPredictions }

  mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    let before = model
    let mask = inner.prepare(&model, for: experience, using: &rng)
    if model.shape != before.shape || !model.layout.blocks.starts(with: before.layout.blocks)
      || model.parameters.count != model.layout.length
    {
      find("task \(experience.index + 1): preparing it makes another network of what was there")
      model = before
      return .all(model.parameters.count)
    }
    guard let problem = ShapeLaws.problem(mask, in: model) else { return mask }
    find("task \(experience.index + 1): \(problem)")
    return .all(model.parameters.count)
  }

  func program(for experience: Int?, in model: MLP) -> Program {
    let way = inner.program(for: experience, in: model)
    guard let problem = way.problem(in: model) else { return way }
    find("the way of \(experience.map { "task \($0 + 1)" } ?? "an unknown task") cannot be taken: \(problem)")
    return model.plainProgram
  }
}

/// There are no more parameters to predict with than the network has.
struct JudgedPredictor<Inner: Predictor>: Predictor, Judged {
  var inner: Inner
  let findings: Findings
  /// Of the network.
  private var count = Int.max

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {
    count = model.parameters.count
    inner.begin(experience, model)
  }

  mutating func observe(_ parameters: FloatBuffer, _ context: StepContext) {
    count = parameters.count
    inner.observe(parameters, context)
  }

  var parameters: FloatBuffer? {
    guard let parameters = inner.parameters, parameters.count > count else { return inner.parameters }
    find("it predicts with \(parameters.count) parameters of \(count)")
    return nil
  }
}

/// Every row gets one of the ways.
struct JudgedChooser<Inner: WayChooser>: WayChooser, Judged {
  var inner: Inner
  let findings: Findings

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  func choose(for inputs: Matrix, among ways: [Program], _ model: MLP) -> [Int] {
    let choice = inner.choose(for: inputs, among: ways, model)
    if choice.count != inputs.rows {
      find("\(choice.count) choices for \(inputs.rows) rows")
    } else if let wrong = choice.first(where: { !ways.indices.contains($0) }) {
      find("it chose task \(wrong + 1) of \(ways.count)")
    } else {
      return choice
    }
    return [Int](repeating: 0, count: inputs.rows)
  }
}

/// A batch holds rows.
struct JudgedBound<Inner: Bound>: Bound, Judged {
  var inner: Inner
  let findings: Findings

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  func plan(for experience: Int) -> TrainingPlan {
    var plan = inner.plan(for: experience)
    if plan.batchFactor < 1 {
      find("task \(experience + 1): batches of \(plan.batchFactor) times their rows")
      plan.batchFactor = 1
    }
    return plan
  }
}
