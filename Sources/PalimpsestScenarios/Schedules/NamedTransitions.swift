import PalimpsestCore

extension ScheduleSettings.Name {
  /// How concepts in turn give way under this name; nil: the name says nothing of it.
  var transition: Transition? {
    switch self {
    case .abrupt: .abrupt
    case .sigmoid: .sigmoid
    case .linear: .linear
    default: nil
    }
  }
}

extension ScheduleSettings {
  /// How concepts give way to each other, and over how many rows: what the name says, else what stands beside the schedule.
  func resolved(_ stream: Stream) -> Stream {
    guard let transition = name?.transition else { return stream }
    return Stream(
      taskRows: stream.taskRows, transition: transition,
      width: transition == .abrupt ? nil : width.flatMap { Int(exactly: $0) }, identity: stream.identity,
      obstacle: stream.obstacle)
  }

  /// Judges the transition that is given beside a schedule.
  /// - Parameter most: what the most rows of its width are called.
  /// - Throws: ``ScenarioError`` where it is not whole, or the schedule's name is one.
  func check(_ transition: Transition, width: Int?, most: String) throws(ScenarioError) {
    guard let name, name.transition != nil else { return try transition.check(width: width, most: most) }
    if transition != .abrupt {
      throw ScenarioError(
        parameter: "transition", "a \"\(name.rawValue)\" schedule is one already. Leave it out, or take \"in-turn\".")
    }
    if let width {
      throw ScenarioError(
        parameter: "width",
        name == .abrupt
          ? "\(width) is given, and an \"abrupt\" schedule has no width. Leave it out, or take \"sigmoid\"."
          : "that of a \"\(name.rawValue)\" schedule is said within it: \"schedule\": {\"width\": \(width)}.")
    }
  }

  /// - Throws: ``ScenarioError`` where the name is a transition over rows that are not said, or not whole.
  func checkNamedWidth() throws(ScenarioError) {
    guard let transition = name?.transition, transition != .abrupt else { return }
    guard let width else {
      throw refusal("width", "a \(transition.rawValue) transition takes some rows. Say how many.")
    }
    if Int(exactly: width) == nil {
      throw refusal("width", "\(width) is no number of rows. A \(transition.rawValue) transition takes whole ones.")
    }
  }
}
