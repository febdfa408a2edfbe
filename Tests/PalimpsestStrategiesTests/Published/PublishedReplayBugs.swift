/// Of what is stored and brought back: memories, losses on outputs, and gradients held to stored rows.
extension PublishedBug {
  static let memories = [
    PublishedBug(
      "reservoir", "row n + 1 is drawn among n places: row M + 1 is always let in",
      "awslabs/Renate; lebrice/Sequoia; RaptorMai/online-continual-learning; aimagelab/mammoth, loss-aware samplers",
      "ReservoirTests",
      "each of n rows is held with probability M over n"),
    PublishedBug(
      "reservoir", "row n is drawn among n + 1 places", "nik-dim/sequel", "ReservoirTests",
      "the test of the law tells published variants apart"),
    PublishedBug(
      "reservoir", "all rows of a batch are drawn among those before it; the last writer of a place wins",
      "lebrice/Sequoia; RaptorMai/online-continual-learning", "ReservoirTests",
      "the test of the law tells published variants apart"),
    PublishedBug(
      "reservoir", "a checkpoint loses how many rows were seen", "aimagelab/mammoth, safe checkpoints",
      "MemoryLawTests", "every memory keeps the laws"),
    PublishedBug(
      "reservoir", "a resumed run draws from the seed again", "awslabs/Renate", "LawTests",
      "combinations and settings go on from a checkpoint with the same bits"),
    PublishedBug(
      "herding", "the class mean is taken over the wrong axis", "Continvvm/continuum#251", "HerdingTests",
      "the order is that of the formula, evaluated directly"),
    PublishedBug(
      "herding", "features are not normalised", "aimagelab/mammoth#16", "HerdingTests",
      "the order is that of the formula, evaluated directly"),
    PublishedBug(
      "herding", "w ← w + μ − φ is another order than the paper's formula", "srebuffi/iCaRL#17", "HerdingTests",
      "the order is that of the formula, evaluated directly"),
    PublishedBug(
      "herding", "choosing again within a task leaves the positions of before in the list",
      "arthurdouillard/incremental_learning.pytorch#61", "CoreSetTests", "a task that ends again is chosen anew"),
    PublishedBug(
      "herding", "a row is chosen more than once", PublishedBug.pitfall,
      "HerdingTests", "duplicates, zeros and numbers that are none are chosen once each"),
    PublishedBug(
      "herding", "quotas are rounded up, and the memory exceeds its size", "mmasana/FACIL, exemplars", "CoreSetTests",
      "quotas share a capacity evenly and never exceed it"),
    PublishedBug(
      "replay", "a stored row's weight is ignored", PublishedBug.pitfall, "ReplayTests",
      "a row's own weight multiplies its share, new or stored"),
    PublishedBug(
      "replay", "stored rows count among the outputs of the task at hand", PublishedBug.pitfall,
      "LearnerTests", "a replayed row counts among the outputs of its own task"),
    PublishedBug(
      "replay", "the order of the data and the memory share their random numbers",
      PublishedBug.pitfall, "RunTests", "rows and evaluation do not depend on the strategy"),
  ]

  static let losses = [
    PublishedBug(
      "dark-replay", "logits are stored after the update, or at the task's end", "ContinualAI/avalanche, der",
      "DarkReplayTests", "rows are stored with the logits of the pass before the update"),
    PublishedBug(
      "dark-replay", "both terms of DER++ take the same draw", PublishedBug.pitfall, "DarkReplayTests",
      "the two terms draw rows of their own"),
    PublishedBug(
      "dark-replay", "outputs that were padding when a row was stored count as 0", PublishedBug.pitfall,
      "DarkReplayTests", "outputs that took no part when the row was stored are left out"),
    PublishedBug(
      "er-ace", "the mask leaves out what lies below the largest label seen, which comes in itself",
      "the authors' code; aimagelab/mammoth, er_ace", "AsymmetricCrossEntropyTests",
      "the largest label seen is masked like the others, wherever the task's own stand"),
    PublishedBug(
      "er-ace", "masked logits are 0, not −∞", "adaptive-machine-learning/CapyMOA", "AsymmetricCrossEntropyTests",
      "new rows compete with what they come with, stored ones with all seen"),
    PublishedBug(
      "distillation", "the teacher's softmax is taken before its old outputs are cut out",
      "ContinualAI/avalanche#1018", "DistillationTests", "the teacher's softmax is taken over what was cut out"),
    PublishedBug(
      "distillation", "the square of the temperature is missing, or there twice", PublishedBug.pitfall,
      "DistillationTests", "the temperature's square multiplies value and gradient once"),
    PublishedBug(
      "distillation", "the teacher is the network that goes on learning", PublishedBug.pitfall,
      "DistillationTests", "the teacher is a copy, and costs a forward pass a row"),
    PublishedBug(
      "distillation", "logits of a head that the teacher has not are compared", PublishedBug.pitfall,
      "DistillationTests", "outputs that the teacher has not are left out"),
  ]

  static let transforms = [
    PublishedBug(
      "a-gem", "where nothing is in the way, the reference gradient is taken", "imirzadeh/CL-Gym#4",
      "AveragedGradientMemoryTests", "a gradient along them, and one across them, stay as they are"),
    PublishedBug(
      "a-gem", "the reference gradient is added on top of the gradient", "imirzadeh/CL-Gym",
      "AveragedGradientMemoryTests", "a gradient against the stored rows loses its part along them"),
    PublishedBug(
      "a-gem", "what is called a projection is none", "imirzadeh/CL-Gym", "TransformLawTests",
      "a projection that is none is found"),
    PublishedBug(
      "a-gem", "a reference of 0 is divided by", "GMvandeVen/continual-learning (adds 1e-7)",
      "AveragedGradientMemoryTests", "stored rows that cannot be improved on leave the gradient alone"),
    PublishedBug(
      "a-gem", "heads without a gradient stop the step", "ContinualAI/avalanche pull request 791",
      "AveragedGradientMemoryTests", "the gradient of a stored row is that of its own task's head"),
    PublishedBug(
      "a-gem", "each task's share of the draw is rounded down to 0", "ContinualAI/avalanche, agem", "MemoryLawTests",
      "every memory keeps the laws"),
    PublishedBug(
      "a-gem", "one batch a task is stored, whatever the memory's size", "aimagelab/mammoth since 2022",
      "ReservoirTests", "each of n rows is held with probability M over n"),
    PublishedBug(
      "a-gem", "the memory's rows are trained on too, and stored twice", "GT-RIPL/Continual-Learning-Benchmark#1",
      "AveragedGradientMemoryTests", "stored rows serve it alone and take the outputs of their own task"),
    PublishedBug(
      "a-gem", "stored rows go through the head of the task at hand", PublishedBug.pitfall,
      "AveragedGradientMemoryTests", "the gradient of a stored row is that of its own task's head"),
  ]
}
