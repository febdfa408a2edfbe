/// What an app may look at for a while, and what becomes of its labels.
struct PermissionPhase: Sendable, Equatable {
  let name: String
  /// A column that is not shown holds 0, the calendar ½.
  let showsLaunches: Bool
  let showsHour: Bool
  let showsCalendar: Bool
  /// Some labels of training rows are 0 though the habit was kept.
  let losesLabels: Bool

  init(_ name: String, launches: Bool = true, hour: Bool = true, calendar: Bool = false, losesLabels: Bool = false) {
    self.name = name
    (showsLaunches, showsHour, showsCalendar) = (launches, hour, calendar)
    self.losesLabels = losesLabels
  }

  static let all = [
    PermissionPhase("everything but the calendar"), PermissionPhase("launches revoked", launches: false),
    PermissionPhase("hour revoked", hour: false), PermissionPhase("missed logging", losesLabels: true),
    PermissionPhase("calendar granted", calendar: true),
  ]

  /// The same columns are shown.
  func shows(asMuchAs other: PermissionPhase) -> Bool {
    (showsLaunches, showsHour, showsCalendar) == (other.showsLaunches, other.showsHour, other.showsCalendar)
  }

  /// What the column of the mask says: ½ without launches, 1 without the hour, else 0.
  var mask: Float { showsLaunches ? (showsHour ? 0 : 1) : 0.5 }

  /// A day as the app sees it.
  /// - Parameter marksMask: the mask stands in the column of the time zone, else that is 0.
  func shown(_ day: HabitFeatures, marksMask: Bool) -> HabitFeatures {
    var x = day
    if !showsLaunches { x.launches = 0 }
    if !showsHour { x.hour = 0 }
    if !showsCalendar { x.season = 0.5 }
    x.away = marksMask ? mask : 0
    return x
  }
}
