import PalimpsestCore
import PalimpsestStrategies
import Testing

@Suite struct GradientClipTests {
  private let context = StepContext(
    experience: ExperienceInfo(index: 0, name: "task", outputs: 0..<1, seenOutputs: 0..<1, rows: 1), epoch: 0, step: 0)

  private func clipped(_ gradient: FloatBuffer, by clip: GradientClip = GradientClip()) -> [Float] {
    var (result, lender) = (
      gradient, Lender(PenaltyWorld.linear(inputs: 1, outputs: 1), using: Seed(1).stream("lender"))
    )
    clip.transform(&result, &lender, context)
    return result.array
  }

  @Test func `a long gradient is scaled down to the limit`() {
    // ‖(3, 0, −4)‖ = 5; the limit 1 makes it (0.6, 0, −0.8).
    #expect(zip(clipped(FloatBuffer([3, 0, -4])), [0.6, 0, -0.8]).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func `a gradient within the limit keeps its bits`() {
    var clip = GradientClip()
    clip.norm = 5
    #expect(clipped(FloatBuffer([3, 0, -4]), by: clip) == [3, 0, -4])
  }
}
