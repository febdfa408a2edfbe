import PalimpsestCore

/// Places of a data set's rows by class, in file order.
struct ClassRows: Sendable {
  /// One list a class.
  let training: [[Int32]]
  let test: [[Int32]]

  init(_ dataset: Dataset) {
    training = places(of: dataset, in: dataset.training)
    test = places(of: dataset, in: dataset.test)
  }
}

private func places(of dataset: Dataset, in rows: Range<Int>) -> [[Int32]] {
  var places = [[Int32]](repeating: [], count: dataset.classes.count)
  for row in rows { places[Int(dataset.labels[row])].append(Int32(row)) }
  return places
}

extension Dataset {
  /// What every scenario that shows a data set needs: two classes or values, rows to train on and to test on.
  func checkRows() throws(ScenarioError) {
    if targetValues == nil && classes.count < 2 {
      throw refusal("\"\(name)\" has \(count(classes.count, "class", "classes")); at least 2 are needed")
    }
    if training.isEmpty { throw refusal("\"\(name)\" has no rows to train on") }
    if test.isEmpty { throw refusal("\"\(name)\" has no rows to test on") }
  }

  /// - Throws: ``ScenarioError`` where rows have values to be predicted and no class.
  func checkClasses() throws(ScenarioError) {
    guard targetValues != nil else { return }
    throw refusal(
      "the rows of \"\(name)\" have values to predict (\(classes.prefix(3).joined(separator: ", "))) and no classes to "
        + "group. Take \"permuted\", or name a column of classes with \"label\" in dataset.json")
  }

  /// The same of every class; rows without classes need none.
  func checkTraining() throws(ScenarioError) {
    if targetValues == nil { try checkTraining(ClassRows(self), of: Array(classes.indices)) }
  }

  /// What a class needs to be learned: at least 2 training rows.
  func checkTraining(_ rows: ClassRows, of classes: [Int]) throws(ScenarioError) {
    guard let poor = classes.first(where: { rows.training[$0].count < 2 }) else { return }
    let found = count(rows.training[poor].count, "row", "rows")
    throw refusal("class \"\(self.classes[poor])\" of \"\(name)\" has \(found) to train on; a class needs at least 2")
  }

  /// What a class needs to be tested: at least 1 test row.
  func checkTest(_ rows: ClassRows, of classes: [Int]) throws(ScenarioError) {
    guard let poor = classes.first(where: { rows.test[$0].isEmpty }) else { return }
    throw refusal("class \"\(self.classes[poor])\" of \"\(name)\" has no rows to test on; a class needs at least 1")
  }

  private func refusal(_ description: String) -> ScenarioError { ScenarioError(parameter: "dataset", description) }
}

/// `1 class`, `0 classes`.
func count(_ n: Int, _ one: String, _ many: String) -> String { "\(n) \(n == 1 ? one : many)" }

extension Random {
  /// At most `limit` of the values (nil: all), drawn without replacement, in the order they came in.
  mutating func sample(_ values: [Int32], atMost limit: Int?) -> [Int32] {
    guard let limit, limit < values.count else { return values }
    var positions = Array(values.indices)
    shuffle(&positions, first: limit)
    return positions[..<limit].sorted().map { values[$0] }
  }
}
