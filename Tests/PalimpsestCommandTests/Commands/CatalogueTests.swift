import Foundation
import Palimpsest
import PalimpsestCommand
import Testing

/// `list`, `describe`, `expand`, `validate`, `doctor`, `bench`, `datasets`.
struct CatalogueTests {
  @Test(arguments: ["strategies", "scenarios", "metrics", "measures", "optimizers"])
  func `every name that is listed can be described`(_ kind: String) async throws {
    let tool = try Tool()
    let list = try await tool("list", kind, "--json")
    let names = try JSONReader.read(list.output, file: "list").value().array?.compactMap { $0["name"]?.string } ?? []
    #expect(!names.isEmpty)
    let text = try await tool("list", kind)
    #expect(text.output.split(separator: "\n").map { $0.prefix { $0 != " " } }.map(String.init) == names)
    for name in names {
      let description = try #require(Catalog.standard.description(of: name))
      #expect(description.text.hasPrefix("\(name): "))
    }
    let described = try await tool("describe", names[0])
    #expect(described.status == 0 && described.output.hasPrefix("\(names[0]): "))
  }

  @Test func `a description is role, summary, source and every parameter with default and range`() async throws {
    let answer = try await Tool()("describe", "momentum")
    #expect(
      answer.output == """
        momentum: optimizer
        Stochastic gradient descent with (Nesterov) momentum.
        Source: Polyak 1964, Nesterov 1983 in the form of Sutskever et al. 2013: v = momentum v + g, u = -rate v.
        Revision: 1

        Parameters:
          rate = 0.1   (a number > 0)
              Step size.
          momentum = 0.9   (a number in [0, 1))
              Share of the velocity kept in a step.
          nesterov = false   (true or false)
              Look ahead by one step of the velocity.
          decay = 0   (a number ≥ 0)
              Weight decay, added to the gradient as decay θ.
          schedule = "constant"   (one of "constant", "cosine", "linear")
              Whether the step size stays, or falls by half a cosine wave or a line.
          scheduleOver = "task"   (one of "task", "run")
              Whether schedule and warm-up begin anew with each task or run once over all of them.
          warmup = 0   (a whole number in [0, 1000000000])
              Steps in which the step size rises; step t of w takes t/w of it.
          floor = 0   (a number in [0, 1])
              Share of the step size towards which "cosine" and "linear" fall.

        """)
  }

  @Test func `a scenario is described with the severity of its defaults where settings tell it`() async throws {
    let tool = try Tool()
    let fact = """
      Severity of the defaults: drift_tv of neighbouring tasks 0-1 0.068, 1-2 0.128, 2-3 0.165; a perfect tracker forgets 0.102; \
      best rules score 0.9, one rule for all 0.842; drift_inputs 0.0, 0.0, 0.0; drift_labels 0.068, 0.128, 0.165; \
      drift_conditional 0.03, 0.058, 0.07; drift_two_sample 0.5, 0.5, 0.5

      """
    #expect(try await tool("describe", "sea").output.contains("\n" + fact))
    let many = try await tool("describe", "long-life").output
    #expect(many.contains("drift_tv of neighbouring tasks 0.") && !many.contains("tasks 0-1 "))
    #expect(try await !tool("describe", "habit-phases").output.contains("Severity"))
    let json = try JSONReader.read(try await tool("describe", "stagger", "--json").output, file: "").value()
    #expect(json["severity_of_the_defaults"]?.string?.hasPrefix("drift_tv of neighbouring tasks 0-1 0.593") == true)
  }

  @Test func `settings and metrics are described too, a metric by its column's name as well`() async throws {
    let tool = try Tool()
    let training = try await tool("describe", "training")
    #expect(training.output.contains("\n  epochs = 1   (a whole number in [1, 1000000000])\n"))
    #expect(training.output.contains("\n  steps = null   (a whole number in [1, 1000000000] or null)\n"))
    let metric = try await tool("describe", "expected_forgetting")
    #expect(
      metric.output == """
        forgetting: metric
        Forgetting; lower is better.
        Definition: mean_{j<T-1} (max_{j<=l<T-1} R[l,j] - R[T-1,j])
        Source: Chaudhry et al. 2018, eq. 3; FACIL, Renate, ContiLab, Continuum.
        Needs: two tasks or more

        """)
    let json = try JSONReader.read(try await tool("describe", "reservoir", "--json").output, file: "").value()
    #expect(json["kind"]?.string == "memory")
    #expect(json["parameters"]?.array?.first?["name"]?.string == "capacity")
  }

  @Test func `a measure is described by its axes, how it is stored, and whether it is the same anywhere`() async throws
  {
    let tool = try Tool()
    #expect(
      try await tool("describe", "log_loss").output == """
        log_loss: measure
        Mean of -ln p(label) after each task; lower is better.
        Definition: mean of -ln p(label) on the test rows of task j after learning task i
        Along: run, after_task, task
        Stored as: f32
        About: the learner
        The same run: has it bit for bit on any machine, with any number of workers

        """)
    let json = try JSONReader.read(try await tool("describe", "time_task", "--json").output, file: "").value()
    #expect(json["along"]?.string == "run, after_task" && json["kind"]?.string == "measure")
    #expect(json["the_same_run"]?.string == "differs from one time to the next")
  }

  @Test func `expand counts and lists runs and knows which are done`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 2), to: "small.json")
    let expanded = try await tool("expand", "small.json", "--no-estimate").output
    #expect(expanded.hasSuffix("\n\n2 configurations × 2 seeds = 4 runs, 0 done, 4 to run\n"))
    _ = try await tool("run", "small.json", "--quiet")
    try tool.write(Small.experiment(seeds: 3), to: "small.json")
    let list = try await tool("expand", "small.json", "--list", "--no-estimate")
    let states = list.output.split(separator: "\n").dropFirst().dropLast().map { $0.hasSuffix("  done") }
    #expect(states == [true, true, false, true, true, false])
    let json = try JSONReader.read(
      try await tool("expand", "small.json", "--list", "--json").output, file: ""
    ).value()
    #expect(json["done"]?.int == 4)
    #expect(json["list"]?[5]?["seed"]?.int == 2)
    let many = try await tool("expand", try tool.write(Small.experiment(seeds: 50_001), to: "many.json"))
    #expect(many.status == 64)
    #expect(many.errors == "many.json: these are 100002 runs. Pass --yes to expand more than 100000.\n")
  }

  /// Two strategies, one with three candidates: 3 × 2 trials, then 2 × 3 runs.
  @Test func `expand counts and estimates trials and the runs after them`() async throws {
    let tool = try Tool()
    let select =
      #""select": { "seeds": [8, 9], "over": { "grid": { "strategies.replay.reservoir.capacity": [5, 10, 20] } } }"#
    let experiment = Small.experiment(seeds: 3).dropLast() + ", \(select) }"
    try tool.write(String(experiment), to: "small.json")
    func expanded(_ arguments: String...) async throws -> JSONValue {
      let answer = try await Tool.run(
        Tool.executable, ["expand", "small.json", "--json", "--jobs", "2"] + arguments, in: tool.folder)
      try #require(answer.status == 0, "\(answer.errors)")
      return try JSONReader.read(answer.output, file: "").value()
    }
    let counted = try await tool("expand", "small.json", "--no-estimate").output
    #expect(
      counted == """
        trials: 3 configurations × 2 seeds = 6 runs (seeds 8 to 9), 0 done
        then: 2 configurations × 3 seeds = 6 runs (seeds 0 to 2), 0 done

        """)
    let before = try await expanded()
    for stage in ["trials", "reported"] {
      #expect(before[stage]?["runs"]?.int == 6 && before[stage]?["done"]?.int == 0)
      let pairs = before[stage]?["estimate"]?["pairs"]?.array ?? []
      #expect(pairs.count == (stage == "trials" ? 1 : 2))
      #expect(pairs.allSatisfy { $0["basis"]?.string == "probe" && ($0["secondsPerRun"]?.double ?? 0) > 0 })
    }
    #expect(try await expanded("--no-estimate")["trials"]?["estimate"] == nil)
    #expect(try await tool("run", "small.json", "--quiet").status == 0)
    try tool.write(String(experiment).replacing(#""seeds": 3"#, with: #""seeds": 5"#), to: "small.json")
    let after = try await expanded()
    #expect(after["trials"]?["done"]?.int == 6 && after["trials"]?["estimate"]?["seconds"]?.double == 0)
    #expect(after["reported"]?["runs"]?.int == 10 && after["reported"]?["done"]?.int == 6)
    #expect(after["reported"]?["estimate"]?["pairs"]?[1]?["basis"]?.string == "finished")
    #expect(
      try await tool("expand", "small.json").output.hasPrefix(
        "trials: 3 configurations × 2 seeds = 6 runs (seeds 8 to 9), 6 done; nothing is left to run\nthen: "))
  }

  @Test func `validate says what a file holds and takes every shipped experiment`() async throws {
    let tool = try Tool()
    let folder = Tool.root + "/Experiments"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".json") && $0 != "experiment.schema.json"
    }
    #expect(names.count >= 8)
    for name in names {
      let answer = try await tool("validate", "\(folder)/\(name)", "--json")
      #expect(answer.status == 0, "\(answer.errors)")
      let warnings = try JSONReader.read(answer.output, file: "").value()[0]?["warnings"]?.array
      let messages = try #require(warnings).map { $0["message"]?.string ?? "" }
      #expect(messages.allSatisfy { $0.hasPrefix("data set ") }, "\(name): \(messages)")
    }
    let quickstart = try await tool("validate", "\(folder)/quickstart.json")
    #expect(quickstart.output == "\(folder)/quickstart.json: 16 configurations × 10 seeds = 160 runs\n")
  }

  @Test func `validate as JSON gives places`() async throws {
    let tool = try Tool()
    try tool.write("{ \"name\": 3 }", to: "bad.json")
    let answer = try await tool("validate", "bad.json", "--json")
    #expect(answer.status == 65)
    let problems = try JSONReader.read(answer.output, file: "").value()[0]?["problems"]?.array ?? []
    #expect(problems.count == 3)
    #expect(problems.last?["column"]?.int == 11)
    #expect(problems.last?["path"]?.string == "name")
  }

  @Test func `doctor finds HDF5, the instruction set and the machine`() async throws {
    let answer = try await Tool()("doctor", "--json", environment: ["PALIMPSEST_ISA": "baseline"])
    #expect(answer.status == 0)
    let json = try JSONReader.read(answer.output, file: "doctor").value()
    #expect(json["hdf5"]?["ok"]?.bool == true)
    #expect(json["instruction_set"]?["finding"]?.string?.hasPrefix("baseline ") == true)
    #expect(json["cores"]?["finding"]?.string == "\(ProcessInfo.processInfo.activeProcessorCount)")
  }

  @Test func `doctor tries the folder of results with a second process`() async throws {
    let tool = try Tool()
    let answer = try await tool("doctor", "new.h5", "--json")
    let json = try JSONReader.read(answer.output, file: "doctor").value()
    #expect(answer.status == 0 && json["hdf5"] != nil)
    for key in ["folder_link", "folder_rename", "folder_times", "folder_clock", "folder_visible"] {
      #expect(json[key]?["ok"]?.bool == true, "\(key): \(json[key]?["finding"]?.string ?? "")")
    }
    #expect(json["folder_visible"]?["finding"]?.string?.contains("at worst of 20") == true)
    let refused = try await tool("doctor", "/proc/new.h5")
    #expect(refused.status == 73 && refused.errors.contains("/proc: cannot make a folder here"))
    #expect(try await tool("doctor", "--answer").status == 64)
  }

  /// In a process of its own, which the tool ends.
  @Test func `a measure under the name of a standard one ends the program with what to do`() async throws {
    let end = await #expect(processExitsWith: .exitCode(65), observing: [\.standardErrorContent]) {
      let measure = Measure("effective_rank", "A test's", definition: "1")
      await PalimpsestTool.main(catalog: .standard.observing(Probe(measure) { _ in Reading(1) }))
    }
    let said = String(decoding: try #require(end).standardErrorContent, as: UTF8.self)
    #expect(
      said.contains(
        "catalogue: measure \"effective_rank\": the measure \"Effective rank of a layer's features\" has this name. "
          + "Give it one of its own, such as \"own_effective_rank\"."), "\(said)")
  }

  @Test func `bench times evaluation alone and with each probe`() async throws {
    let answer = try await Tool()("bench", "--section", "evaluation", "--repeats", "1", "--json")
    let lines = try answer.output.split(separator: "\n").map { try JSONReader.read(String($0), file: "").value() }
    let rates = Dictionary(
      uniqueKeysWithValues: lines.compactMap { line in line["variant"]?.string.map { ($0, line["median"]?.double ?? 0) }
      })
    let probes = ["calibration", "flips", "slices", "units", "similarity", "fresh"]
    #expect(Set(rates.keys) == Set(probes + ["peak", "judging alone", "no probes", "all probes"]))
    #expect((rates["all probes"] ?? 0) > 0 && (rates["all probes"] ?? 0) < rates["judging alone"] ?? 0)
  }

  @Test func `bench prints the peak and one JSON object a line`() async throws {
    let answer = try await Tool()(
      "bench", "--section", "steps", "--net", "tiny", "--variant", "sgd,si", "--repeats", "1", "--json")
    let lines = try answer.output.split(separator: "\n").map { try JSONReader.read(String($0), file: "").value() }
    #expect(lines.map { $0["variant"]?.string } == ["peak", "sgd", "si"])
    for line in lines {
      #expect(
        line.object.map { Array($0.keys) } == [
          "peer", "section", "net", "variant", "steps_per_s", "median", "min", "max", "unit", "clock", "gflops",
          "percent_of_peak", "percent_of_peak_highest", "isa", "revision",
        ])
    }
    // Useful work of a tiny step: 2 · 32 · (296 + 296 + 136) = 46,592 operations.
    let rate = try #require(lines[1]["steps_per_s"]?.double)
    let share = try #require(lines[1]["gflops"]?.double) / rate
    #expect(abs(share - 46_592e-9) < 1e-12)
    // With one repeat the median is the highest; the peak beside it is within a factor of ten of the first line's.
    let (percent, highest) = (lines[1]["percent_of_peak"]?.double, lines[1]["percent_of_peak_highest"]?.double)
    #expect(percent == highest)
    let peak = try #require(lines[0]["gflops"]?.double)
    let roughly = try 100 * #require(lines[1]["gflops"]?.double) / peak
    #expect(try #require(percent) > roughly / 10 && #require(percent) < roughly * 10)
  }

  @Test func `bench measures every section that needs no data`() async throws {
    let answer = try await Tool()(
      "bench", "--net", "tiny,small", "--variant", "sgd,ewc+replay", "--repeats", "1", "--json")
    #expect(answer.status == 0, "\(answer.errors)")
    let lines = try answer.output.split(separator: "\n").map { try JSONReader.read(String($0), file: "").value() }
    let sections = lines.compactMap { $0["section"]?.string }
    #expect(
      Set(sections).isSuperset(of: [
        "peak", "kernels", "steps", "fisher", "core-sets", "detectors", "streams", "habit", "jobs",
      ]))
    #expect(lines.allSatisfy { ($0["median"]?.double ?? -1) >= 0 })
    #expect(lines.filter { $0["section"]?.string == "steps" }.count == 4)
    let memory = lines.filter { $0["section"]?.string == "memory" && $0["unit"]?.string == "KB a run" }
    #if os(Linux)
      #expect(memory.count == 4)
    #endif
    // 313 parameters and their gradient take 2.5 KB.
    #expect(memory.allSatisfy { ($0["median"]?.double ?? 0) > 2.5 })
  }

  /// The losses that NumPy reaches in double precision (`Benchmarks/peers/check.json`).
  @Test func `bench computes what the peers compute`() async throws {
    let answer = try await Tool()("bench", "--check")
    let file = try Files.read(Tool.root + "/Benchmarks/peers/check.json")
    let stated = try JSONReader.read(file, file: "check.json").value()
    let nets = try #require(stated["nets"]?.array)
    let lines = try answer.output.split(separator: "\n").map { try JSONReader.read(String($0), file: "").value() }
    #expect(lines.count == 20)
    for line in lines where line["variant"]?.string == "sgd" {
      let net = try #require(nets.first { $0["name"]?.string == line["net"]?.string })
      let (ours, theirs) = try (#require(line["loss"]?.double), #require(net["last_loss"]?.double))
      #expect(abs(ours - theirs) < 1e-4, "\(line.compactText)")
    }
  }

  @Test func `datasets tells what is there, and adds what can be read`() async throws {
    let tool = try Tool()
    try tool.write("a,b,label\n1,2,x\n3,4,y\n5,6,x\n7,8,y\n", to: "mine.csv")
    let added = try await tool("datasets", "add", "mine", "--from", "mine.csv")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.output == "mine: datasets/mine\n")
    let list = try await tool("datasets")
    #expect(list.output.contains("\nmine "))
    #expect(list.output == (try await tool("list", "datasets").output))
    #expect(list.output.hasPrefix("mnist "))
    let absent = try await tool("datasets", "add", "other", "--from", "nothing.csv")
    #expect(absent.status == 66)
    #expect(absent.errors == "nothing.csv: there is no such file\n")
  }
}
