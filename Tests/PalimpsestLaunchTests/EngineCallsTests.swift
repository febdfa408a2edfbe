import PalimpsestLaunch
import Testing

/// Programs of engines as they are called and quoted.
struct EngineCallsTests {
  @Test func `arguments reach a program as they are`() async throws {
    let words = ["a b", "$(date)", "%", "'\"", "*"]
    let answer = try await Work.calls.output("printf", ["%s\\n"] + words)
    #expect(answer.lines == words)
  }

  @Test func `a program that is not there is named`() async throws {
    await #expect(throws: EngineError(.missing, "no-such-engine: this program is not on PATH")) {
      try await Work.calls.answer("no-such-engine", [])
    }
    await #expect(throws: EngineError(.missing, "/no/such engine: there is no such program")) {
      try await Work.calls.answer("/no/such engine", [])
    }
  }

  @Test func `a program may be named by its path`() async throws {
    #expect(try await Work.calls.output("/bin/echo", ["a b"]).lines == ["a b"])
  }

  @Test func `what a program says of its failure is quoted with its name`() async throws {
    let script = "echo 'sh: error: no' >&2; echo more >&2; exit 3"
    await #expect(throws: EngineError(.refused, "sh: error: no\nsh: more")) {
      try await Work.calls.output("sh", ["-c", script])
    }
    await #expect(throws: EngineError(.refused, "sh: ended with 7 and said nothing")) {
      try await Work.calls.output("sh", ["-c", "exit 7"])
    }
  }

  @Test func `a program that gives no answer is stopped with what it has started`() async throws {
    let start = ContinuousClock.now
    await #expect(throws: EngineError(.silent, "sh: no answer within 1 s; it was stopped")) {
      try await EngineCalls(limit: .seconds(1), environment: ["LD_PRELOAD": ""]).answer(
        "sh", ["-c", "sleep 3000; true"])
    }
    // Whole suites on a busy machine let it wait for minutes, but not until the end.
    #expect(ContinuousClock.now - start < .seconds(1500))
  }
}
