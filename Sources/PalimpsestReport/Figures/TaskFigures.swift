import PalimpsestMetrics
import PalimpsestResults

/// What happened from task to task: accuracy of each task after each later one, of all so far, and within tasks.
enum TaskFigures {
  /// Tasks up to which each has a figure of its own.
  private static let mostTasks = 6

  static func figures(_ data: ReportData) throws -> [Figure] {
    let matrices = try data.arrays(.expectedAccuracy, .accuracy)
    return data.scenarios.flatMap { scenario in
      let tasks = scenario.few.map { data.tasks($0).count }.max() ?? 0
      guard tasks > 1, !isStream(matrices, scenario) else { return [Figure]() }
      let first = (0..<min(tasks, mostTasks) - 1).compactMap { task in
        afterEach(data, scenario, matrices, task: task).map { figure in
          var figure = figure
          figure.isAside = task > 0
          return figure
        }
      }
      return [soFar(data, scenario, matrices)].compactMap(\.self) + first
    }
  }

  /// A stream without tests has matrices without numbers.
  private static func isStream(_ matrices: [Int: [Observation]], _ scenario: ReportData.Scenario) -> Bool {
    scenario.few.allSatisfy { row in (matrices[row.place] ?? []).allSatisfy { $0.numbers.allSatisfy(\.isNaN) } }
  }

  private static func afterEach(
    _ data: ReportData, _ scenario: ReportData.Scenario, _ matrices: [Int: [Observation]], task: Int
  ) -> Figure? {
    let lines = scenario.few.compactMap { row -> LinesFigure.Line? in
      let runs = squares(matrices[row.place])
      guard let tasks = runs.first?.axes[0].length, tasks > task else { return nil }
      let x = (task..<tasks).map { Double($0) }
      return LinesFigure.Line(
        row, x: x, runs: runs.map { run in (task..<tasks).map { run.numbers[$0 * tasks + task] } })
    }
    let named = scenario.rows.first.map { data.tasks($0) } ?? []
    let name = named.indices.contains(task) ? named[task] : String(task)
    return LinesFigure(
      name: "after-each-task-\(task)-\(scenario.slug)",
      title: "\(scenario.name): accuracy on task \(task) (\(name)) after each later task",
      note: note(lines) + scenario.leavesOut(lines.count), lines: lines, xTitle: "after learning task",
      yTitle: "accuracy on task \(task)",
      isOfTasks: true
    ).figure
  }

  private static func soFar(
    _ data: ReportData, _ scenario: ReportData.Scenario, _ matrices: [Int: [Observation]]
  ) -> Figure? {
    let lines = scenario.few.compactMap { row -> LinesFigure.Line? in
      let runs = squares(matrices[row.place])
      guard let tasks = runs.first?.axes[0].length else { return nil }
      let lists = runs.map { run in
        (0..<tasks).map { after in
          (0...after).reduce(0) { $0 + run.numbers[after * tasks + $1] } / Double(after + 1)
        }
      }
      return LinesFigure.Line(row, x: (0..<tasks).map { Double($0) }, runs: lists)
    }
    return LinesFigure(
      name: "tasks-so-far-\(scenario.slug)", title: "\(scenario.name): mean accuracy on the tasks so far",
      note: note(lines) + scenario.leavesOut(lines.count), lines: lines, xTitle: "after learning task",
      yTitle: "mean accuracy on tasks so far",
      isOfTasks: true
    ).figure
  }

  /// Square matrices of one size: ragged ones are as many tasks as the first has.
  private static func squares(_ observations: [Observation]?) -> [Observation] {
    let all = (observations ?? []).filter { $0.axes.count == 2 && $0.axes[0].length == $0.axes[1].length }
    return all.filter { $0.axes[0].length == all[0].axes[0].length }
  }

  static func note(_ lines: [LinesFigure.Line]) -> String {
    lines.contains { !$0.half.isEmpty } && lines.count <= LinesFigure.mostBands
      ? "Means over seeds with the band of their 95 % interval (Student's t)." : "Means over seeds, without bands."
  }

  // MARK: Within tasks

  /// Mean accuracy on the tasks before the present one at every evaluation within tasks: where it dips behind a switch is the
  /// stability gap.
  static func gaps(_ data: ReportData) throws -> [Figure] {
    let curves = try data.arrays(.expectedCurveAccuracy, .curveAccuracy)
    if curves.isEmpty { return [] }
    let (seen, during) = (try data.arrays(.curveExamples), try data.arrays(.curveTask))
    return data.scenarios.compactMap { scenario in
      var switches: [Double] = []
      let lines = scenario.few.compactMap { row -> LinesFigure.Line? in
        guard let runs = curves[row.place], let x = seen[row.place]?.first?.numbers,
          let tasks = during[row.place]?.first?.integers, runs.allSatisfy({ $0.axes == runs[0].axes })
        else { return nil }
        let later = tasks.indices.filter { tasks[$0] > 0 }
        if switches.isEmpty {
          switches = tasks.indices.dropFirst().filter { tasks[$0] != tasks[$0 - 1] }.map { x[$0 - 1] }
        }
        let width = runs[0].axes[1].length
        let lists = runs.map { run in
          later.map { place in
            (0..<tasks[place]).reduce(0) { $0 + run.numbers[place * width + $1] } / Double(tasks[place])
          }
        }
        return LinesFigure.Line(row, x: later.map { x[$0] }, runs: lists)
      }
      return LinesFigure(
        name: "within-tasks-\(scenario.slug)",
        title: "\(scenario.name): accuracy on earlier tasks while a task is learned",
        note: note(lines) + scenario.leavesOut(lines.count)
          + " Dashed: a new task begins; the dip behind it is the stability gap.", lines: lines,
        xTitle: "training rows seen", yTitle: "mean accuracy on earlier tasks", switches: switches, isWide: true
      ).figure
    }
  }
}

extension ObservationName {
  static let accuracy: Self = "accuracy"
  static let expectedAccuracy: Self = "expected_accuracy"
  static let curveAccuracy: Self = "curve_accuracy"
  static let expectedCurveAccuracy: Self = "expected_curve_accuracy"
  static let curveExamples: Self = "curve_examples"
  static let curveTask: Self = "curve_task"
  static let crossAccuracy: Self = "cross_accuracy"
  static let driftTV: Self = "drift_tv"
}
