import PalimpsestCore
import PalimpsestScenarios

/// The files of a data set in tables: one whose last rows are for testing, or one for each.
struct TableFiles: Equatable {
  /// One file, or the training rows and the test rows.
  let paths: [String]

  func dataset(named name: String, _ options: TableOptions) throws -> Dataset {
    let file = DataFile(path: paths[0])
    var reader = TableReader(options)
    var digests = [try reader.append(file)]
    var trainingRows = reader.rows
    for path in paths.dropFirst() { digests.append(try reader.append(DataFile(path: path))) }
    reader.orderByTime(within: paths.count == 1 ? [0..<reader.rows] : [0..<trainingRows, trainingRows..<reader.rows])
    if paths.count == 1 { trainingRows -= try options.testRows(of: reader.rows, file) }
    let known = LabelClasses(reader.classes)
    let classes = options.targets?.columns ?? known.names
    if options.targets == nil && classes.count > 20 && classes.count * 2 > reader.rows {
      throw reader.tooManyClasses(paths[0])
    }
    let labels = reader.labels.map { known.numbers[Int($0)] }
    let times = (reader.features + reader.times).filter { $0.rule.kind == .date }.map {
      TimeColumn(name: $0.name, seconds: $0.seconds)
    }
    let inputs = try TableInputs(reader, training: trainingRows, file)
    try options.checkImage(inputs.names.count, file)
    return Dataset(
      name: name, inputs: Table(FloatBuffer(inputs.values), columns: inputs.names.count), labels: labels,
      classes: classes, training: 0..<trainingRows, test: trainingRows..<reader.rows, image: options.image,
      columns: inputs.names, digest: options.digest(of: digests), table: inputs.table, times: times,
      owners: reader.tags.tagged, arrivals: reader.tags.arrivals,
      targetValues: options.targets.map { DatasetValues(reader.targets(of: $0.columns.count), $0.kind) })
  }
}

extension TableReader {
  /// The features' values, those of ordinal columns as places in their order.
  var rankedCells: [Float] {
    var cells = values
    for (column, feature) in features.enumerated() {
      guard let ranks = feature.ranks else { continue }
      for place in stride(from: column, to: cells.count, by: features.count) where !cells[place].isNaN {
        cells[place] = ranks[Int(cells[place])]
      }
    }
    return cells
  }

  /// The values to be predicted, rows × so many.
  fileprivate func targets(of width: Int) -> Matrix {
    var matrix = Matrix(rows: rows, columns: width)
    for row in 0..<rows { for column in 0..<width { matrix[row, column] = targetValues[row * width + column] } }
    return matrix
  }
}

/// What a table's cells become.
struct TableInputs {
  let names: [String]
  /// Row by row.
  let values: [Float]
  /// Nil where every cell is a number as it stands there.
  let table: TableColumns?

  /// - Parameter training: rows that the medians are taken of, from the first on.
  init(_ reader: TableReader, training: Int, _ file: DataFile) throws {
    let width = reader.features.count
    let cells = reader.rankedCells
    let columns = try reader.features.enumerated().map { column, feature in
      do throws(CellProblem) { return try feature.column { (0..<training).map { cells[$0 * width + column] } } } catch {
        throw file.broken(
          "column \(feature.place + 1) (\"\(feature.name)\"): every cell of the training rows is missing. Leave the "
            + "column out with \"drop\" in dataset.json, or give a number as its \"fill\"")
      }
    }
    let inputs = columns.reduce(0) { $0 + $1.width }
    if reader.rows.multipliedReportingOverflow(by: inputs).partialValue > TableReader.mostValues {
      throw reader.tooManyValues(reader.rows * inputs, file)
    }
    names = columns.flatMap(\.inputs)
    let isPlain = columns.allSatisfy { $0.kind == .number && $0.fill == nil }
    table = isPlain ? nil : TableColumns(columns: columns, missing: reader.missingTexts)
    values = isPlain ? cells : TableInputs.expanded(cells, columns, inputs)
  }

  private static func expanded(_ cells: [Float], _ columns: [InputColumn], _ inputs: Int) -> [Float] {
    var values: [Float] = []
    values.reserveCapacity(cells.count / columns.count * inputs)
    var column = 0
    for cell in cells {
      columns[column].append(cell, to: &values)
      column = column + 1 == columns.count ? 0 : column + 1
    }
    return values
  }
}
