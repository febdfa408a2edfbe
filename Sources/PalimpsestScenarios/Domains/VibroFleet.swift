import PalimpsestCore

/// Is the machine faulty? Tasks are machines, each with a baseline of its own and another signature of the fault.
///
/// - Rows: ten measures, normal of deviation .9 about the machine's baseline, with a fault about baseline + gain. Baseline N(0, 1.6) (half of
///   that for kurtosis, crest and temperature); gain as `VibrationSignature` draws it, of length 1.9 · .9.
/// - Truth: p* = σ(wᵀx + b), w = gain/.81, b = −wᵀ(base + gain/2) + ln(faults/(1 − faults)); J* is the rule of the mean posterior, weighted by
///   density. Means are over the test rows of each seed, which draws the machines.
public struct VibroFleet: GeneratorScenario {
  public static let name = "vibro-fleet"
  public static let summary =
    "Machine faults from vibration: every machine has its own baseline and signature of the fault."
  public static let source = """
    A law of our own. What one machine teaches may help the next or mislead: plain learning on depends on the order of the machines.
    """
  public static let drawsConcepts = true

  @Parameter(
    "The machine of each task, by a number; equal numbers are one machine.",
    Bounds.within(0...1_000_000).count(atLeast: 1))
  public var machines: [Int] = [1, 2, 3, 4, 5]
  @Parameter("Share of rows with a fault.", .within(0.001...0.999)) public var faults: Double = 0.3
  public var rows = GeneratorSettings(rowsPerTask: 1200)

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (machines.count, 10) }
  public func generator(seed: Seed) -> any ConceptGenerator { FleetLaw(self, seed) }
}

struct FleetLaw: DensityGenerator {
  private let machines: [Int]
  private let signatures: [VibrationSignature]
  private let faults: Double

  let columns = VibrationSignature.columns
  let labels = ["sound", "fault"]
  let scales: [InputScaling] = [.column(shift: 0, divisor: 2)]
  var concepts: [String] { machines.map { "machine \($0)" } }
  var truth: GeneratorTruth { .ofTestRows }

  init(_ settings: VibroFleet, _ seed: Seed) {
    (machines, faults) = (settings.machines, settings.faults)
    signatures = settings.machines.map { VibrationSignature(seed.derived("vibro-machine", $0)) }
  }

  func owner(_ moment: ConceptMoment) -> Int? { machines[moment.concept] }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let isFault = draws.uniform(.label) < faults
    signatures[moment.concept].draw(draws, isFault: isFault, into: &inputs)
    return isFault ? 1 : 0
  }

  func logDensities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double] {
    signatures[moment.concept].logDensities(inputs, faults: faults)
  }
}
