import PalimpsestReport
import Testing

/// What can be told from what it stands on, by WCAG 2.2.
@Suite struct ContrastTests {
  /// Ratios that WebAIM's and the W3C's calculators give.
  @Test(
    arguments: [
      ("#000000", "#ffffff", 21), ("#ffffff", "#ffffff", 1), ("#777777", "#ffffff", 4.48), ("#767676", "#ffffff", 4.54),
      ("#ff0000", "#ffffff", 4.00), ("#0000ff", "#ffffff", 8.59), ("#949494", "#ffffff", 3.03),
    ])
  func `the ratio is that of the W3C, whichever colour comes first`(a: String, b: String, ratio: Double) {
    #expect(abs(Contrast.ratio(a, b) - ratio) < 0.005)
    #expect(Contrast.ratio(a, b) == Contrast.ratio(b, a))
  }

  static let papers = [("light", Palette.light), ("dark", Palette.dark)]

  @Test(arguments: Palette.strategies, papers)
  func `a strategy's colour has at least 3 to 1`(colour: String, paper: (name: String, paper: Palette.Paper)) {
    #expect(Contrast.ratio(colour, paper.paper.page) >= 3)
  }

  @Test(arguments: papers)
  func `texts have at least 4.5 to 1, lines 3 to 1`(paper: (name: String, paper: Palette.Paper)) {
    let paper = paper.paper
    for colour in [paper.ink, paper.soft, paper.link, paper.alarm] {
      #expect(Contrast.ratio(colour, paper.page) >= 4.5, "\(colour)")
    }
    #expect(Contrast.ratio(paper.axis, paper.page) >= 3)
  }

  @Test func `strategies have different colours and different shapes`() {
    let styles = Palette.strategies.indices
    #expect(Set(Palette.strategies).count == styles.count)
    #expect(Set(styles.map { Palette.shape($0, radius: 5) }).count == styles.count)
    #expect(styles.map(Palette.name) + [Palette.name(8)] == ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "sx"])
  }

  @Test func `the scales of colour begin and end as designed, and hold what is beyond them`() {
    #expect([-1.0, 0, 1, 2, .nan].map(Palette.sequential) == ["#f7f4f9", "#f7f4f9", "#143c78", "#143c78", "#f7f4f9"])
    #expect([-2.0, -1, 0, 1].map(Palette.diverging) == ["#b05414", "#b05414", "#f7f7f7", "#16785a"])
  }

  @Test func `a number on a colour of the scales has the better ink, at least 4.5 to 1`() {
    let shares = (0...100).map { Double($0) / 100 }
    for colour in shares.map(Palette.sequential) + shares.map({ Palette.diverging(2 * $0 - 1) }) {
      let ink = Palette.ink(on: colour) == "u" ? "#000000" : "#ffffff"
      #expect(Contrast.ratio(ink, colour) > 4.5, "\(colour)")
    }
  }
}
