import PalimpsestCore

/// One machine wears day by day, its sound rows drift and the fault's signature turns into another; then maintenance makes it as it was.
///
/// - Rows: as in ``VibroFleet``, some a day. With s = (day of the cycle / days of the cycle)² the baseline moves by `wear` · s along a drawn
///   direction (not in speed and load, half in kurtosis, crest and temperature), and the gain is (1 + ½ s) ((1 − s) gain + s gain′).
///   A day stands still; a task is some days, its test rows are drawn as on the last of them.
/// - Truth: as in ``VibroFleet``.
public struct VibroWear: GeneratorScenario {
  public static let name = "vibro-wear"
  public static let summary =
    "One machine wears slowly, then maintenance brings it back: a stream without a boundary, and one with."
  public static let source = """
    A law of our own. Old rows mislead while the machine wears and help once it is maintained: a test of what a memory should hold.
    """
  public static let drawsConcepts = true

  @Parameter("Times the machine wears from new to maintenance.", .within(1...1000)) public var cycles: Int = 2
  @Parameter("Days of a cycle.", .within(2...1_000_000)) public var cycleDays: Int = 200
  @Parameter("Rows of a day.", .within(1...1_000_000)) public var rowsPerDay: Int = 12
  @Parameter("What the baseline moves by from new to worn; .9 is a measure's deviation.", .within(0...100))
  public var wear: Double = 2.16
  @Parameter("Share of rows with a fault.", .within(0.001...0.999)) public var faults: Double = 0.3
  public var rows = GeneratorSettings(rowsPerTask: 480)

  public init() {}

  private var allRows: Int { cycles * cycleDays * rowsPerDay }

  public var extent: (tasks: Int, columns: Int) { (max(1, allRows / rows.rowsPerTask), 10) }

  public func checkConcepts() throws(ScenarioError) {
    guard allRows % rows.rowsPerTask != 0 else { return }
    throw ScenarioError(
      parameter: "rowsPerTask",
      "\(cycles) × \(cycleDays) days of \(rowsPerDay) rows are \(allRows) rows, no multiple of \(rows.rowsPerTask). Take a divisor."
    )
  }

  public func generator(seed: Seed) -> any ConceptGenerator { WearLaw(self, seed) }
}

struct WearLaw: DensityGenerator {
  private let settings: VibroWear
  private let new: VibrationSignature
  private let worn: VibrationSignature
  private let shift: [Double]

  let columns = VibrationSignature.columns
  let labels = ["sound", "fault"]
  let scales: [InputScaling] = [.column(shift: 0, divisor: 2)]
  var truth: GeneratorTruth { .ofTestRows }

  init(_ settings: VibroWear, _ seed: Seed) {
    self.settings = settings
    new = VibrationSignature(seed.derived("vibro-machine", 1))
    worn = VibrationSignature(seed.derived("vibro-machine", 2))
    let raw = [1, 0.5, 0.5, 1, 1, 1, 1, 0, 0, 0.5].enumerated().map { column, weight in
      weight * Quantile.normal(seed.derived("vibro-wear").uniform(column, 0, 0))
    }
    let length = raw.reduce(0) { $0 + $1 * $1 }.squareRoot()
    shift = raw.map { settings.wear * $0 / length }
  }

  var concepts: [String] {
    (0..<settings.extent.tasks).map { task in
      let (first, last) = (day(ofRow: task * settings.rows.rowsPerTask), lastDay(ofTask: task))
      let days = "\(first % settings.cycleDays + 1)-\(last % settings.cycleDays + 1)"
      return "cycle \(first / settings.cycleDays + 1) days \(days)"
    }
  }

  /// Rows of a day are spread over it evenly.
  func time(_ moment: ConceptMoment) -> Int? { moment.row * 86_400 / settings.rowsPerDay }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let isFault = draws.uniform(.label) < settings.faults
    signature(moment).draw(draws, isFault: isFault, into: &inputs)
    return isFault ? 1 : 0
  }

  func logDensities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double] {
    signature(moment).logDensities(inputs, faults: settings.faults)
  }

  /// The machine wears from a cycle's first row to its last, and maintenance comes with the next one's first.
  var events: [DriftEvent]? {
    let rows = settings.cycleDays * settings.rowsPerDay
    func task(ofRow row: Int) -> Int { row / settings.rows.rowsPerTask }
    return (0..<settings.cycles).flatMap { cycle -> [DriftEvent] in
      let (first, last) = (cycle * rows, (cycle + 1) * rows - 1)
      let wear = DriftEvent(.change, min(first + 1, last)...last, before: task(ofRow: first), behind: task(ofRow: last))
      if cycle == 0 { return [wear] }
      return [DriftEvent(.change, first...first, before: task(ofRow: first - 1), behind: task(ofRow: first)), wear]
    }
  }

  private func day(ofRow row: Int) -> Int { row / settings.rowsPerDay }
  private func lastDay(ofTask task: Int) -> Int { day(ofRow: (task + 1) * settings.rows.rowsPerTask - 1) }

  /// The machine as it is on a row's day; rows before and behind the concept's own task are of its first and last day.
  private func signature(_ moment: ConceptMoment) -> VibrationSignature {
    let first = day(ofRow: moment.concept * settings.rows.rowsPerTask)
    let day = min(max(day(ofRow: moment.row), first), lastDay(ofTask: moment.concept))
    let age = Double(day % settings.cycleDays) / Double(settings.cycleDays)
    return new.worn(age * age, towards: worn, shift: shift)
  }
}
