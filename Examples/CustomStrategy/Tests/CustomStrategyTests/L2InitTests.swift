import PalimpsestTesting
import Testing
import custom_strategy

struct L2InitTests {
  @Test func `it obeys the laws of a penalty`() {
    #expect(PenaltyLaws.violations(of: L2Init()) == [])
  }
}
