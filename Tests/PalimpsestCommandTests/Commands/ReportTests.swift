import Foundation
import Palimpsest
import Testing

/// The report from results made by hand.
struct ReportTests {
  /// Two tasks, so that everything can be worked out in the head.
  private func record(_ first: Double, _ last: [Double]) -> RunRecord {
    var record = RunRecord(status: .completed, tasks: ["a", "b"])
    record.accuracy = AccuracyMatrix([[first, 0.5], last])
    record.accuracyBefore = [0.5, 0.25]
    return record
  }

  private func results(_ records: [[RunRecord?]], strengths: [Int] = [1, 10]) throws -> Results {
    let text = """
      {
        "name": "hand", "seeds": 3, "scenarios": { "letters": { "name": "habit-phases" } },
        "strategies": { "ewc": [{ "name": "ewc" }] },
        "sweep": { "grid": { "strategies.ewc.ewc.strength": \(strengths) } }
      }
      """
    let plan = StoredPlan(try Plan(Experiment.read(text, file: "hand.json")))
    let rows = plan.runs.compactMap { run in
      records[run.configuration][run.seed].map { record in
        JournalEntry(
          runID: run.id, record: record, started: 0, host: "", worker: "", instructionSet: "", toolkitVersion: "",
          gitCommit: "")
      }
    }
    return try Results(plan: plan, journal: Journal(entries: rows))
  }

  @Test func `mean and half-width are Student's, a row for each swept value`() throws {
    // average accuracy (0.5 + 0.7) / 2 = 0.6, 0.7, 0.8: mean 0.7, s = 0.1, t(2) = 4.302653, half-width 0.248414.
    // forgetting 0.9 - 0.5 = 0.4, 0.3, 0.2; backward transfer its negative; learning accuracy (0.9 + 0.7) / 2 = 0.8, 0.85, 0.9.
    // forward transfer 0.5 - 0.25 = 0.25 in every run. With backward transfer the table is 124 columns wide, even folded.
    let first = [record(0.9, [0.5, 0.7]), record(0.9, [0.6, 0.8]), record(0.9, [0.7, 0.9])]
    var diverged = RunRecord(status: .diverged, tasks: ["a", "b"])
    diverged.error = "the loss is inf"
    let report = Report(try results([first, [record(0.9, [0.5, 0.7]), diverged, nil]]))
    #expect(
      report.text == """
        letters: accuracy on sampled labels, mean ± half-width of the 95 % interval over seeds (Student's t)
                                      average                      learning        forward      bytes
        strategy  ewc_strength       accuracy     forgetting       accuracy       transfer  NR   kept  multiply-adds    n
        ewc                  1  0.700 ± 0.248  0.300 ± 0.248  0.850 ± 0.124  0.250 ± 0.000   –      0              0    3
        ewc                 10          0.600          0.400          0.800          0.250   –      0              0  1/3

        letters, ewc (ewc_strength = 10): 1 of 3 runs diverged; they are not in the means.
        1 of 6 runs have not ended yet.
        """)
  }

  @Test func `CSV and JSON hold the numbers in full, with the reason of what is undefined`() throws {
    let runs = [record(0.9, [0.5, 0.7]), record(0.9, [0.6, 0.8]), record(0.9, [0.7, 0.9])]
    let report = Report(try results([runs], strengths: [1]), metrics: [.forwardTransfer, .stabilityGap])
    #expect(
      report.csv == """
        scenario,strategy,bound,told_task,accuracy_kind,planned,completed,failed,diverged,forward_transfer,forward_transfer_half_width,\
        forward_transfer_n,stability_gap,stability_gap_half_width,stability_gap_n
        letters,ewc,false,false,sampled,3,3,0,0,0.25,0.0,3,,,0
        """)
    let metrics = report.json["rows"]?[0]?["metrics"]
    #expect(
      metrics?["forward_transfer"]?.compactText == #"{"mean":0.25,"half_width":0,"deviation":0,"n":3}"#)
    #expect(
      metrics?["stability_gap"]?.compactText
        == #"{"mean":null,"half_width":null,"deviation":null,"n":0,"undefined_because":"nothing was evaluated within tasks"}"#
    )
  }

  @Test func `Markdown has a caption, escapes labels and marks the best where asked`() throws {
    let runs = [record(0.9, [0.5, 0.7]), record(0.9, [0.6, 0.8]), record(0.9, [0.7, 0.9])]
    let better = [record(0.9, [0.6, 0.7]), record(0.9, [0.7, 0.8]), record(0.9, [0.8, 0.9])]
    let report = Report(try results([runs, better]), metrics: [.averageAccuracy, .forgetting, .stabilityGap])
    // forgetting 0.3, 0.2, 0.1: mean 0.2; average accuracy 0.65, 0.75, 0.85.
    #expect(
      report.markdown(markingBest: true) == """
        letters: accuracy on sampled labels, mean ± half-width of the 95 % interval over seeds (Student's t); n = 3 \
        seeds. R\\[i,j\\] is the accuracy on task j after learning task i, of T tasks from 0: average accuracy = \
        mean\\_j R\\[T-1,j\\]; forgetting = mean\\_\\{j\\<T-1\\} (max\\_\\{j\\<=l\\<T-1\\} R\\[l,j\\] - R\\[T-1,j\\]); \
        stability gap = mean\\_\\{k\\>=1\\} (A\\_k before task k - min of A\\_k within task k), A\\_k = mean accuracy on \
        tasks 0 to k-1.

        | strategy | ewc\\_strength | average accuracy | forgetting | stability gap | n |
        | :-- | :-- | --: | --: | --: | --: |
        | ewc | 1 | 0.700 ± 0.248 | 0.300 ± 0.248 | – | 3 |
        | ewc | 10 | **0.750 ± 0.248** | **0.200 ± 0.248** | – | 3 |
        """)
    #expect(!report.markdown().contains("**"))
  }

  @Test func `LaTeX uses booktabs, escapes labels and marks the best where asked`() throws {
    let runs = [record(0.9, [0.5, 0.7]), record(0.9, [0.6, 0.8]), record(0.9, [0.7, 0.9])]
    let report = Report(
      try results([runs, [record(0.9, [0.5, 0.7]), nil, nil]]), metrics: [.forgetting, .interference])
    #expect(
      report.latex(markingBest: true) == #"""
        \begin{table}
          \centering
          \caption{letters: accuracy on sampled labels, mean $\pm$ half-width of the 95 \% interval over seeds \#
        (Student's t); the seeds given as n. R[i,j] is the accuracy on task j after learning task i, of T tasks from 0: \#
        forgetting = mean\_\{j\textless{}T-1\} (max\_\{j\textless{}=l\textless{}T-1\} R[l,j] - R[T-1,j]); interference = \#
        mean\_\{k\textless{}T-1\} (cross\_accuracy[T-1,k] - R[T-1,k]).}
          \begin{tabular}{llrrr}
            \toprule
            strategy & ewc\_strength & forgetting & interference & n \\
            \midrule
            ewc & 1 & $\mathbf{0.300} \pm 0.248$ & -- & 3 \\
            ewc & 10 & $0.400$ & -- & 1/3 \\
            \bottomrule
          \end{tabular}
        \end{table}

        % 2 of 6 runs have not ended yet.
        """#)
  }

  @Test func `a metric that fewer runs have says of how many it is`() throws {
    var unknown = record(0.9, [0.5, 0.7])
    unknown.accuracyBefore = [0.5, .nan]
    let report = Report(
      try results([[record(0.9, [0.6, 0.8]), unknown, record(0.9, [0.7, 0.9])]], strengths: [1]),
      metrics: [.forwardTransfer, .forgetting])
    let lines = report.text.split(separator: "\n")
    #expect(lines[2] == "ewc       0.250 ± 0.000 (n 2)  0.300 ± 0.248  3")
    #expect(report.markdown().contains("| 0.250 ± 0.000 (n 2) | 0.300 ± 0.248 | 3 |"))
    #expect(report.latex().contains(#"$0.250 \pm 0.000$ ($n = 2$) & $0.300 \pm 0.248$ & 3"#))
    #expect(report.csv.hasSuffix(",0.25,0.0,2,0.30000000000000004,0.2484137711750331,3"))
    #expect(report.json["rows"]?[0]?["metrics"]?["forward_transfer"]?["n"]?.int == 2)
  }

  @Test func `costs are columns like others, in all forms and with their units`() throws {
    func costing(_ bytes: Int, _ work: Int, _ seconds: Double) -> RunRecord {
      var run = record(0.9, [0.5, 0.7])
      run.cost.learner.bytesMemory = bytes
      run.cost.learner.multiplyAdds = work
      run.cost.timeTotal = seconds
      return run
    }
    // 401, 402, 403: mean 402, s = 1, half-width 4.302653 / √3 = 2.484138. Seconds 0.5, 0.6, 0.7: 0.6 ± 0.248414.
    let runs = [
      costing(401, 87_360_000, 0.5), costing(402, 87_360_000, 0.6), costing(403, 87_360_000, 0.7),
    ]
    let report = Report(
      try results([runs], strengths: [1]), metrics: [.bytesMemory, .multiplyAdds, .timeTotal])
    #expect(
      report.text == """
        letters: cost, mean ± half-width of the 95 % interval over seeds (Student's t)
        strategy  bytes memory  multiply-adds  time total (s)  n
        ewc          402 ± 2.5        8.736e7   0.600 ± 0.248  3
        """)
    #expect(report.latex().contains(#"$402 \pm 2.5$ & $8.736 \times 10^{7}$ & $0.600 \pm 0.248$ & 3"#))
    #expect(report.markdown(markingBest: true).contains("| **402 ± 2.5** | **8.736e7** | **0.600 ± 0.248** | 3 |"))
    #expect(report.markdown().contains("bytes memory = 4 (columns + 2) for each row that is kept"))
    #expect(
      report.csv.hasPrefix(
        "scenario,strategy,bound,told_task,accuracy_kind,planned,completed,failed,diverged,bytes_memory,bytes_memory_half_width,"
          + "bytes_memory_n,multiply_adds,"))
    let cell = report.json["rows"]?[0]?["metrics"]?["multiply_adds"]
    #expect(cell?.compactText == #"{"mean":87360000,"half_width":0,"deviation":0,"n":3,"unit":"1"}"#)
  }

  @Test(arguments: [
    (["--plot", "--pareto"], "--plot and --pareto are two views; give one of them"),
    (["--plot", "--json"], "--plot is for people; --json alone has its numbers"),
    (["--ascii"], "--ascii: only a plot is drawn; add --plot"),
    (["--cost", "bytes"], "--cost: only fronts have one; add --pareto"),
    (["--pareto", "--best"], "--pareto takes the place of the table; leave out --metrics, --format and --best"),
    (
      ["--plot", "--metrics", "forgetting"],
      "--plot takes the place of the table; leave out --metrics, --format and --best"
    ),
  ])
  func `views that contradict each other are refused before anything is read`(options: [String], message: String)
    async throws
  {
    let tool = try Tool()
    let end = try await Tool.run(Tool.executable, ["report", "nothing-there"] + options, in: tool.folder)
    #expect(end.status == 64 && end.output.isEmpty && end.errors.contains(message))
  }

  @Test func `report takes costs by name, from journals and from the cube alone`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    let names = standardCosts.map(\.name).joined(separator: ",")
    let folder = try await tool("report", "results/small", "--metrics", names, "--format", "csv")
    #expect(folder.status == 0 && folder.output.contains(",bytes_kept,bytes_kept_half_width,bytes_kept_n\n"))
    try FileManager.default.moveItem(atPath: tool.folder + "/results/small.h5", toPath: tool.folder + "/alone.h5")
    let alone = try await tool("report", "alone.h5", "--metrics", names, "--format", "csv")
    #expect(alone.status == 0 && alone.output == folder.output)
    let wrong = try await tool("report", "alone.h5", "--metrics", "bytes_memroy")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains(#"no metric or cost is called "bytes_memroy"; did you mean "bytes_memory"?"#))
    let listed = try await tool("list", "metrics").output
    #expect(listed.contains("\nbytes_memory ") && listed.contains("Memory of stored rows, in byte; lower is better."))
    let described = try await tool("describe", "multiply_adds").output
    #expect(described.hasPrefix("multiply_adds: cost\n") && described.contains("\nDefinition: products of the passes"))
  }

  @Test func `the table on screen marks the best with a star where asked`() throws {
    let report = Report(
      try results([[record(0.9, [0.5, 0.7]), nil, nil], [record(0.9, [0.6, 0.7]), nil, nil]]), metrics: [.forgetting])
    let lines = report.text(markingBest: true).split(separator: "\n")
    #expect(lines[2] == "ewc                  1       0.400  1/3")
    #expect(lines[3] == "ewc                 10     0.300 *  1/3")
  }
}
