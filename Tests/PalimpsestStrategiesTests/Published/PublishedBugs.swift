/// A mistake that was published with a method's code or formula, and the test that fails where it is made again.
struct PublishedBug: Sendable {
  /// The part or metric it concerns.
  let part: String
  /// What goes wrong.
  let bug: String
  /// Repository with issue or file, or paper, where it was found.
  let source: String
  /// The suite, and in the same file the name, of the test that sees it.
  let suite: String
  let test: String

  init(_ part: String, _ bug: String, _ source: String, _ suite: String, _ test: String) {
    (self.part, self.bug, self.source, self.suite, self.test) = (part, bug, source, suite, test)
  }

  /// Where nobody in particular has published it.
  static let pitfall = "a pitfall of the method, of no one repository"

  /// Of parts that ship. Repositories as of 2018 to 2026; most were corrected since.
  static let all: [PublishedBug] = penalties + fisher + memories + losses + transforms + isolations + learners + metrics
}

extension PublishedBug {
  static let penalties = [
    PublishedBug(
      "ewc", "the anchor is the live weights, so the penalty is 0", "ContinualAI/avalanche#1099", "EWCTests",
      "the anchor is a copy of the weights, not the weights"),
    PublishedBug(
      "ewc", "the online form has no branch, so the penalty is 0", "ContinualAI/avalanche#728", "EWCTests",
      "one anchor by hand"),
    PublishedBug(
      "ewc", "γ counts in the merge and in the loss again", "GMvandeVen/continual-learning#9", "EWCTests",
      "one anchor by hand"),
    PublishedBug(
      "ewc", "the factor ½ is applied twice", "pengxiang-wang/continual-learning-arena, ewc", "EWCTests",
      "separate anchors by hand"),
    PublishedBug(
      "ewc", "a later task's Fisher information overwrites the earlier ones'", "nik-dim/sequel; imirzadeh/CL-Gym",
      "EWCTests", "the running sums equal the explicit sum of 20 tasks in constant memory"),
    PublishedBug(
      "ewc", "S₀θ² − 2S₁θ + S₂ in single precision cancels",
      "the form of ganguli-lab/pathint and lifelonglab/pyCLAD, its value in single precision", "EWCTests",
      "the running sums equal the explicit sum of 20 tasks in constant memory"),
    PublishedBug(
      "ewc", "outputs made later are pulled to what they never were", PublishedBug.pitfall,
      "EWCTests", "weights made after an anchor are not pulled"),
    PublishedBug(
      "ewc", "a new head is pulled while it learns its own task", PublishedBug.pitfall,
      "PenaltyInLearnerTests", "a new head is not pulled while its own task is learned"),
    PublishedBug(
      "ewc", "the Fisher pass changes the network", "ContinualAI/avalanche pull request 723", "PenaltyInLearnerTests",
      "a task's end changes no byte of the network"),
    PublishedBug(
      "si", "the path takes the gradient of the whole loss, penalty included",
      "ContinualAI/avalanche#106; GMvandeVen/continual-learning#14", "PenaltyInLearnerTests",
      "synaptic intelligence follows the data gradient and the actual step"),
    PublishedBug(
      "si", "the path is rate · g², not g · Δθ", "aimagelab/mammoth#50", "PenaltyInLearnerTests",
      "synaptic intelligence follows the data gradient and the actual step"),
    PublishedBug(
      "si", "the gradient is read after it was clipped", PublishedBug.pitfall, "PenaltyInLearnerTests",
      "synaptic intelligence follows the data gradient and the actual step"),
    PublishedBug(
      "si", "the gradient never reaches the path", "nik-dim/sequel (PyTorch)", "PenaltyInLearnerTests",
      "synaptic intelligence follows the data gradient and the actual step"),
    PublishedBug(
      "si", "negative importance is kept", "ContinualAI/avalanche#1226", "SynapticIntelligenceTests",
      "what is clamped"),
    PublishedBug(
      "si", "the displacement is taken when the anchor has moved: 0", "nik-dim/sequel (JAX)",
      "SynapticIntelligenceTests", "the displacement is from where the task began"),
    PublishedBug(
      "si", "the strength is multiplied in twice", PublishedBug.pitfall, "SynapticIntelligenceTests",
      "importance by hand"),
    PublishedBug(
      "mas", "the absolute value of the mean gradient, not the mean of absolute values",
      "ContinualAI/avalanche, mas", "MemoryAwareSynapsesTests",
      "importance by hand: absolute gradients of each row, averaged"),
    PublishedBug(
      "mas", "tasks are averaged with α where the paper sums", PublishedBug.pitfall,
      "MemoryAwareSynapsesTests", "importance is summed over tasks, or averaged"),
    PublishedBug(
      "penalties", "the strength is declared and read under another name, so it does nothing",
      "GMvandeVen/continual-learning, --ewc-kfac", "AbsenceLawTests",
      "a strength that is declared and never read is found"),
    PublishedBug(
      "penalties", "the strength is read, and its term never reaches the loss",
      "GMvandeVen/continual-learning, --ewc-kfac", "AbsenceLawTests", "at their defaults the same parts are there"),
  ]

  static let fisher = [
    PublishedBug(
      "fisher", "the batch's mean gradient is squared: F over the batch size near an optimum",
      "ContinualAI/avalanche; LAMDA-CL/PyCIL; CapyMOA", "FisherTests", "batches of one row are samples"),
    PublishedBug(
      "fisher", "a batch's mean times its size stands for its rows",
      "mmasana/FACIL; lifelonglab/pyCLAD; pengxiang-wang/continual-learning-arena", "FisherTests",
      "the batched rule squares the mean gradient of each batch"),
    PublishedBug(
      "fisher", "the sum over N rows is divided by N − 1", "GMvandeVen/continual-learning, fisher", "FisherTests",
      "exact labels give p(1 - p) x²"),
    PublishedBug(
      "fisher", "importance is clamped at 1e-4", "LAMDA-CL/PyCIL, ewc", "FisherTests", "exact labels give p(1 - p) x²"),
    PublishedBug(
      "fisher", "true labels stand for the model's", "ContinualAI/avalanche, ewc; aimagelab/mammoth, ewc_on",
      "FisherTests",
      "exact labels give p(1 - p) x²"),
    PublishedBug(
      "fisher", "the last rows alone are measured", "adaptive-machine-learning/CapyMOA, ewc: the last 256",
      "FisherTests",
      "every row counts, whichever block it is in"),
    PublishedBug(
      "fisher", "classes not seen yet take part in the probabilities", PublishedBug.pitfall,
      "PenaltyInLearnerTests", "importance covers the outputs that took part in the loss"),
  ]
}
