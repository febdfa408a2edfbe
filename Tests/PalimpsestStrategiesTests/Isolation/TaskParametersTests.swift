import PalimpsestCore
import PalimpsestStrategies
import Testing

/// What isolations say of their size before any of it is made.
@Suite struct TaskParametersTests {
  @Test(arguments: standardParts.indices.filter { standardParts[$0] is any Isolation.Type }, [0..<2, 0..<4])
  func `a task adds no more than was said`(index: Int, outputs: Range<Int>) throws {
    let isolation = try #require(standardParts[index].init() as? any Isolation)
    let setup = LearnerSetup(
      shape: TaskShape(inputs: 7, outputs: 4), hidden: [9, 5], optimizer: SGD(), seed: Seed(7))
    var (part, model, rng) = (isolation, setup.makeModel(), Seed(8).stream("isolation"))
    let layers = model.layout
    for task in 0..<3 {
      let info = ExperienceInfo(index: task, name: "task", outputs: outputs, seenOutputs: 0..<4, rows: 8)
      let before = model.layout.parameterCount
      _ = part.prepare(&model, for: info, using: &rng)
      let (added, said) = (Double(model.layout.parameterCount - before), part.parametersAdded(by: info, beside: layers))
      #expect(added <= said, "task \(task)")
      if task > 0 { #expect(added > 0, "task \(task)") }
    }
  }
}
