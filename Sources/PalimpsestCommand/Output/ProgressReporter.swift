import Dispatch
import Foundation
import Palimpsest
import Synchronization

/// How far the runs are, on standard error: one line drawn over and over on a terminal, else a plain line each 10 % or
/// 30 s.
final class ProgressReporter: Sendable {
  private struct State {
    var progress: RunProgress?
    let start = ContinuousClock.now
    var drawn: ContinuousClock.Instant?
    /// When a line of its own was last said.
    var said: ContinuousClock.Instant?
    var tenths = 0
  }

  private let style: ProgressStyle
  private let state = Mutex(State())
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  init(_ style: ProgressStyle) { self.style = style }

  /// Redraws by itself too: a long run should not look like a standstill.
  func start() {
    guard style.isShown else { return }
    timer.withLock { timer in
      let source = DispatchSource.makeTimerSource()
      source.schedule(deadline: .now() + 0.5, repeating: 0.5)
      source.setEventHandler { [self] in redraw() }
      source.resume()
      timer = source
    }
  }

  /// Called by the workers after each run.
  func update(_ progress: RunProgress) {
    guard style.isShown else { return }
    state.withLock { state in
      state.progress = progress
      draw(&state)
    }
  }

  private func redraw() { state.withLock { draw(&$0) } }

  /// Draws no more.
  func stop() { timer.withLock { $0?.cancel() } }

  /// Ends the line and says how it went.
  func finish(_ progress: RunProgress) {
    guard style.isShown else { return }
    stop()
    state.withLock { state in
      let seconds = (ContinuousClock.now - state.start) / .seconds(1)
      if case .line = style { StandardError.offer(ProgressStyle.erase) }
      StandardError.say(Pace(progress, seconds: seconds).summary)
    }
  }

  private func draw(_ state: inout State) {
    let now = ContinuousClock.now
    guard let progress = state.progress else { return }
    let pace = Pace(progress, seconds: (now - state.start) / .seconds(1))
    if pace.tenths > state.tenths || now - (state.said ?? state.start) >= .seconds(30) {
      (state.tenths, state.said) = (pace.tenths, now)
      StandardError.note(pace.line)
      if case .plain = style { StandardError.offer(pace.line + "\n") }
    }
    guard case .line(let colored) = style else { return }
    if let drawn = state.drawn, now - drawn < .milliseconds(100) { return }
    StandardError.offer(ProgressStyle.erase + pace.bar(colored: colored))
    state.drawn = now
  }
}

/// Where and how progress is shown.
enum ProgressStyle: Sendable {
  case none
  /// One line, redrawn at most ten times a second.
  case line(colored: Bool)
  case plain

  /// To the line's start, then clear to its end.
  static let erase = "\r\u{1B}[K"

  init(quiet: Bool, color: ColorChoice, environment: [String: String] = ProcessInfo.processInfo.environment) {
    if quiet {
      self = .none
    } else if StandardError.isTerminal && environment["TERM"] != "dumb" {
      self = .line(colored: color.isOn(environment))
    } else {
      self = .plain
    }
  }

  var isShown: Bool { if case .none = self { false } else { true } }
}
