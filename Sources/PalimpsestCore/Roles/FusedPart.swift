/// An optimiser or a penalty whose arithmetic the fused step knows: it lends its vectors and leaves the loop over the parameters to
/// the step. The parts of this package adopt it for speed alone; what they do is what their public functions do, with the same bits
/// (`FusionLaws`).
///
/// Law: what a penalty pulls to changes within `begin` and `consolidate` alone.
package protocol FusedPart: StrategyPart {
  /// Hands the step on to `body`, completed by what this part adds to it; the part's own counters move as in its public function.
  /// - Returns: of a penalty its value before the step; of an optimiser what `body` returns.
  mutating func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Double
  /// Of a penalty: whether `observe` does anything, so that the data gradient is to be kept apart where nothing is fused.
  var observesPath: Bool { get }
}

extension FusedPart {
  package var observesPath: Bool { false }
}
