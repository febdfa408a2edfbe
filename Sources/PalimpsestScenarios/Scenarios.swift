/// The scenarios the toolkit ships.
public let standardScenarios: [any Scenario.Type] =
  habitScenarios + [Split.self, Permuted.self, Rotated.self, TableLog.self] + classScenarios + classicScenarios
  + domainScenarios

/// A daily habit.
private let habitScenarios: [any Scenario.Type] = [
  HabitPhases.self, HabitPermissions.self, HabitRecurring.self, HabitSeasons.self, HabitPersonal.self,
]

/// Streams over the classes of any data set.
private let classScenarios: [any Scenario.Type] = [
  BlurryClasses.self, RandomlyBlurryClasses.self, RecurringClasses.self,
]

/// The generators of the literature on drifting streams.
private let classicScenarios: [any Scenario.Type] = [
  SEA.self, Stagger.self, SineCurves.self, MixedInputs.self, Hyperplane.self, RandomBases.self, LEDDigits.self,
  Waveforms.self, Agrawal.self,
]

/// Laws of small domains with an exact optimum: cameras, rooms, machines.
private let domainScenarios: [any Scenario.Type] = [
  CameraAlerts.self, ThermoSeasons.self, ActivityUsers.self, GlucoseRegimes.self, VibroFleet.self, VibroWear.self,
  KeyboardRegisters.self, LongLife.self,
]
