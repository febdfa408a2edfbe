import PalimpsestCore

/// A gradient stays as long as the parameters.
struct JudgedPenalty<Inner: Penalty>: Penalty, Judged {
  var inner: Inner
  let findings: Findings

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    var (value, part) = (Float(0), inner)
    judge(&gradient, "a gradient") { value = part.add(at: parameters, to: &$0) }
    inner = part
    return value
  }

  mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {
    inner.observe(gradient: gradient, update: update)
  }
}

/// A gradient stays as long as the parameters.
struct JudgedTransform<Inner: GradientTransform>: GradientTransform, Judged {
  static var takesMemory: Bool { Inner.takesMemory }
  var inner: Inner
  let findings: Findings

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    var part = inner
    judge(&gradient, "a gradient") { part.transform(&$0, &lender, context) }
    inner = part
  }
}

/// An update is as long as the parameters.
struct JudgedOptimizer<Inner: Optimizer>: Optimizer, Judged {
  var inner: Inner
  let findings: Findings

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext) {
    var part = inner
    judge(&gradient, "an update") { part.update(&$0, at: parameters, context) }
    inner = part
  }

  mutating func reset() { inner.reset() }
  mutating func forget(_ ranges: [Range<Int>]) { inner.forget(ranges) }
}

/// The derivative has the form of the logits, and rows can take the ways of teachers.
struct JudgedLoss<Inner: OutputLoss>: OutputLoss, Judged {
  static var replacesBase: Bool { Inner.replacesBase }
  var inner: Inner
  let findings: Findings
  /// Of the network.
  private var shape: TaskShape?

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  var views: LossViews { inner.views }
  var shares: ReplayShares? { inner.shares }

  mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {
    shape = model.shape
    inner.begin(experience, model)
  }

  /// None where one of them cannot answer.
  var teachers: [Teacher] {
    let teachers = inner.teachers
    guard let shape else { return teachers }
    for teacher in teachers {
      let problem = teacher.way.problem(
        inputs: shape.inputs, outputs: shape.outputs, parameters: teacher.parameters.count)
      if let problem {
        find("its teacher's way cannot be taken: \(problem)")
        return []
      }
    }
    return teachers
  }

  mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double {
    if inner.teachers.count != rows.teachers.count { return 0 }  // It would look for answers that there are none of.
    var copy = gradient
    let value = inner.add(logits, rows, to: &copy)
    if copy.rows == gradient.rows && copy.columns == gradient.columns {
      gradient = copy
      return value
    }
    find("a gradient of \(gradient.rows) × \(gradient.columns) becomes one of \(copy.rows) × \(copy.columns)")
    return 0
  }
}

/// The network stays as it is built, and what is named lies within it.
struct JudgedRenewal<Inner: Renewal>: Renewal, Judged {
  var inner: Inner
  let findings: Findings

  init(_ inner: Inner, _ findings: Findings) { (self.inner, self.findings) = (inner, findings) }

  var observesActivity: Bool { inner.observesActivity }
  var forgets: Bool { inner.forgets }

  mutating func renew(
    _ model: inout MLP, within mask: ParameterMask, _ moment: RenewalMoment, using rng: inout Random
  ) -> [Range<Int>] {
    let before = model
    let ranges = inner.renew(&model, within: mask, moment, using: &rng)
    let count = before.parameters.count
    if model.layout != before.layout || model.parameters.count != count {
      find("\(count) parameters become \(model.parameters.count), or tensors of other names")
      model = before
      return []
    }
    guard let outside = ranges.first(where: { $0.lowerBound < 0 || $0.upperBound > count }) else { return ranges }
    find("it names parameters \(outside) of \(count)")
    return []
  }
}
