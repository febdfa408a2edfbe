import Palimpsest

/// One number a run: `palimpsest report RESULTS --metrics final_norm`.
public let finalNorm = Probe(Measure("final_norm", "Norm of all weights at the end", definition: "√Σ θ²")) { run in
  Reading(run.network.map { norm($0, 0..<$0.parameters.count) } ?? .nan)
}

/// Along an axis of its own: `layer_norm(run, after_task, tensor)`.
public let layerNorm = Probe(
  Measure(
    "layer_norm", "Norm of each layer's weights after each task", definition: "√Σ θ², θ the weights without biases",
    along: [.afterTask, MeasureAxis("tensor", "Weights of a layer, from the input on")])
) { run in
  Reading(run.network.map { network in network.layers.map { norm(network, $0.weightRange) } } ?? [])
}

private func norm(_ network: MLP, _ range: Range<Int>) -> Double {
  network.parameters.withSpan { span in
    range.reduce(0.0) { $0 + Double(span[$1]) * Double(span[$1]) }.squareRoot()
  }
}
