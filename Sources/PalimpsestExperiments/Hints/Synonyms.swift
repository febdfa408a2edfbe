/// What others call our keys and parts: the names of Avalanche, Mammoth, PyTorch and of the papers.
///
/// A word is offered only where such a key or part exists.
enum Synonyms {
  /// Our names for a key, the likelier first.
  static func keys(for word: String) -> [String] { keys[plain(word)] ?? [] }

  /// Our name for a part, scenario or optimiser, and what to give beside it.
  static func component(for word: String) -> (name: String, beside: String?)? {
    components[plain(word)].map { ($0.name, $0.beside) }
  }

  /// A method that the toolkit does not have: what it is, and the role its like plays here.
  static func absentMethod(_ word: String) -> (title: String, role: Role)? {
    methods[plain(word)].map { ($0.title, $0.role) }
  }

  /// A setting that the toolkit does not have.
  static func absentKey(_ word: String) -> String? { absentKeys[plain(word)] }

  /// True for what means no part at all: plain fine-tuning.
  static func isFineTuning(_ word: String) -> Bool { fineTuning.contains(plain(word)) }

  /// Lower case, letters and digits alone: `batch_size`, `batchSize` and `batch-size` are one word.
  private static func plain(_ word: String) -> String {
    guard word.utf8.count <= 60 else { return "" }
    return word.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Each of our names with the words that others have for it.
  private static let keys = inverted([
    ("rate", "lr learningrate stepsize eta"),
    ("decay", "weightdecay wd l2 gamma"),
    ("batch", "batchsize bs minibatch minibatchsize trainmbsize mbsize"),
    ("epochs", "epoch nepochs numepochs trainepochs passes"),
    ("steps", "iterations iters niters niter maxsteps nsteps"),
    (
      "strength",
      "lambda ewclambda elambda silambda c alpha reg regularization regularisation importance penalty weight"
    ),
    (
      "capacity",
      "buffersize bufsize memsize memorysize mem memory buffer buffercapacity maxsize npatterns patternsperexp"
    ),
    ("draw", "replaybatch replaybatchsize minibatchsize batchsizemem memorybatchsize"),
    ("damping", "xi epsilon eps"),
    ("norm", "clipnorm maxnorm gradclip clip maxgradnorm"),
    ("rank", "r bottleneck bottlenecksize"),
    ("mode", "online separate"),
    (
      "hidden",
      "layers hiddensizes hiddensize hiddenlayers hiddendims hiddendim hiddenunits units widths width neurons sizes"
    ),
    ("activation", "nonlinearity act"),
    ("initializer", "init initialiser initialization weightinit"),
    ("tasks", "ntasks numtasks nexperiences numexperiences experiences"),
    ("classesPerTask", "nclassespertask classesperexp classesperexperience increment"),
    ("setting", "scenariotype incremental"),
    ("dataset", "data datasetname"),
    ("beta1", "betas"),
    ("epsilon", "eps"),
    ("schedule", "scheduler lrscheduler lrschedule learningrateschedule decayschedule"),
    ("warmup", "warmupsteps nwarmupsteps numwarmupsteps"),
    ("seeds", "seed nseeds numseeds randomseed rng repeats repetitions runs trials"),
    ("optimizer", "optim optimiser opt"),
    ("model", "network net architecture arch"),
    ("training", "train trainer fit hyperparameters"),
    ("evaluation", "eval evaluate"),
    ("everySteps", "evalevery evaluateevery logevery"),
    ("strategies", "strategy methods method algorithms plugins"),
    ("scenarios", "scenario benchmark benchmarks stream streams datasets"),
    ("parts", "plugins"),
    ("question", "description comment notes"),
    ("name", "title experiment"),
    ("sweep", "sweeps search hyperparametersearch"),
    ("select", "tune tuning selection"),
    ("samples", "n count trials"),
    ("over", "grid space search sweep"),
    ("criterion", "metric objective"),
    ("schedule", "driftschedule course"),
    ("stay", "pstay persistence selftransition stayprobability"),
    ("period", "cycle cyclelength season"),
    ("operator", "drifttype kind"),
    ("priors", "prior classprior classpriors"),
    ("strengths", "strength tilts"),
  ])

  private struct Known {
    let name: String
    var beside: String?
  }

  private static let components: [String: Known] = [
    "er": Known(name: "reservoir"), "replay": Known(name: "reservoir"), "experiencereplay": Known(name: "reservoir"),
    "replaybuffer": Known(name: "reservoir"), "rehearsal": Known(name: "reservoir"),
    "reservoirsampling": Known(name: "reservoir"), "buffer": Known(name: "reservoir"), "fifo": Known(name: "ring"),
    "ringbuffer": Known(name: "ring"), "balanced": Known(name: "class-balanced"),
    "classbalancedbuffer": Known(name: "class-balanced"), "kcenter": Known(name: "k-centre"),
    "coreset": Known(name: "k-centre"), "onlineewc": Known(name: "ewc", beside: #""mode": "online""#),
    "ewcon": Known(name: "ewc", beside: #""mode": "online""#),
    "ewconline": Known(name: "ewc", beside: #""mode": "online""#),
    "elasticweightconsolidation": Known(name: "ewc"), "synapticintelligence": Known(name: "si"),
    "cumulative": Known(name: "joint"), "jointtraining": Known(name: "joint"), "multitask": Known(name: "joint"),
    "offline": Known(name: "joint"), "fromscratch": Known(name: "scratch"), "lora": Known(name: "low-rank"),
    "adapter": Known(name: "adapters"), "multihead": Known(name: "heads"), "bitfit": Known(name: "bias-only"),
    "lwf": Known(name: "distillation"), "learningwithoutforgetting": Known(name: "distillation"),
    "kd": Known(name: "distillation"), "der": Known(name: "dark-replay"),
    "derpp": Known(name: "dark-replay", beside: #""beta": 0.5"#), "darkexperiencereplay": Known(name: "dark-replay"),
    "erace": Known(name: "er-ace"), "agem": Known(name: "a-gem"), "averagedgem": Known(name: "a-gem"),
    "memoryawaresynapses": Known(name: "mas"), "contextdependentgating": Known(name: "xdg"),
    "shrinkandperturb": Known(name: "shrink-perturb"), "shrinkperturb": Known(name: "shrink-perturb"),
    "ema": Known(name: "weight-average"), "swa": Known(name: "weight-average"),
    "linearprobe": Known(name: "last-layer"), "gradclip": Known(name: "clip"), "clipping": Known(name: "clip"),
    "splitmnist": Known(name: "split", beside: #""dataset": "mnist""#),
    "seqmnist": Known(name: "split", beside: #""dataset": "mnist""#),
    "smnist": Known(name: "split", beside: #""dataset": "mnist""#),
    "permutedmnist": Known(name: "permuted", beside: #""dataset": "mnist""#),
    "permmnist": Known(name: "permuted", beside: #""dataset": "mnist""#),
    "pmnist": Known(name: "permuted", beside: #""dataset": "mnist""#),
    "rotatedmnist": Known(name: "rotated", beside: #""dataset": "mnist""#),
    "rotmnist": Known(name: "rotated", beside: #""dataset": "mnist""#),
    "rmnist": Known(name: "rotated", beside: #""dataset": "mnist""#), "habit": Known(name: "habit-phases"),
    "camera": Known(name: "camera-alerts"), "thermo": Known(name: "thermo-seasons"),
    "thermostat": Known(name: "thermo-seasons"), "activity": Known(name: "activity-users"),
    "har": Known(name: "activity-users"), "glucose": Known(name: "glucose-regimes"),
    "vibration": Known(name: "vibro-fleet"), "vibro": Known(name: "vibro-fleet"), "wear": Known(name: "vibro-wear"),
    "keyboard": Known(name: "keyboard-registers"), "nexttoken": Known(name: "keyboard-registers"),
    "plasticity": Known(name: "long-life"), "lossofplasticity": Known(name: "long-life"),
    "permissions": Known(name: "habit-permissions"), "missingfeatures": Known(name: "habit-permissions"),
    "recurringcontexts": Known(name: "habit-recurring"), "lifeevent": Known(name: "habit-seasons"),
    "nearestmean": Known(name: "ncm"), "nearestclassmean": Known(name: "ncm"), "ph": Known(name: "page-hinkley"),
    "adaptivewindowing": Known(name: "adwin"), "driftdetectionmethod": Known(name: "ddm"),
    "hoeffdingdrift": Known(name: "hddm-a"), "kolmogorovsmirnov": Known(name: "kswin"),
    "mddma": Known(name: "mddm"), "mddmg": Known(name: "mddm", beside: #""weights": "geometric""#),
    "mddme": Known(name: "mddm", beside: #""weights": "euler""#), "nodrift": Known(name: "alarm-never"),
    "dummydriftdetector": Known(name: "alarm-random"),
    "nesterov": Known(name: "momentum", beside: #""nesterov": true"#), "sgdmomentum": Known(name: "momentum"),
  ]

  private static let methods: [String: (title: String, role: Role)] = [
    "rwalk": ("Riemannian Walk", .penalty), "vcl": ("Variational Continual Learning", .penalty),
    "imm": ("Incremental Moment Matching", .penalty), "lfl": ("Less-Forgetting Learning", .penalty),
    "gem": ("Gradient Episodic Memory", .gradientTransform),
    "xder": ("eXtended DER", .outputLoss), "icarl": ("iCaRL", .memory), "gdumb": ("GDumb", .memory),
    "mir": ("Maximally Interfered Retrieval", .memory), "gss": ("Gradient-based Sample Selection", .memory),
    "generativereplay": ("Generative replay", .memory),
    "dgr": ("Deep generative replay", .memory), "packnet": ("PackNet", .isolation),
    "hat": ("Hard Attention to the Task", .isolation), "pnn": ("Progressive networks", .isolation),
    "progressive": ("Progressive networks", .isolation), "cwr": ("CWR*", .isolation),
    "l2p": ("Learning to Prompt", .isolation),
    "ogd": ("Orthogonal Gradient Descent", .gradientTransform),
    "gpm": ("Gradient Projection Memory", .gradientTransform),
    "rmsprop": ("RMSprop", .optimizer), "adagrad": ("Adagrad", .optimizer),
    "lion": ("Lion", .optimizer), "lbfgs": ("L-BFGS", .optimizer),
    "splitcifar10": ("CIFAR-10 as images", .scenario), "splitcifar100": ("CIFAR-100 as images", .scenario),
    "core50": ("CORe50", .scenario),
  ]

  private static let absentKeys: [String: String] = [
    "dropout": "dropout",
    "device": "choice of device (everything runs on the processor)",
    "cuda": "choice of device (everything runs on the processor)",
    "gpu": "choice of device (everything runs on the processor)", "batchnorm": "batch normalisation",
    "augmentation": "augmentation", "transforms": "augmentation",
  ]

  private static let fineTuning: Set = ["finetune", "finetuning", "naive", "none", "baseline", "vanilla", "sequential"]

  private static func inverted(_ table: [(name: String, words: String)]) -> [String: [String]] {
    table.reduce(into: [:]) { result, row in
      for word in row.words.split(separator: " ") { result[String(word), default: []].append(row.name) }
    }
  }
}
