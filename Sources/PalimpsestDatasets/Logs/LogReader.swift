import PalimpsestCore
import PalimpsestJSON
import PalimpsestScenarios

extension DatasetFolder {
  /// Reads a table as it was logged. What neither the request nor `dataset.json` nor the manifest says of a column is found by
  /// looking: columns with texts are categories, columns of dates are dates, cells such as `NA` are missing.
  ///
  /// - Throws: ``DatasetError``: missing where no folder holds the set, else broken: the file, the place and what is wrong.
  /// - Cost: the files are read twice.
  public func table(named name: String, _ request: TableRequest) throws -> LoggedTable {
    guard let folder = location(of: name) else { throw missing(name) }
    let log = KnownDataset.named(name)?.log
    let options = try DatasetFolder.options(name, in: folder)
    let files = try DatasetFolder.logFiles(log, options, in: folder)
    return try LogReader(files, options, request, log).table(named: name)
  }

  private static func logFiles(_ log: KnownLog?, _ options: TableOptions, in folder: String) throws -> [DataFile] {
    if let names = log?.files, let found = try FolderFiles.tables(names, in: folder) { return found.map(DataFile.init) }
    switch try FolderFiles.find(in: folder, file: options.file) {
    case .tables(let files): return files.paths.map { DataFile(path: $0) }
    case .idx: throw DatasetError(.broken, "\(folder): images are no log; take \"split\", \"permuted\" or \"rotated\"")
    case nil: throw DatasetError(.missing, "\(folder): there is no table (NAME.csv, NAME.csv.gz)")
    }
  }
}

/// Reads files of one table as a log.
struct LogReader {
  private let files: [DataFile]
  private var options: TableOptions
  private let above: Double?
  private let log: KnownLog?
  /// Of what is said of the columns before anything is asked or found.
  private let said: TableOptions
  private let remarks: [String]

  init(_ files: [DataFile], _ options: TableOptions, _ request: TableRequest, _ log: KnownLog?) throws {
    self.files = files
    self.log = log
    var options = options
    if let log { options.apply(log) }
    said = options
    above = request.above ?? (request.label == nil ? log?.above : nil)
    try options.apply(request, request.usesUsualCut ? log?.cut : nil)
    let survey = try TableSurvey(files, options, except: options.unread)
    let isLabelled = options.targets == nil && !survey.firstRow.isEmpty
    let label =
      isLabelled ? try options.labelColumn(of: survey.header, firstRow: survey.firstRow, files[0]) : nil
    let found = survey.rules.filter { name, _ in label.map { survey.header[$0] != name } ?? true }
    if let time = options.time, options.columns[time] == nil {
      if let problem = survey.problem(ofTimes: time) { throw problem }
      if survey.holdsCompactDates(time) { options.columns[time] = .compactDate }
    }
    options.columns.merge(found) { said, _ in said }
    remarks = survey.remarks
    if options.missing == nil { options.missing = survey.gaps.isEmpty ? nil : survey.gaps }
    self.options = options
  }

  func table(named name: String) throws -> LoggedTable {
    var reader = TableReader(options)
    let digests = try files.map { try reader.append($0) }
    reader.orderByTime(within: [0..<reader.rows])
    let (labels, classes) = try labelled(reader)
    return LoggedTable(
      name: name, columns: reader.features.map(column), cells: reader.rankedCells, missing: reader.missingTexts,
      labels: labels, classes: classes, owners: reader.tags.tagged, arrivals: reader.tags.arrivals,
      groups: reader.tags.grouped, digest: said.digest(of: digests), usualCut: log?.cut,
      remarks: remarks)
  }

  private func column(_ reader: ColumnReader) -> InputColumn {
    var fill: Float?
    if case .number(let number) = reader.rule.fill, reader.missing > 0 { fill = number }
    return InputColumn(
      name: reader.name, kind: reader.kind, fill: fill, marksMissing: reader.missing > 0 && reader.rule.indicator,
      missing: reader.missing)
  }

  // MARK: - Labels

  private func labelled(_ reader: TableReader) throws -> ([Int32], [String]) {
    if options.targets != nil {
      throw options.broken(
        "values", "a table's rows are told apart by a label here; name its column with \"label\" in the scenario")
    }
    if let above { return (try thresholded(reader, above), ["≤ \(shortest(above))", "> \(shortest(above))"]) }
    let classes = LabelClasses(reader.classes)
    if classes.names.count > 20 && classes.names.count * 2 > reader.rows {
      throw reader.tooManyClasses(files[0].path)
    }
    return (reader.labels.map { classes.numbers[Int($0)] }, classes.names)
  }

  private func thresholded(_ reader: TableReader, _ above: Double) throws -> [Int32] {
    if let odd = reader.firstLabelOfText {
      throw odd.file.broken(
        line: odd.line,
        "\(reader.labelTitle): \"\(odd.text)\" is no number, and \"above\" asks which labels are above \(shortest(above))"
      )
    }
    let values = reader.classes.map { (Double($0) ?? 0) > above ? Int32(1) : 0 }
    return reader.labels.map { values[Int($0)] }
  }
}

extension TableOptions {
  /// What is known of a set, where `dataset.json` says nothing.
  fileprivate mutating func apply(_ log: KnownLog) {
    label = label ?? log.label
    owner = owner ?? log.owner
    time = time ?? log.time
    drop += (log.drop ?? []).filter { !drop.contains($0) }
    hasRowNumbers = log.rowNumbers ?? false
    derivation = derivation ?? log.derivation
    if hasRowNumbers { drop.append(TableReader.rowNumber) }
    for (name, period) in log.cyclic ?? [:] where columns[name] == nil {
      var rule = ColumnRule()
      (rule.kind, rule.period) = (.cyclic, period)
      columns[name] = rule
    }
  }

  fileprivate mutating func apply(_ request: TableRequest, _ usual: TaskCut?) throws {
    if let name = request.label { (label, targets) = (name, nil) }
    owner = request.owner ?? owner
    time = request.time ?? time ?? usual?.dates
    drop += request.drop.filter { !drop.contains($0) }
    (group, keepsGroup) = (usual?.named ?? request.group, usual?.keep ?? request.keepsGroup)
    let said = try JSONReader.read(request.columns, file: "columns").value()
    ask(for: request, columns: said)
    columns.merge(try rules(said)) { _, asked in asked }
  }

  /// Keeps which keys the scenario says.
  private mutating func ask(for request: TableRequest, columns: JSONValue) {
    let single = [("label", request.label), ("owner", request.owner), ("time", request.time)]
    asked = Set(single.compactMap { $1 == nil ? nil : $0 } + request.drop.map { "drop.\($0)" })
    if !request.usesUsualCut && !request.group.isEmpty { asked.insert("tasks") }
    asked.formUnion((columns.object.map { Array($0.keys) } ?? []).map { "columns.\($0)" })
  }

  /// Columns whose cells are read as they stand there.
  fileprivate var unread: Set<String> {
    Set(([label, owner].compactMap { $0 } + drop + (keepsGroup ? [] : group)).filter { $0 != time })
  }
}
