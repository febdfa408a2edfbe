import PalimpsestCore

/// Something that happens in lives: one entry of `events`.
public struct LifeEvent: NestedParameters {
  public enum Name: String, ParameterChoice {
    /// Hours move by eight, the weekend's effect turns round, reminders and launches count −.7 times what they did.
    case lifeEvent = "life-event"
    /// Visits are three in ten, and the habit is less likely: b0 − 1.5.
    case holiday
    /// What of a life event moves rows alone: hours by eight, with half the visits and half the reminders opened. Her law stays.
    case virtual
    /// What of it moves her law alone: the hour that favours the habit by eight, the weekend's effect turns round, reminders and launches
    /// count −.7 times what they did. How she uses the phone stays.
    case real
    /// The first life is back.
    case firstLife = "return"
  }

  @Parameter(
    "What happens: hours move by 8, the weekend's effect turns round, reminders and launches count −.7 times what they did (life-event); visits × .3 and b0 − 1.5 (holiday); of a life event the use of the phone alone, with half the visits and reminders opened (virtual), or the law alone (real); the first life is back (return)."
  )
  public var name: Name = .lifeEvent
  @Parameter("The first day of the changed life.", .within(1...10_000)) public var day: Int = 90
  @Parameter(
    "The last day that may be the first of the changed life, drawn person by person from day on; null: day for all.",
    .within(1...10_000))
  public var lastDay: Int? = nil
  @Parameter("Share of the held-out people to whom it happens.", .within(0...1)) public var share: Double = 1
  @Parameter(
    "Days after which the life before it is back; null: it never is. A holiday has an end, a return has none.",
    .within(1...10_000))
  public var returnsAfter: Int? = nil

  public init() {}

  init(_ settings: LifeEventSettings) {
    (day, lastDay, share, returnsAfter) = (settings.day, settings.lastDay, settings.share, settings.returnsAfter)
  }

  /// The last day on which it may change a life.
  var end: Int { (lastDay ?? day) + (returnsAfter ?? 0) }

  /// Changes of a life, at most.
  var mostChanges: Int { share == 0 ? 0 : returnsAfter == nil ? 1 : 2 }

  /// - Parameters:
  ///   - path: where it stands: `events.0`.
  ///   - days: of a life.
  func check(_ path: String, days: Int) throws(ScenarioError) {
    guard share > 0 else { return }
    if day >= days {
      throw ScenarioError(
        parameter: "\(path).day", "\(day) is behind the last of \(days) days. Take 1 to \(days - 1).")
    }
    if let lastDay, !(day..<days).contains(lastDay) {
      throw ScenarioError(
        parameter: "\(path).lastDay",
        "\(lastDay) is none of the days \(day) to \(days - 1), which a life can change on.")
    }
    try checkReturn(path, days: days)
  }

  private func checkReturn(_ path: String, days: Int) throws(ScenarioError) {
    let parameter = "\(path).returnsAfter"
    if name == .holiday && returnsAfter == nil {
      throw ScenarioError(parameter: parameter, "a holiday ends. Say after how many days.")
    }
    if name == .firstLife && returnsAfter != nil {
      throw ScenarioError(parameter: parameter, "nothing comes back after a return. Take it away.")
    }
    if returnsAfter != nil, end >= days {
      throw ScenarioError(
        parameter: parameter, "day \(end) is behind the last of \(days) days: nobody would see the old life again.")
    }
  }

  /// The day on which it happens to a person; nil: never.
  /// - Parameter number: of the event, from 0: each has draws of its own.
  func day(_ number: Int, _ draws: HabitDraws) -> Int? {
    guard draws.uniform(ofEvent: number, .isHit) < share else { return nil }
    let choices = (lastDay ?? day) - day + 1
    return day + Int(draws.uniform(ofEvent: number, .eventDay) * Double(choices))
  }

  /// What it makes of a person; nil: who she was at first.
  func changed(_ traits: PersonTraits, _ number: Int, _ draws: HabitDraws) -> PersonTraits? {
    switch name {
    case .lifeEvent: traits.changed(number, draws)
    case .holiday: traits.onHoliday
    case .virtual: traits.usingThePhoneOtherwise(number, draws)
    case .real: traits.underAnotherLaw(number, draws)
    case .firstLife: nil
    }
  }
}

/// A day on which a life changes: what `events` say of one event, as a group.
public struct LifeEventSettings: NestedParameters {
  @Parameter("Share of the held-out people whose life changes; 0: nobody's.", .within(0...1)) public var share: Double =
    0
  @Parameter("The first day of the changed life.", .within(1...10_000)) public var day: Int = 90
  @Parameter(
    "The last day that may be the first of the changed life, drawn person by person from day on; null: day for all.",
    .within(1...10_000))
  public var lastDay: Int? = nil
  @Parameter("Days after which the old life is back; null: it never is.", .within(1...10_000)) public var returnsAfter:
    Int? = nil

  public init() {}
}

extension HabitPersonal {
  /// What may happen in a life, in order of time.
  var lifeEvents: [LifeEvent] { lifeEvent.share > 0 ? [LifeEvent(lifeEvent)] : events }

  func checkEvents() throws(ScenarioError) {
    if lifeEvent.share > 0 && !events.isEmpty {
      throw ScenarioError(
        parameter: "lifeEvent", "it stands for a list of one event, and \"events\" is given. Keep the list.")
    }
    if lifeEvent.share > 0 { return try LifeEvent(lifeEvent).check("lifeEvent", days: days) }
    var end = 0
    for (number, event) in events.enumerated() {
      try event.check("events.\(number)", days: days)
      if event.day <= end {
        throw ScenarioError(
          parameter: "events.\(number).day",
          "\(event.day) is not behind day \(end), on which the event before may still change a life. Take \(end + 1) or later."
        )
      }
      end = event.end
    }
  }
}
