/// The scenarios the toolkit ships.
public let standardScenarios: [any Scenario.Type] = [HabitPhases.self, Split.self, Permuted.self, Rotated.self]
