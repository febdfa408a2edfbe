/// What checkpoints keep of a batch: its inputs, the tags column by column (owners and times where there are any), values and
/// answers where there are any.
extension Batch: Codable {
  private enum Field: String, CodingKey {
    case inputs, labels, experiences, weights, owners, times, values, answers
    /// Files of earlier versions have it: the table rows of the last append, which nobody needs.
    case gathered
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(inputs, forKey: .inputs)
    try fields.encode(tags.labels, forKey: .labels)
    try fields.encode(tags.experiences, forKey: .experiences)
    try fields.encode(tags.weights, forKey: .weights)
    if !tags.owners.isEmpty { try fields.encode(tags.owners, forKey: .owners) }
    if !tags.times.isEmpty { try fields.encode(tags.times.map { Int($0) }, forKey: .times) }
    try fields.encodeIfPresent(values, forKey: .values)
    try fields.encodeIfPresent(answers, forKey: .answers)
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let inputs = try fields.decode(Matrix.self, forKey: .inputs)
    self.init(columns: inputs.columns)
    self.inputs = inputs
    tags.labels = try fields.decode([Int32].self, forKey: .labels)
    tags.experiences = try fields.decode([Int32].self, forKey: .experiences)
    tags.weights = try fields.decode([Float].self, forKey: .weights)
    tags.owners = try fields.decodeIfPresent([Int32].self, forKey: .owners) ?? []
    tags.times = try fields.decodeIfPresent([Int].self, forKey: .times)?.map { Int64($0) } ?? []
    if let values = try fields.decodeIfPresent(Matrix.self, forKey: .values) { valueRows = SideRows(values) }
    if let answers = try fields.decodeIfPresent(Matrix.self, forKey: .answers) { answerRows = SideRows(answers) }
    _ = try fields.decodeIfPresent([Int32].self, forKey: .gathered)
  }
}
