// swift-tools-version: 6.2
import PackageDescription

/// A target names every target that it imports: SwiftPM compiles it again where one of those has changed, and looks no further.
///
/// Every Swift target is compiled with strict memory safety. Unsafe code stays where C is called, and is marked there:
/// PalimpsestCore/Kernels, HDF5, zlib in PalimpsestDatasets/Files/Inflater.swift and PalimpsestRuns/Journal/CRC32.swift, in
/// PalimpsestJSON/Files SHA256.swift (libcrypto), InputFile.swift (open, stat, read) and SystemCalls.swift (write, rename,
/// sync), numbers as bytes in PalimpsestSettings/State (RawBlocks.swift, FloatBlock.swift), and a C string in
/// PalimpsestRuns/Folder/Provenance.swift, and processes in PalimpsestCube/Unsealed.
let strict: [SwiftSetting] = [.strictMemorySafety()]

/// The name of HDF5's pkg-config file. Debian's `hdf5` is an alternatives link that an MPI build may take over;
/// `PALIMPSEST_HDF5_PC=hdf5-serial` then names the serial one.
let hdf5Config = Context.environment["PALIMPSEST_HDF5_PC"] ?? "hdf5"

/// SHA-256; CryptoKit has it on Apple's systems.
let ccrypto = Target.Dependency.target(name: "CCrypto", condition: .when(platforms: [.linux]))

/// The commit a program is built from, where whoever builds says it: the Makefile does. SwiftPM's own `gitInformation` would
/// stay that of the first build.
let commit = (Context.environment["PALIMPSEST_COMMIT"] ?? "").filter {
  $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
}

let package = Package(
  name: "palimpsest",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Palimpsest", targets: ["Palimpsest"]),
    .library(name: "PalimpsestCore", targets: ["PalimpsestCore"]),
    .library(
      name: "PalimpsestLearner", targets: ["PalimpsestCore", "PalimpsestStrategies", "PalimpsestSettings"]),
    .library(
      name: "PalimpsestPersonal",
      targets: ["PalimpsestPersonal", "PalimpsestCore", "PalimpsestStrategies", "PalimpsestSettings"]),
    .library(name: "PalimpsestBench", targets: ["PalimpsestBench"]),
    .library(name: "PalimpsestTesting", targets: ["PalimpsestTesting"]),
    .library(name: "PalimpsestCommand", targets: ["PalimpsestCommand", "CCommit"]),
    .executable(name: "palimpsest", targets: ["PalimpsestCLI"]),
    .executable(name: "palimpsest-worker", targets: ["PalimpsestWorkerCLI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    .target(name: "CKernels"),
    .target(name: "CProcess"),
    .target(name: "CCommit", cSettings: [.define("PALIMPSEST_COMMIT_TEXT", to: "\"\(commit)\"")]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"])]),
    .systemLibrary(
      name: "CHDF5", pkgConfig: hdf5Config,
      providers: [.apt(["libhdf5-dev"]), .brew(["hdf5"]), .yum(["hdf5-devel"])]),

    .target(name: "PalimpsestSettings", swiftSettings: strict),
    .target(name: "PalimpsestCore", dependencies: ["CKernels", "PalimpsestSettings"], swiftSettings: strict),
    .target(name: "PalimpsestStrategies", dependencies: ["PalimpsestCore"], swiftSettings: strict),
    .target(
      name: "PalimpsestPersonal", dependencies: ["PalimpsestCore", "PalimpsestStrategies"], swiftSettings: strict),
    .target(name: "PalimpsestScenarios", dependencies: ["PalimpsestCore"], swiftSettings: strict),
    .target(name: "PalimpsestMetrics", dependencies: ["PalimpsestCore"], swiftSettings: strict),
    .target(
      name: "PalimpsestJSON",
      dependencies: [ccrypto, .product(name: "OrderedCollections", package: "swift-collections")],
      swiftSettings: strict),
    .target(
      name: "PalimpsestDatasets",
      dependencies: ["PalimpsestCore", "PalimpsestScenarios", "PalimpsestJSON", "CZlib"], swiftSettings: strict),
    .target(
      name: "PalimpsestExperiments",
      dependencies: [
        "PalimpsestCore", "PalimpsestStrategies", "PalimpsestPersonal", "PalimpsestScenarios", "PalimpsestMetrics",
        "PalimpsestJSON", "PalimpsestDatasets", .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      swiftSettings: strict),
    .target(
      name: "PalimpsestRuns",
      dependencies: [
        "PalimpsestCore", "PalimpsestStrategies", "PalimpsestPersonal", "PalimpsestScenarios", "PalimpsestMetrics",
        "PalimpsestJSON", "PalimpsestDatasets", "PalimpsestExperiments", "CProcess", "CZlib",
      ],
      swiftSettings: strict),
    .target(
      name: "PalimpsestResults",
      dependencies: [
        "PalimpsestCore", "PalimpsestStrategies", "PalimpsestMetrics", "PalimpsestJSON", "PalimpsestExperiments",
        "PalimpsestRuns",
      ],
      swiftSettings: strict),
    .target(
      name: "PalimpsestLaunch",
      dependencies: [
        "PalimpsestJSON", "PalimpsestExperiments", "PalimpsestRuns", "PalimpsestResults",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: strict),
    .target(
      name: "PalimpsestReport",
      dependencies: [
        "PalimpsestCore", "PalimpsestMetrics", "PalimpsestJSON", "PalimpsestExperiments", "PalimpsestResults",
      ],
      swiftSettings: strict),
    .target(name: "HDF5", dependencies: ["CHDF5", "CZlib"], swiftSettings: strict),
    .target(
      name: "PalimpsestCube",
      dependencies: [
        "PalimpsestCore", "PalimpsestMetrics", "PalimpsestJSON", "PalimpsestExperiments", "PalimpsestRuns",
        "PalimpsestResults", "HDF5",
      ],
      swiftSettings: strict),
    .target(
      name: "PalimpsestTesting", dependencies: ["PalimpsestCore", "PalimpsestScenarios"], swiftSettings: strict),
    .target(
      name: "PalimpsestBench", dependencies: ["PalimpsestCore", "PalimpsestStrategies"], swiftSettings: strict),
    .target(
      name: "Palimpsest",
      dependencies: [
        "PalimpsestSettings", "PalimpsestCore", "PalimpsestStrategies", "PalimpsestPersonal", "PalimpsestScenarios",
        "PalimpsestMetrics", "PalimpsestJSON", "PalimpsestDatasets", "PalimpsestExperiments", "PalimpsestRuns",
        "PalimpsestResults",
      ],
      swiftSettings: strict),
    .target(
      name: "PalimpsestCommand",
      dependencies: [
        "PalimpsestCore", "Palimpsest", "PalimpsestBench", "PalimpsestCube", "PalimpsestReport", "PalimpsestLaunch",
        "PalimpsestWorker", "HDF5", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .target(
      name: "PalimpsestWorker",
      dependencies: [
        "PalimpsestCore", "PalimpsestJSON", "PalimpsestExperiments", "PalimpsestRuns", "PalimpsestLaunch",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "PalimpsestWorkerCLI", dependencies: ["PalimpsestWorker", "CCommit"], swiftSettings: strict),
    .executableTarget(name: "PalimpsestCLI", dependencies: ["PalimpsestCommand", "CCommit"], swiftSettings: strict),

    // What several test targets share.
    .target(
      name: "TestFixtures",
      dependencies: [
        "PalimpsestCore", "PalimpsestStrategies", "PalimpsestScenarios", "PalimpsestMetrics", "PalimpsestJSON",
        "PalimpsestExperiments", "PalimpsestRuns", "PalimpsestTesting",
      ],
      path: "Tests/TestFixtures", swiftSettings: strict),
    .testTarget(name: "PalimpsestSettingsTests", dependencies: ["PalimpsestSettings"], swiftSettings: strict),
    .testTarget(
      name: "PalimpsestCoreTests", dependencies: ["PalimpsestCore", "PalimpsestTesting"], swiftSettings: strict),
    .testTarget(
      name: "PalimpsestStrategiesTests",
      dependencies: ["PalimpsestCore", "PalimpsestStrategies", "PalimpsestTesting", "TestFixtures"],
      swiftSettings: strict),
    .testTarget(
      name: "PalimpsestPersonalTests",
      dependencies: [
        "PalimpsestCore", "PalimpsestStrategies", "PalimpsestPersonal", "PalimpsestScenarios", "PalimpsestTesting",
        "TestFixtures",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PalimpsestScenariosTests", dependencies: ["PalimpsestCore", "PalimpsestScenarios", "PalimpsestTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "PalimpsestMetricsTests", dependencies: ["PalimpsestCore", "PalimpsestMetrics", "PalimpsestTesting"],
      swiftSettings: strict),
    .testTarget(name: "PalimpsestJSONTests", dependencies: ["PalimpsestJSON", "TestFixtures"], swiftSettings: strict),
    .testTarget(
      name: "PalimpsestDatasetsTests",
      dependencies: [
        "PalimpsestCore", "PalimpsestStrategies", "PalimpsestScenarios", "PalimpsestDatasets", "PalimpsestTesting",
        "TestFixtures",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PalimpsestExperimentsTests",
      dependencies: [
        "PalimpsestCore", "PalimpsestStrategies", "PalimpsestScenarios", "PalimpsestMetrics", "PalimpsestJSON",
        "PalimpsestDatasets", "PalimpsestExperiments", "TestFixtures",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PalimpsestRunsTests",
      dependencies: [
        "PalimpsestCore", "PalimpsestStrategies", "PalimpsestPersonal", "PalimpsestScenarios", "PalimpsestMetrics",
        "PalimpsestJSON", "PalimpsestDatasets", "PalimpsestExperiments", "PalimpsestRuns", "PalimpsestResults",
        "PalimpsestTesting", "TestFixtures",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PalimpsestResultsTests",
      dependencies: [
        "PalimpsestMetrics", "PalimpsestJSON", "PalimpsestExperiments", "PalimpsestRuns", "PalimpsestResults",
        "TestFixtures",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PalimpsestReportTests",
      dependencies: [
        "PalimpsestCore", "PalimpsestMetrics", "PalimpsestJSON", "PalimpsestResults", "PalimpsestReport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PalimpsestLaunchTests",
      dependencies: ["PalimpsestJSON", "PalimpsestExperiments", "PalimpsestRuns", "PalimpsestLaunch", "TestFixtures"],
      swiftSettings: strict),
    .testTarget(name: "HDF5Tests", dependencies: ["HDF5", "TestFixtures"], swiftSettings: strict),
    .testTarget(
      name: "PalimpsestCubeTests",
      dependencies: [
        "PalimpsestCore", "PalimpsestMetrics", "PalimpsestJSON", "PalimpsestExperiments", "PalimpsestScenarios",
        "PalimpsestRuns", "PalimpsestResults", "PalimpsestCube", "HDF5", "PalimpsestTesting", "TestFixtures",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PalimpsestCommandTests",
      dependencies: [
        "PalimpsestCommand", "PalimpsestCLI", "PalimpsestWorkerCLI", "Palimpsest", "PalimpsestCube", "HDF5",
        "PalimpsestTesting",
        "TestFixtures", .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["Corpus"], swiftSettings: strict),

    .target(
      name: "FuzzTargets",
      dependencies: [
        "PalimpsestCore", "PalimpsestScenarios", "PalimpsestMetrics", "PalimpsestJSON", "PalimpsestDatasets",
        "PalimpsestExperiments", "PalimpsestRuns",
      ],
      path: "Fuzz/Targets", swiftSettings: strict),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

/// `make fuzz` alone builds the fuzzers: libFuzzer brings their `main`.
if Context.environment["PALIMPSEST_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "PalimpsestFuzz", dependencies: ["FuzzTargets"], path: "Fuzz/Driver", swiftSettings: strict))
}
