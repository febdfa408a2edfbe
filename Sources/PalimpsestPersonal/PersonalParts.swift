/// Every policy that ships: a new one adds its line here and nowhere else.
public let standardPolicies: [any UpdatePolicy.Type] = [
  NeverUpdate.self, UpdateInterval.self, UpdateRows.self, UpdateOnDrift.self,
]

/// Every safeguard that ships: a new one adds its line here and nowhere else.
public let standardSafeguards: [any Safeguard.Type] = [
  NoSafeguard.self, Mixture.self, HeldOut.self, Shadow.self, Rollback.self,
]
