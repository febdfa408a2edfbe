/// Of ways through the network, whole learners, optimisers, references and metrics.
extension PublishedBug {
  static let isolations = [
    PublishedBug(
      "xdg", "x·W is gated and the bias is not, so that a unit that is off says f(b)",
      "GMvandeVen/continual-learning, excitability", "ContextGatingTests",
      "a unit that is off says 0, whatever its bias"),
    PublishedBug(
      "xdg", "a narrow layer has all its gates shut", PublishedBug.pitfall, "ContextGatingTests",
      "one unit of a layer stays on, however large the share"),
    PublishedBug(
      "isolation", "weight decay or momentum moves weights that are held", PublishedBug.pitfall,
      "SettingLawTests", "isolations keep the laws in every setting"),
    PublishedBug(
      "isolation", "the gradient of held weights is clipped along", PublishedBug.pitfall,
      "IsolationTests", "frozen weights do not lengthen a gradient that is clipped"),
    PublishedBug(
      "low-rank", "the scale α/r is not changed with r", PublishedBug.pitfall, "IsolationTests",
      "low-rank factors are scaled by alpha over rank"),
  ]

  static let learners = [
    PublishedBug(
      "ncm", "a class mean is (a + b)/2 over batches", "aimagelab/mammoth 2022, icarl", "NearestMeanTests",
      "a batch counts by its rows, a row by its weight"),
    PublishedBug(
      "ncm", "the share of a row is counted over all classes, so that order matters",
      "the author's code of SLDA", "NearestMeanTests",
      "any order of rows and batches gives the means of all rows"),
    PublishedBug(
      "page-hinkley", "the sum is taken from the mean without the value at hand", PublishedBug.pitfall,
      "DetectorTests", "sums are taken from the mean with the value at hand"),
    PublishedBug(
      "adamw", "decay goes through the moments", "told of common libraries by Loshchilov & Hutter, ICLR 2019",
      "LawTests",
      "adamw is its closed form, and its decay is no part of the moments"),
    PublishedBug(
      "optimisers", "moments are carried from task to task where they are to be forgotten",
      "Zenke et al. 2017 forget them in their code; many others do not say", "LearnerTests",
      "the optimiser forgets between tasks where it is told to"),
    PublishedBug(
      "joint", "takes other step counts than the methods it bounds, unsaid", PublishedBug.pitfall, "BoundTests",
      "joint trains on with batches that grow with the tasks"),
  ]

  static let metrics = [
    PublishedBug(
      "forgetting", "first minus last, no maximum", "ContinualAI/avalanche", "VariantTests", "forgetting of the example"
    ),
    PublishedBug(
      "forgetting", "the maximum runs over the last row too", "aimagelab/mammoth; LAMDA-CL/PyCIL; imirzadeh/CL-Gym",
      "VariantTests", "the rows that the maximum of forgetting runs over"),
    PublishedBug(
      "forgetting", "divided by all tasks, the last one too",
      "RaptorMai/online-continual-learning pull request 23", "VariantTests", "forgetting of the example"),
    PublishedBug(
      "forgetting", "off by one: the newest old task is left out",
      "Continvvm/continuum#281; LibContinual; arthurdouillard/dytox#12", "VariantTests", "forgetting of the example"),
    PublishedBug(
      "forgetting", "counts the task just learned against its zero-shot accuracy", "lifelonglab/pyCLAD", "VariantTests",
      "forgetting of the example"),
    PublishedBug(
      "backward transfer", "over all pairs, or consecutive rows, or distant pairs",
      "Continvvm/continuum, RaptorMai; lifelonglab/pyCLAD; LibContinual", "VariantTests",
      "backward transfer of the example"),
    PublishedBug(
      "forward transfer", "without the untrained network's accuracy", "Continvvm/continuum", "VariantTests",
      "forward transfer of the example"),
    PublishedBug(
      "forward transfer", "a number where the outputs of later classes are masked",
      "public toolkits but JonPark0/contilab, which says so",
      "UndefinedTests", "masked future classes leave forward transfer undefined and the rest as it is"),
    PublishedBug(
      "accuracy", "rounded before differences are taken", "LAMDA-CL/PyCIL", "EvaluatorTests",
      "an accuracy is not rounded"),
    PublishedBug(
      "accuracy", "logits of masked classes are multiplied by 0, and win against negative ones",
      "adaptive-machine-learning/CapyMOA", "EvaluatorTests",
      "a task that is told limits the answers to its own classes"),
    PublishedBug(
      "accuracy", "evaluation changes the training that follows", PublishedBug.pitfall, "RunTests",
      "evaluation within tasks never changes training"),
    PublishedBug(
      "time", "evaluation counts as training", PublishedBug.pitfall, "RunTests",
      "time spent evaluating does not count as training"),
  ]
}
