/// Role: a term Ω(θ) on the parameters, added to the loss.
///
/// Law: its gradient is the derivative of its value; it is never negative.
public protocol Penalty: StrategyPart {
  /// True where ``observe(gradient:update:)`` does something: the learner then keeps the data gradient apart.
  static var observesPath: Bool { get }
  /// Adds ∂Ω/∂θ to the gradient.
  /// - Returns: Ω(θ).
  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float
  /// One step was taken.
  /// - Parameters:
  ///   - gradient: of the data loss alone, before penalties and transforms.
  ///   - update: the change of the parameters.
  mutating func observe(gradient: FloatBuffer, update: FloatBuffer)
  /// What a ``QuadraticPenalty`` pulls to now; nil: nothing yet.
  var pull: QuadraticPull? { get }
  /// Lends the path integral −Σ data gradient ∘ update of a ``QuadraticPenalty`` that keeps one; nil: none is kept. What is lent
  /// must be the stored buffer itself: a step writes it until it ends, after `body` has returned.
  mutating func withPath<R>(_ body: (inout FloatBuffer) -> R) -> R?
}

extension Penalty {
  public static var observesPath: Bool { false }
  public mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {}
  public var pull: QuadraticPull? { nil }
  public mutating func withPath<R>(_ body: (inout FloatBuffer) -> R) -> R? { nil }
}
