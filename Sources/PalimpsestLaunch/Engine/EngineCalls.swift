import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// What a program of an engine answered.
public struct EngineAnswer: Sendable, Equatable {
  /// Its exit code; 128 and the signal's number where a signal ended it.
  public let status: Int
  public let output: String
  public let errors: String

  public init(status: Int, output: String, errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// The lines of what it printed, without empty ones.
  public var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
}

/// Calls an engine's programs: by name or path, with a list of arguments and never through a shell, each for a limited time.
///
/// A program gets a session of its own, so that Ctrl-C in the terminal does not reach it half-way, and one that is stopped
/// takes all it has started with it.
public struct EngineCalls: Sendable {
  /// How long a program may take.
  public var limit: Duration
  /// What differs from this process's environment.
  public var environment: [String: String]

  public init(limit: Duration = .seconds(60), environment: [String: String] = [:]) {
    self.limit = limit
    self.environment = environment
  }

  /// The exit codes of a program that was stopped: SIGKILL, or SIGPIPE where its pipe was closed first.
  private static let stopped = [128 + 9, 128 + 13]

  /// Bytes that are read of an answer: 10⁵ lines of `squeue` are 10 MB.
  private static let mostBytes = 64 << 20

  /// Runs a program to its end.
  /// - Parameter input: what it reads on standard input.
  /// - Throws: ``EngineError`` where it is not there or takes longer than ``limit``; an exit code is an answer.
  public func answer(_ program: String, _ arguments: [String], input: String = "") async throws -> EngineAnswer {
    let answer = try await withThrowingTaskGroup(of: EngineAnswer?.self) { group -> EngineAnswer? in
      group.addTask { try await run(program, arguments, input) }
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      let first: EngineAnswer? = try await group.next() ?? nil
      group.cancelAll()
      if let first { return first }
      // On a machine that is too busy to look in time it may have answered all the same.
      let late: EngineAnswer? = (try? await group.next() ?? nil) ?? nil
      return late.flatMap { EngineCalls.stopped.contains($0.status) ? nil : $0 }
    }
    guard let answer else {
      throw EngineError(.silent, "\(program): no answer within \(limit.components.seconds) s; it was stopped")
    }
    return answer
  }

  /// Runs a program and asks for success.
  /// - Throws: ``EngineError`` with what it wrote to standard error where it ends with anything but 0.
  public func output(_ program: String, _ arguments: [String], input: String = "") async throws -> EngineAnswer {
    let answer = try await answer(program, arguments, input: input)
    guard answer.status == 0 else { throw EngineError(.refused, EngineCalls.refusal(program, answer)) }
    return answer
  }

  /// What a program said, each line once and with its name before it where it did not say that itself.
  static func refusal(_ program: String, _ answer: EngineAnswer) -> String {
    let said = answer.errors.isEmpty ? answer.output : answer.errors
    let lines = said.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " } }
    let quoted = lines.map { $0.hasPrefix("\(program):") ? String($0) : "\(program): \($0)" }
    return quoted.isEmpty
      ? "\(program): ended with \(answer.status) and said nothing" : quoted.joined(separator: "\n")
  }

  private func run(_ program: String, _ arguments: [String], _ input: String) async throws -> EngineAnswer {
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
    do {
      let result = try await Subprocess.run(
        EngineCalls.executable(program), arguments: Arguments(arguments), environment: changed,
        platformOptions: options,
        input: .string(input), output: .string(limit: EngineCalls.mostBytes), error: .string(limit: 1 << 20))
      return EngineAnswer(
        status: EngineCalls.code(result.terminationStatus), output: result.standardOutput, errors: result.standardError)
    } catch let error as SubprocessError {
      throw EngineCalls.failure(program, error)
    }
  }

  private static func executable(_ program: String) -> Executable {
    program.contains("/") ? .path(FilePath(program)) : .name(program)
  }

  private static func failure(_ program: String, _ error: SubprocessError) -> EngineError {
    if error.code == .executableNotFound {
      return EngineError(
        .missing, "\(program): " + (program.contains("/") ? "there is no such program" : "this program is not on PATH"))
    }
    return EngineError(.strange, "\(program): \(error)")
  }

  private var changed: Environment {
    var values: [Environment.Key: String?] = [:]
    for (key, value) in environment { values[Environment.Key(stringLiteral: key)] = value }
    return .inherit.updating(values)
  }

  private static func code(_ status: TerminationStatus) -> Int {
    switch status {
    case .exited(let code): Int(code)
    case .signaled(let number): 128 + Int(number)
    }
  }
}
