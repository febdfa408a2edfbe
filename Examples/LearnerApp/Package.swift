// swift-tools-version: 6.2
import PackageDescription

/// What an app on a device links: the learner alone, no runner, no files, no Foundation.
let package = Package(
  name: "learner-app",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "palimpsest", path: "../..")],
  targets: [
    .executableTarget(
      name: "learner-app",
      dependencies: [.product(name: "PalimpsestLearner", package: "palimpsest")],
      path: "Sources/LearnerApp",
      swiftSettings: [.strictMemorySafety()]),
    .testTarget(
      name: "LearnerAppTests",
      dependencies: ["learner-app", .product(name: "PalimpsestLearner", package: "palimpsest")],
      swiftSettings: [.strictMemorySafety()]),
  ],
  swiftLanguageModes: [.v6]
)
