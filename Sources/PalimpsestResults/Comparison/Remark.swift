/// A sentence about some contestants: said once for all of whom it is true.
struct Remark {
  let scenario: String
  /// Nil where it is about the scenario as a whole.
  let label: String?
  let what: String
}

extension [Remark] {
  /// `visible (naive, ewc), hidden (naive): training.epochs is 20 in a.h5 and 18 in b.h5.`
  var sentences: [String] {
    let groups = Dictionary(grouping: self, by: \.what)
    return map(\.what).distinct.map { what in
      let remarks = groups[what] ?? []
      let places = remarks.map(\.scenario).distinct.map { scenario in
        let labels = remarks.filter { $0.scenario == scenario }.compactMap(\.label)
        return labels.isEmpty ? scenario : "\(scenario) (\(labels.listed))"
      }
      return places.listed + ": " + what
    }
  }
}
