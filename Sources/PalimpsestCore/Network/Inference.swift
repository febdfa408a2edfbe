/// What a network answers, for those who do nothing else with it.
extension MLP {
  /// Logits of a way, rows × its outputs.
  /// - Cost: ``Program/multiplyAdds`` a row; memory for 256 rows of activations.
  public func logits(_ inputs: Matrix, _ way: Program) -> Matrix {
    var network = Network(self)
    return network.logits(inputs, way)
  }
}
