import Foundation
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestReport
import Testing

/// Every figure of every made-up report.
@Suite struct FigureTests {
  @Test(arguments: MadeUp.all)
  func `no two texts of a figure stand on one another, and none beyond it`(report: MadeUp) throws {
    for figure in try report.made().figures.all {
      #expect(DrawingTests.overlaps(figure.drawing) == [], "\(figure.name)")
      #expect(DrawingTests.beyond(figure.drawing) == [], "\(figure.name)")
    }
  }

  @Test(arguments: MadeUp.all)
  func `a figure is XML with a title and its numbers in words`(report: MadeUp) throws {
    for figure in try report.made().figures.all {
      let svg = try #require(XML(figure.file), "\(figure.name)")
      let root = svg.elements[0].attributes
      #expect(root["role"] == "img" && root["aria-labelledby"] == "t-\(figure.name) d-\(figure.name)")
      #expect(svg["title"][0].attributes["id"] == "t-\(figure.name)" && svg["title"][0].text == visible(figure.title))
      let words = try #require(svg["desc"].first)
      #expect(words.attributes["id"] == "d-\(figure.name)" && words.text == visible(figure.summary))
      #expect(words.text.contains { $0.isNumber }, "\(figure.name): \(words.text)")
    }
  }

  @Test(arguments: MadeUp.all)
  func `places are numbers, and nothing is drawn beyond the picture`(report: MadeUp) throws {
    for figure in try report.made().figures.all {
      let svg = try #require(XML(figure.file))
      for shape in svg.elements {
        for (name, most) in [
          ("x", figure.drawing.width), ("x1", figure.drawing.width), ("x2", figure.drawing.width),
          ("cx", figure.drawing.width), ("y", figure.drawing.height), ("y1", figure.drawing.height),
          ("y2", figure.drawing.height), ("cy", figure.drawing.height),
        ] {
          guard let text = shape.attributes[name] else { continue }
          let place = try #require(Double(text), "\(figure.name): \(name)=\(text)")
          #expect(place >= -0.5 && place <= most + 0.5, "\(figure.name): \(shape.name) at \(name)=\(text)")
        }
      }
      for data in svg["path"].compactMap({ $0.attributes["d"] }) {
        #expect(!data.contains("nan") && !data.contains("inf"), "\(figure.name)")
      }
    }
  }

  @Test(arguments: MadeUp.all)
  func `names of figures differ and can be names of files`(report: MadeUp) throws {
    let names = try report.made().figures.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".contains($0) } }, "\(names)")
  }

  @Test(arguments: MadeUp.all)
  func `a specification names its schema, and its data hold no number that JSON lacks`(report: MadeUp) throws {
    for figure in try report.made().figures.all {
      let read = try JSONReader.read(figure.specification.compactText, file: figure.name).value()
      #expect(read["$schema"]?.string == "https://vega.github.io/schema/vega-lite/v5.json")
      #expect(read["title"]?.string == figure.title)
      let rows = csvRows(try #require(read["data"]?["values"]?.string))
      #expect(rows.count > 1 && Set(rows[0]).count == rows[0].count, "\(figure.name)")
      #expect(rows.allSatisfy { $0.count == rows[0].count }, "\(figure.name)")
    }
  }

  /// Fields that an encoding names without the data's having them, where a layer has no data of its own.
  private static func strangers(_ node: JSONValue, _ columns: Set<String>) -> [String] {
    if let items = node.array { return items.flatMap { strangers($0, columns) } }
    guard let object = node.object else { return [] }
    let own = node["field"]?.string.map { columns.contains($0) ? [] : [$0] } ?? []
    return own + object.keys.filter { $0 != "data" }.flatMap { strangers(object[$0] ?? .null, columns) }
  }

  @Test(arguments: MadeUp.all)
  func `a specification names no field that its data lack`(report: MadeUp) throws {
    for figure in try report.made().figures.all {
      let columns = csvRows(try #require(figure.specification["data"]?["values"]?.string))[0]
      let layers = figure.specification["layer"]?.array?.filter { $0["data"] == nil } ?? [figure.specification]
      #expect(Self.strangers(JSONValue(layers), Set(columns)) == [], "\(figure.name)")
    }
  }

  @Test func `kinds of figures that runs have numbers for are all there`() throws {
    let names = Set(try MadeUp.ordinary.figures().all.map(\.name))
    let wanted = [
      "intervals-average-accuracy-visible", "intervals-forgetting-hidden", "tasks-so-far-visible",
      "after-each-task-0-visible", "within-tasks-hidden", "matrices-visible", "cross-accuracy-visible",
      "drift-tv-hidden",
      "forgetting-split-visible", "cost-bytes-visible", "cost-multiply-adds-hidden",
    ]
    #expect(wanted.filter { !names.contains($0) } == [])
    let leftOut = try MadeUp.ordinary.figures().leftOut.joined()
    #expect(["Accuracy", "Matrices", "forgetting", "Cost"].filter { leftOut.contains($0) } == [])
  }

  @Test func `over scenarios the mean of the middle half has an interval that holds it`() throws {
    let made = MadeUp.ordinary
    let figure = try #require(made.figures().all.first { $0.name == "interquartile-means" })
    #expect(
      figure.note.hasPrefix(
        "Mean of the middle half of all runs of 2 scenarios together, n 10; 95 % interval by 10,000")
    )
    let lines = csvRows(try #require(figure.specification["data"]?["values"]?.string)).dropFirst()
    #expect(lines.map { $0[0] } == ["naive", "ewc", "replay", "adapters", "joint"])
    let column = try #require(made.report.metrics.firstIndex { $0.name == Metric.normalisedRetention.name })
    for line in lines {
      let numbers = line.dropFirst().compactMap(Double.init)
      let values = made.report.rows.filter { $0.strategy == line[0] }.flatMap { $0.cells[column].values }.sorted()
      // Of ten runs two are cut at each end.
      let mean = values[2..<8].reduce(0, +) / 6
      #expect(
        values.count == 10 && abs(numbers[0] - mean) < 6e-4 && numbers[1] < mean && mean < numbers[2],
        "\(line) \(values) \(figure.title)")
    }
    #expect(try !MadeUp.oneRun.figures().all.contains { $0.name == "interquartile-means" })
  }

  @Test func `what is possible stands beside the settings that it is possible with`() throws {
    let (figures, page) = try MadeUp.sweepOfDoses.made()
    let intervals = try #require(figures.all.first { $0.name == "intervals-average-accuracy-visible" })
    #expect(intervals.note.contains("dashed: what is possible with the row's settings, J* and tracker."))
    #expect(intervals.summary.contains("; J* 0.850, 0.750, 0.650; tracker 0.800, 0.800, 0.800"))
    #expect(intervals.file.components(separatedBy: "class=\"ref\"").count - 1 == 12)
    for name in ["cross-accuracy-visible", "drift-tv-visible"] {
      let texts = try #require(figures.all.first { $0.name == name }).drawing.boxes.map(\.text)
      #expect(texts.filter { $0.hasPrefix("dose") } == ["dose 0", "dose 0.5", "dose 1"])
    }
    #expect(page.contains("has 0.850 (dose 0), 0.750 (dose 0.5), 0.650 (dose 1); a perfect tracker has 0.800 (dose 0)"))
    // One that is the same for all is one line.
    let one = try #require(MadeUp.ordinary.made().figures.all.first { $0.name == "intervals-average-accuracy-visible" })
    #expect(one.note.hasSuffix("; dashed: what is possible."))
    #expect(one.file.components(separatedBy: "class=\"ref\"").count - 1 == 2)
  }

  @Test func `days that are learned have a curve of gains and one of people who are worse off`() throws {
    let figures = try MadeUp.people.made().figures.all
    let gain = try #require(figures.first { $0.name == "curve-gain-visible" })
    #expect(gain.summary.contains("policy 2 0.011, 0.013, 0.025, 0.070"))
    #expect(gain.note.contains("Dashed: as good as the population model."))
    #expect(gain.file.contains("class=\"ref\""))
    let worse = try #require(figures.first { $0.name == "curve-share-worse-visible" })
    #expect(worse.summary.contains("policy 0 0.200, 0.086, 0.020, 0.005") && !worse.file.contains("class=\"ref\""))
  }

  @Test func `without p* nothing is drawn that needs it, and the page says so`() throws {
    let figures = try MadeUp.unknownTruth.figures()
    #expect(!figures.all.contains { $0.name.hasPrefix("forgetting-split") || $0.name.hasPrefix("cross-accuracy") })
    #expect(figures.leftOut.first == "Where forgetting comes from: the truth of the scenarios (p*) is not known")
    #expect(figures.all.allSatisfy { !$0.title.contains("expected") && !$0.summary.contains("J*") })
  }

  @Test func `of one run no interval is drawn, and n 1 is said`() throws {
    let figure = try #require(MadeUp.oneRun.figures().all.first { $0.name == "intervals-average-accuracy-visible" })
    let mean = try #require(MadeUp.oneRun.report.rows[0].cells[0].interval?.mean)
    #expect(figure.note.hasPrefix("One seed: no interval, n 1"))
    #expect(figure.summary.hasPrefix("expected average accuracy: naive \(shareText(mean)) (n 1)"))
    #expect(!figure.summary.contains("±") && !figure.file.contains("class=\"k w\""))
  }

  @Test func `of very many configurations the twenty best and the bounds are shown, and how many there are is said`()
    throws
  {
    let figure = try #require(MadeUp.many.figures().all.first { $0.name == "intervals-average-accuracy-visible" })
    let texts = figure.drawing.boxes.map(\.text).filter { $0.hasPrefix("ewc") || $0.hasSuffix("‡") }
    #expect(texts.count == 22 && texts.filter { $0.hasSuffix("‡") } == ["joint ‡", "frozen ‡"])
    #expect(figure.summary.contains("ewc_strength = 43") && figure.summary.contains("ewc_strength = 24"))
    #expect(!figure.summary.contains("ewc_strength = 23"))
    #expect(figure.note.hasSuffix(" The 22 shown of 46 are the best and the bounds."))
  }

  @Test func `only values that are numbers have a line between them`() throws {
    func slices(_ report: MadeUp) throws -> [Figure] { try report.figures().all.filter { $0.name.hasPrefix("slice-") } }
    let (texts, numbers) = (try slices(.sweepOfTexts), try slices(.sweepOfThree))
    #expect(
      !texts.isEmpty
        && texts.allSatisfy {
          !$0.file.contains(#"class="k""#) && $0.note.contains("large marks are the best of each value.")
        })
    #expect(
      !numbers.isEmpty
        && numbers.allSatisfy { $0.file.contains(#"class="k""#) && $0.note.contains("the line goes through the best") })
    #expect(texts.allSatisfy { $0.summary.hasPrefix("importance ") })
  }

  /// The means of its values are then the configurations themselves, and would explain all.
  @Test func `importance is not told where each value has one configuration`() throws {
    let figure = try #require(MadeUp.sweepOfOne.figures().all.first { $0.name.hasPrefix("slice-") })
    #expect(figure.note.hasSuffix("Each value has one configuration: what it explains cannot be told."))
    #expect(figure.summary.hasPrefix("best at each value: "))
  }

  @Test func `the diagonal of reliability is a line without a name`() throws {
    let figure = try #require(MadeUp.reliability.figures().all.first { $0.name.hasPrefix("reliability-") })
    #expect(figure.file.components(separatedBy: #"<path class="ref""#).count == 2)
    #expect(!figure.summary.contains(":  0.000, 1.000"))
  }

  @Test func `up to forty seeds each is a dot, and more are none`() throws {
    func dots(_ report: MadeUp) throws -> Int {
      let figure = try #require(report.figures().all.first { $0.name == "intervals-average-accuracy-visible" })
      let shapes = try #require(XML(figure.file))["path"].filter { $0.attributes["class"] == "k d n" }
      return shapes.reduce(0) { $0 + ($1.attributes["d"] ?? "").components(separatedBy: "h0").count - 1 }
    }
    #expect(try dots(MadeUp.twoTasks) == 10)
    #expect(try dots(MadeUp.manySeeds) == 0)
  }

  /// As ``escaped(_:)`` shows characters that XML has not.
  private func visible(_ text: String) -> String {
    HTMLTags.plain(escaped(text))
  }
}
