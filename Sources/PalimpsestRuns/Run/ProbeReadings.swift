import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics

/// What the probes of a run have read so far.
struct ProbeReadings {
  private let probes: [Probe]
  /// One list a probe, in time's order.
  private var readings: [[Reading]]

  init(_ probes: [Probe]) {
    self.probes = probes
    readings = probes.map { _ in [] }
  }

  /// True where a probe looks at such moments.
  func look(at moment: Probe.Moment) -> Bool { probes.contains { $0.moment == moment } }

  mutating func take(_ moment: Probe.Moment, _ run: RunView) {
    for (place, probe) in probes.enumerated() where probe.moment == moment {
      let reading = probe.reading(run)
      let first = readings[place].first ?? reading
      precondition(
        reading.shape == first.shape,
        "\(probe.measure.name): a reading of shape \(reading.shape) after one of \(first.shape)")
      readings[place].append(reading)
    }
  }

  /// Adds what was read to a record.
  func observe(in record: inout RunRecord) {
    for (probe, readings) in zip(probes, readings) {
      guard let first = readings.first else { continue }
      let lengths = (probe.moment == .end ? [] : [readings.count]) + first.shape
      let axes = zip(probe.measure.axes, lengths).map { Axis($0.name, $1) }
      let values = readings.flatMap(\.values)
      let stored: Observation.Values =
        probe.measure.storage.isInteger ? .integers(values.map { Int(exactly: $0.rounded()) ?? -1 }) : .numbers(values)
      record.observe(Observation(probe.measure.name, along: axes, stored), as: probe.measure)
    }
  }
}

// MARK: - State

extension ProbeReadings {
  /// As a checkpoint keeps them.
  struct Saved: Codable {
    var names: [String] = []
    var readings: [[Reading]] = []
  }

  var isEmpty: Bool { probes.isEmpty }

  var saved: Saved { Saved(names: probes.map(\.measure.name.text), readings: readings) }

  /// - Throws: ``PalimpsestSettings/StateError`` where other probes looked before: they would have seen a part alone.
  mutating func restore(_ saved: Saved) throws(StateError) {
    let names = probes.map(\.measure.name.text)
    guard saved.names == names else {
      throw StateError("\(saved.names) looked at it before, not \(names)", at: "probed")
    }
    guard saved.readings.count == probes.count, zip(probes, saved.readings).allSatisfy({ $0.couldRead($1) }) else {
      throw StateError("they are not readings of \(names)", at: "probed")
    }
    readings = saved.readings
  }
}

extension Probe {
  /// All of one shape, with as many values as it has places.
  fileprivate func couldRead(_ readings: [Reading]) -> Bool {
    guard let shape = readings.first?.shape else { return true }
    guard shape.count == measure.axes.count - (moment == .end ? 0 : 1), shape.allSatisfy({ $0 >= 0 }) else {
      return false
    }
    var places: Int? = 1
    for length in shape {
      let (product, isTooLarge) = (places ?? 0).multipliedReportingOverflow(by: length)
      places = isTooLarge || places == nil ? nil : product
    }
    return readings.allSatisfy { $0.shape == shape && $0.values.count == places }
  }
}
