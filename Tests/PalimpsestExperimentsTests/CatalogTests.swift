import PalimpsestCore
import PalimpsestExperiments
import Testing

/// What is no part, or two at once, is a mistake in the program and stops it.
@Suite struct CatalogTests {
  @Test func `a part that plays two roles is refused`() async {
    await #expect(processExitsWith: .failure) { _ = Catalog.standard.adding(TwoRoles.self) }
  }

  @Test func `a name that is taken is refused`() async {
    await #expect(processExitsWith: .failure) { _ = Catalog.standard.adding(OtherEWC.self) }
  }

  @Test func `a part of one role and a new name is taken`() async {
    await #expect(processExitsWith: .success) {
      #expect(Catalog.standard.adding(OneRole.self).parts[OneRole.name] != nil)
    }
  }
}

private struct OneRole: GradientTransform {
  static let name = "one-role"
  static let summary = "Changes nothing."
  static let source = "For tests only."

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {}
}

private struct TwoRoles: GradientTransform, Penalty {
  static let name = "two-roles"
  static let summary = "Changes nothing, twice."
  static let source = "For tests only."

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {}
  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }
}

private struct OtherEWC: GradientTransform {
  static let name = "ewc"
  static let summary = "Bears a name that is taken."
  static let source = "For tests only."

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {}
}
