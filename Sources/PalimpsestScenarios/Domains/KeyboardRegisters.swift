import PalimpsestCore

/// Which token comes next? Five registers of one language, of which the input shows the last token alone, or the register as well.
///
/// - Rows: a walk of tokens; register k goes from token to token by P_k = ½ base + ½ own_k, rows of either drawn from a Dirichlet law.
///   The input is one-hot, with the register shown beside it by a number of its own for each.
/// - Truth: p* is a row of P_k; densities are those of the stationary walk, and J* is the rule of the mean of the registers' joint
///   probabilities. Means are over the test rows of each seed, which draws the language.
public struct KeyboardRegisters: GeneratorScenario {
  public static let name = "keyboard-registers"
  public static let summary = "Next token from the last one: five registers share half of a language."
  public static let source = """
    A law of our own: bigrams with Dirichlet rows. Two hundred rows show a fraction of 1,600 bigrams: a small memory does worse than a penalty.
    """
  public static let drawsConcepts = true

  /// Whether rows show the register.
  public enum Context: String, ParameterChoice { case visible, hidden }

  @Parameter("Whether rows show the register.") public var context: Context = .hidden
  @Parameter(
    "The register of each task, by a number; equal numbers are one register.", Bounds.within(0...999).count(atLeast: 1))
  public var registers: [Int] = [1, 2, 3, 4, 5]
  @Parameter("Tokens of the language.", .within(2...1000)) public var tokens: Int = 40
  @Parameter(
    "Parameter of the Dirichlet law that rows are drawn from: the smaller, the fewer tokens follow one.",
    .within(0.01...1000))
  public var concentration: Double = 0.08
  @Parameter("Share of the base language in every register.", .within(0...1)) public var shared: Double = 0.5
  public var rows = GeneratorSettings(rowsPerTask: 6000, testRows: 2000)

  public init() {}

  public var extent: (tasks: Int, columns: Int) {
    (registers.count, tokens + (context == .visible ? Set(registers).count : 0))
  }

  public func generator(seed: Seed) -> any ConceptGenerator { KeyboardLaw(self, seed) }
}

struct KeyboardLaw: DensityGenerator, WalkGenerator {
  /// What a shown register's column holds.
  private static let mark: Float = 1.5

  let columns: [String]
  let labels: [String]
  let concepts: [String]
  private let tokens: Int
  private let isShown: Bool
  /// A place in ``registers``, one a task.
  private let places: [Int]
  private let registers: [Bigrams]
  var truth: GeneratorTruth { .ofTestRows }

  init(_ settings: KeyboardRegisters, _ seed: Seed) {
    (tokens, isShown) = (settings.tokens, settings.context == .visible)
    let known = Set(settings.registers).sorted()
    let names = (1...settings.tokens).map { "token \($0)" }
    labels = names
    columns = names.map { "after \($0)" } + (isShown ? known.map { "register \($0)" } : [])
    concepts = settings.registers.map { "register \($0)" }
    places = settings.registers.map { known.firstIndex(of: $0) ?? 0 }
    func table(_ seed: Seed) -> [[Double]] {
      (0..<settings.tokens).map { Bigrams.dirichlet(settings.tokens, settings.concentration, seed.stream("row", $0)) }
    }
    let base = table(seed.derived("keyboard-base"))
    registers = known.map { number in
      let own = table(seed.derived("keyboard-register", number))
      return Bigrams(
        zip(base, own).map { zip($0, $1).map { settings.shared * $0 + (1 - settings.shared) * $1 } })
    }
  }

  /// The walk begins with any token.
  func draw(_ draws: RowDraws, _ moment: ConceptMoment, after label: Int?, into inputs: inout [Float]) -> Int {
    let last = label ?? draws.index(below: tokens, .inputs)
    return draw(draws, moment, behind: last, into: &inputs)
  }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let last = registers[places[moment.concept]].token(drawing: draws.uniform(.inputs))
    return draw(draws, moment, behind: last, into: &inputs)
  }

  private func draw(
    _ draws: RowDraws, _ moment: ConceptMoment, behind last: Int, into inputs: inout [Float]
  ) -> Int {
    show(last, moment, in: &inputs)
    return registers[places[moment.concept]].next(after: last, drawing: draws.uniform(.label))
  }

  private func show(_ last: Int, _ moment: ConceptMoment, in inputs: inout [Float]) {
    for column in inputs.indices { inputs[column] = column == last ? 1 : 0 }
    if isShown { inputs[tokens + places[moment.concept]] = KeyboardLaw.mark }
  }

  func support(_ moment: ConceptMoment) -> [(inputs: [Float], share: Double)] {
    registers[places[moment.concept]].stationary.enumerated().map { token, share in
      var inputs = [Float](repeating: 0, count: columns.count)
      show(token, moment, in: &inputs)
      return (inputs, share)
    }
  }

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    registers[places[moment.concept]].rows[lastToken(inputs)]
  }

  func logDensities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double] {
    let register = places[moment.concept]
    if isShown && inputs[tokens + register] == 0 { return labels.map { _ in -.infinity } }
    return registers[register].logPairs[lastToken(inputs)]
  }

  private func lastToken(_ inputs: [Float]) -> Int { inputs.prefix(tokens).firstIndex { $0 > 0 } ?? 0 }
}

/// How tokens follow each other.
package struct Bigrams: Sendable {
  /// P(next | last), a row for each last one.
  package let rows: [[Double]]
  /// Share of each token in a long walk.
  package let stationary: [Double]
  /// ln of stationary(last) · P(next | last).
  let logPairs: [[Double]]
  private let sums: [[Double]]

  /// - Parameter rows: each sums to 1.
  package init(_ rows: [[Double]]) {
    self.rows = rows
    stationary = Bigrams.stationary(rows)
    logPairs = zip(stationary, rows).map { share, row in row.map { Elementary.log(share * $0) } }
    sums = rows.map { row in
      var sum = 0.0
      return row.map { p in
        sum += p
        return sum
      }
    }
  }

  /// A token out of a long walk.
  /// - Parameter u: uniform in [0, 1).
  func token(drawing u: Double) -> Int {
    var sum = 0.0
    for (token, share) in stationary.enumerated() {
      sum += share
      if u < sum { return token }
    }
    return stationary.lastIndex { $0 > 0 } ?? 0
  }

  /// The token after another.
  /// - Parameter u: uniform in [0, 1).
  func next(after last: Int, drawing u: Double) -> Int {
    sums[last].firstIndex { u < $0 } ?? rows[last].lastIndex { $0 > 0 } ?? 0
  }

  /// π = π P, by the lazy walk (P + I)/2, which has no period: until no share moves by more than 1e-13, at most 20,000 times.
  private static func stationary(_ rows: [[Double]]) -> [Double] {
    var shares = rows.map { _ in 1 / Double(rows.count) }
    for _ in 0..<20_000 {
      var next = shares.map { $0 / 2 }
      for (share, row) in zip(shares, rows) {
        for token in row.indices { next[token] += share / 2 * row[token] }
      }
      let change = zip(next, shares).reduce(0) { max($0, abs($1.0 - $1.1)) }
      shares = next
      if change < 1e-13 { break }
    }
    return shares
  }

  /// A draw from the symmetric Dirichlet law: gamma variables over their sum.
  package static func dirichlet(_ count: Int, _ concentration: Double, _ rng: Random) -> [Double] {
    var rng = rng
    let logs = (0..<count).map { _ in logGamma(concentration, using: &rng) }
    return shares(ofLogs: logs)
  }

  /// ln of a gamma variable: of one with shape a + 1 by Marsaglia & Tsang 2000, times U^(1/a). Its logarithm does not run out of small
  /// numbers where a is small.
  private static func logGamma(_ shape: Double, using rng: inout Random) -> Double {
    let d = shape + 1 - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = rng.normal()
      let v = 1 + c * x
      if v <= 0 { continue }
      let cube = v * v * v
      let u = 1 - rng.uniform()
      if Elementary.log(u) < x * x / 2 + d - d * cube + d * Elementary.log(cube) {
        return Elementary.log(d * cube) + Elementary.log(1 - rng.uniform()) / shape
      }
    }
  }
}
