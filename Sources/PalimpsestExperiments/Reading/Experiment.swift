import OrderedCollections

/// An experiment file that has been read and checked: what is to be run, before it is expanded.
public struct Experiment: Sendable {
  public var name: String
  public var question: String
  /// The file as it was given, kept with the results.
  public var text: String
  /// What the command line changed, as it was typed: `--set training.epochs=5`.
  public var overrides: [String] = []
  public var scenarios: OrderedDictionary<String, Component>
  public var strategies: OrderedDictionary<String, [Component]>
  public var model: Component
  public var training: Component
  public var optimizer: Component
  public var evaluation: Component
  /// Its runs go through a stream; nil: through tasks.
  public var stream: Component? = nil
  /// Its runs go on with single people; nil: they don't.
  public var personal: PersonalBlock? = nil
  public var seeds: [Int]
  /// What takes several values.
  public var sweep: SweepBlock
  /// What is chosen on other seeds first.
  public var select: Select? = nil
  /// What the names in the file mean.
  public var catalog: Catalog
  /// What is kept of each run beside its record.
  public var outputSettings = OutputSettings()
  /// Where its runs are done: settings of ``ExecutionSettings``, as given.
  public var execution = Component()
}
