import PalimpsestCore

/// The laws of ``PalimpsestCore/WayChooser``: with one task every choice is that task; choices are tasks that were begun; the same rows
/// give the same choice, whatever rows they come with.
public enum WayChooserLaws {
  /// Asks a chooser for rows of a life of three tasks, each with a head of its own.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations<C: WayChooser>(of chooser: C) -> [String] {
    var (chooser, rng) = (chooser, Seed(63).stream("chooser laws"))
    let world = LawWorld.shared
    var model = world.setup(SGD()).makeModel()
    var ways: [Program] = []
    var violations: [String] = []
    for task in world.tasks {
      let head = model.addLayer("head\(task.index)", inputs: 4, outputs: 4, isOutput: true, using: &rng)
      ways.append(model.program(Route(layers: Array(model.layers.dropLast()) + [head], outputs: 0..<4)))
      chooser.begin(task, model)
      let rows = world.rows[task.index]
      chooser.consolidate(
        EndedExperience(
          info: task, data: rows, network: Network(model), way: ways[task.index], outputs: 0..<4), using: &rng)
      violations += check(chooser, world.probe, ways, model)
    }
    return violations
  }

  private static func check<C: WayChooser>(
    _ chooser: C, _ inputs: Matrix, _ ways: [Program], _ model: MLP
  ) -> [String] {
    let choice = chooser.choose(for: inputs, among: ways, model)
    guard choice.count == inputs.rows else { return ["\(C.name): \(choice.count) choices for \(inputs.rows) rows"] }
    if let wrong = choice.first(where: { !ways.indices.contains($0) }) {
      return ["\(C.name): it chose task \(wrong + 1) of \(ways.count)"]
    }
    let alone = (0..<inputs.rows).map { row in
      chooser.choose(for: Matrix([inputs.row(row)]), among: ways, model)
    }
    return alone == choice.map { [$0] } ? [] : ["\(C.name): a row's way depends on the rows beside it"]
  }
}
