import Palimpsest
import PalimpsestBench

/// What methods do when a task ends.
extension Bench {
  /// Rows of the Fisher pass, by its label rules.
  func fisher(_ report: (BenchLine) -> Void) {
    for net in nets {
      let entries = Fisher.Labels.allCases.map { labels in
        var ewc = EWC()
        ewc.fisher.fisherLabels = labels
        return (variant: labels.rawValue, work: ConsolidationWork(ewc, net, rows: 512))
      }
      time(.fisher, net.name, unit: "rows/s", entries, report)
    }
  }

  /// Rows that core-sets choose a tenth from, by inputs and by features.
  func coreSets(_ report: (BenchLine) -> Void) {
    for net in nets where net.outputs > 1 {
      var (herding, centres) = (Herding(), KCentre())
      (herding.limits.capacity, centres.limits.capacity) = (200, 200)
      let entries = CoreSetSpace.Space.allCases.flatMap { space in
        (herding.space.space, centres.space.space) = (space, space)
        let works = [ConsolidationWork(herding, net, rows: 2000), ConsolidationWork(centres, net, rows: 2000)]
        return zip(["herding", "k-centre"], works).map { (variant: "\($0) \(space.rawValue)", work: $1) }
      }
      time(.coreSets, net.name, unit: "rows/s", entries, report)
    }
  }
}

/// The end of a task of so many rows; a unit is a row.
private struct ConsolidationWork: TimedWork {
  private let part: any StrategyPart
  private let ended: EndedExperience

  init(_ part: any StrategyPart, _ net: BenchNet, rows: Int) {
    self.part = part
    let setup = LearnerSetup(
      shape: TaskShape(inputs: net.inputs, outputs: net.outputs), hidden: net.hidden, seed: Seed(1))
    let model = setup.makeModel()
    ended = EndedExperience(
      info: BenchTrainer.experience(0, net),
      data: BenchTrainer.rows(net, experience: 0).selecting((0..<rows).map { Int32($0) }),
      network: Network(model), way: model.plainProgram, outputs: 0..<net.outputs)
  }

  func seconds(for count: Int) -> Double {
    let tasks = max(1, count / ended.data.count)
    let start = ThreadClock.seconds
    for task in 0..<tasks {
      var part = part
      var rng = Seed(4).stream("bench", task)
      part.consolidate(ended, using: &rng)
    }
    return (ThreadClock.seconds - start) * Double(count) / Double(tasks * ended.data.count)
  }
}
