import PalimpsestCore
import Testing

@Suite struct BatchFeedTests {
  /// `count` rows of two columns: the row's number and its task. Labels are the row's number too.
  func rows(_ count: Int, task: Int = 0) -> Rows {
    Rows(
      Matrix((0..<count).map { [Float($0), Float(task)] }), labels: (0..<Int32(count)).map { $0 }, experience: task)
  }

  func settings(_ change: (inout FeedSettings) -> Void) -> FeedSettings {
    var settings = FeedSettings()
    change(&settings)
    return settings
  }

  func random(_ seed: UInt64 = 1) -> Random { Seed(seed).stream("order") }

  /// The labels of every batch.
  func labels(_ feed: BatchFeed) -> [[Int32]] {
    var feed = feed
    var all: [[Int32]] = []
    while feed.advance() { all.append(feed.batch.labels) }
    return all
  }

  @Test(arguments: [1, 3, 4, 10, 11, 32])
  func `every row comes once a pass`(batch: Int) throws {
    let feed = BatchFeed(
      [rows(10)],
      settings {
        $0.batch = batch; $0.epochs = 3
      }, using: random())
    let batches = labels(feed)
    let perPass = (10 + batch - 1) / batch
    try #require(batches.count == 3 * perPass && feed.steps == 3 * perPass)
    for pass in 0..<3 {
      let seen = batches[(pass * perPass)..<((pass + 1) * perPass)].flatMap { $0 }
      #expect(seen.sorted() == Array(0..<10))
    }
  }

  @Test func `each pass has an order of its own`() {
    let batches = labels(
      BatchFeed(
        [rows(20)],
        settings {
          $0.batch = 20; $0.epochs = 5
        }, using: random()))
    #expect(Set(batches).count == 5)
  }

  @Test func `inputs, labels and tasks stay together, and every weight is 1`() {
    var feed = BatchFeed(
      [rows(7, task: 2)],
      settings {
        $0.batch = 3; $0.epochs = 2
      }, using: random())
    while feed.advance() {
      for row in 0..<feed.batch.count {
        #expect(feed.batch.inputs.row(row) == [Float(feed.batch.labels[row]), 2])
        #expect(feed.batch.experiences[row] == 2)
        #expect(feed.batch.weights[row] == 1)
      }
      #expect(feed.batch.inputs.rows == feed.batch.count && feed.batch.weights.count == feed.batch.count)
    }
  }

  /// Whoever is given a batch may change his copy: the next one is untouched.
  @Test func `weights of one step do not reach the next`() {
    var feed = BatchFeed(
      [rows(8)],
      settings {
        $0.batch = 4; $0.epochs = 2
      }, using: random())
    while feed.advance() {
      #expect(feed.batch.weights == [1, 1, 1, 1])
      var mine = feed.batch
      mine.scaleWeights(0..<4, by: 0.25)
      #expect(feed.batch.weights == [1, 1, 1, 1] && mine.weights == [0.25, 0.25, 0.25, 0.25])
    }
  }

  @Test func `a short last batch is kept`() {
    #expect(labels(BatchFeed([rows(10)], settings { $0.batch = 4 }, using: random())).map(\.count) == [4, 4, 2])
  }

  @Test func `a short last batch is dropped where that is asked for`() throws {
    let feed = BatchFeed(
      [rows(10)],
      settings {
        $0.batch = 4; $0.epochs = 2; $0.shortBatch = .drop
      }, using: random())
    let batches = labels(feed)
    try #require(batches.map(\.count) == [4, 4, 4, 4] && feed.steps == 4)
    #expect(Set(batches[0] + batches[1]).count == 8)
  }

  @Test func `a task smaller than a batch is used all the same`() {
    let feed = BatchFeed(
      [rows(3)],
      settings {
        $0.batch = 4; $0.epochs = 2; $0.shortBatch = .drop
      }, using: random())
    #expect(labels(feed).map { $0.sorted() } == [[0, 1, 2], [0, 1, 2]])
  }

  @Test func `a whole number of batches has no short one`() {
    for short in [FeedSettings.ShortBatch.keep, .drop] {
      let feed = BatchFeed(
        [rows(8)],
        settings {
          $0.batch = 4; $0.shortBatch = short
        }, using: random())
      #expect(labels(feed).map(\.count) == [4, 4])
    }
  }

  @Test(arguments: [1, 2, 3, 7, 20])
  func `steps are counted instead of passes`(steps: Int) throws {
    let feed = BatchFeed(
      [rows(10)],
      settings {
        $0.batch = 4; $0.steps = steps; $0.epochs = 50
      }, using: random())
    let batches = labels(feed)
    try #require(batches.count == steps && feed.steps == steps)
    for pass in 0..<(steps / 3) {
      #expect(batches[(3 * pass)..<(3 * pass + 3)].flatMap { $0 }.sorted() == Array(0..<10))
    }
  }

  @Test func `passes and steps are counted`() {
    var feed = BatchFeed(
      [rows(10)],
      settings {
        $0.batch = 5; $0.epochs = 3
      }, using: random())
    var epochs: [Int] = []
    while feed.advance() { epochs.append(feed.epoch) }
    #expect(epochs == [0, 0, 1, 1, 2, 2] && feed.step == 6)
    let more = feed.advance()
    #expect(!more && feed.step == 6)
  }

  @Test func `in order means in order, pass after pass`() {
    let feed = BatchFeed(
      [rows(5)],
      settings {
        $0.batch = 2; $0.epochs = 2; $0.drawing = .inOrder
      }, using: random())
    #expect(labels(feed) == [[0, 1], [2, 3], [4], [0, 1], [2, 3], [4]])
  }

  /// 2,000 batches of 4 from 10 rows: counts are even (χ² of 9 degrees, 99.99 % quantile 33.7), and some batches hold a
  /// row twice (probability 1 − 10·9·8·7/10⁴ = 0.496 each).
  @Test func `with replacement each row is drawn independently`() {
    let feed = BatchFeed(
      [rows(10)],
      settings {
        $0.batch = 4; $0.steps = 2000; $0.drawing = .withReplacement
      }, using: random())
    let batches = labels(feed)
    #expect(batches.allSatisfy { $0.count == 4 })
    var counts = [Double](repeating: 0, count: 10)
    for label in batches.flatMap({ $0 }) { counts[Int(label)] += 1 }
    #expect(counts.reduce(0) { $0 + ($1 - 800) * ($1 - 800) / 800 } < 33.7)
    let repeated = Double(batches.filter { Set($0).count < 4 }.count) / 2000
    #expect(abs(repeated - 0.496) < 0.05)
  }

  @Test func `with replacement a batch may be larger than the task`() {
    let feed = BatchFeed(
      [rows(3)],
      settings {
        $0.batch = 8; $0.steps = 2; $0.drawing = .withReplacement
      }, using: random())
    #expect(labels(feed).map(\.count) == [8, 8])
  }

  @Test func `rows of several tasks are mixed, each with its own task`() {
    let sources = [rows(5, task: 0), rows(7, task: 1), rows(4, task: 4)]
    var feed = BatchFeed(
      sources,
      settings {
        $0.batch = 4; $0.epochs = 2
      }, using: random())
    #expect(feed.steps == 8)
    var seen: [[Float]: Int] = [:]
    var mixed = 0
    while feed.advance() {
      #expect(feed.batch.count == 4)
      for row in 0..<4 {
        let input = feed.batch.inputs.row(row)
        #expect(input == [Float(feed.batch.labels[row]), Float(feed.batch.experiences[row])])
        #expect(feed.batch.weights[row] == 1)
        seen[input, default: 0] += 1
      }
      mixed += Set(feed.batch.experiences).count > 1 ? 1 : 0
    }
    #expect(seen.count == 16 && seen.values.allSatisfy { $0 == 2 })
    #expect(mixed > 4)
  }

  /// One task of sixteen rows has the same order: its numbers, 5, 7 and 4 of which are the three tasks' rows.
  @Test(arguments: [FeedSettings.Drawing.withoutReplacement, .withReplacement, .inOrder])
  func `rows of several tasks stand task by task, within a task in the order drawn`(drawing: FeedSettings.Drawing) {
    let settings = settings {
      $0.batch = 6; $0.epochs = 3; $0.drawing = drawing
    }
    var feed = BatchFeed(
      [rows(5, task: 0), rows(7, task: 1), rows(4, task: 4)], settings, using: random())
    var one = BatchFeed([rows(16)], settings, using: random())
    var goesOn = feed.advance()
    while one.advance() {
      #expect(goesOn)
      let drawn = one.batch.labels
      let parts = [(0, 0..<5), (1, 5..<12), (4, 12..<16)].map { (task: Int32($0), numbers: $1) }
      let labels = parts.flatMap { part in
        drawn.filter { part.numbers.contains(Int($0)) }.map { $0 - Int32(part.numbers.lowerBound) }
      }
      #expect(feed.batch.labels == labels)
      #expect(feed.batch.inputs.values.array.count == 2 * drawn.count)
      let tasks = parts.flatMap { part in drawn.filter { part.numbers.contains(Int($0)) }.map { _ in part.task } }
      #expect(feed.batch.experiences == tasks)
      goesOn = feed.advance()
    }
    #expect(!goesOn)
  }

  @Test func `a batch factor makes batches larger`() {
    let feed = BatchFeed([rows(6), rows(6, task: 1)], settings { $0.batch = 2 }, batchFactor: 3, using: random())
    #expect(labels(feed).map(\.count) == [6, 6])
  }

  @Test func `the same seed gives the same batches, another one others`() {
    for drawing in [FeedSettings.Drawing.withoutReplacement, .withReplacement] {
      let settings = settings {
        $0.batch = 4; $0.epochs = 2; $0.drawing = drawing
      }
      let first = labels(BatchFeed([rows(30)], settings, using: random(1)))
      #expect(first == labels(BatchFeed([rows(30)], settings, using: random(1))))
      #expect(first != labels(BatchFeed([rows(30)], settings, using: random(2))))
    }
  }

  @Test func `rows of a larger table keep their own place`() {
    let table = Table(Matrix((0..<6).map { [Float($0)] }))
    let part = Rows(table: table, experience: 0, places: [5, 1, 3], labels: [50, 10, 30])
    var feed = BatchFeed(
      [part],
      settings {
        $0.batch = 3; $0.drawing = .inOrder
      }, using: random())
    _ = feed.advance()
    #expect(feed.batch.labels == [50, 10, 30] && feed.batch.inputs.values.array == [5, 1, 3])
  }
}
