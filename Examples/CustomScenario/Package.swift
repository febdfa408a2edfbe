// swift-tools-version: 6.2
import PackageDescription

/// A scenario of one's own: the law, and a main of one line.
let package = Package(
  name: "custom-scenario",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "palimpsest", path: "../..")],
  targets: [
    .executableTarget(
      name: "custom-scenario",
      dependencies: [
        .product(name: "Palimpsest", package: "palimpsest"),
        .product(name: "PalimpsestCommand", package: "palimpsest"),
      ],
      path: "Sources/CustomScenario",
      swiftSettings: [.strictMemorySafety()]),
    .testTarget(
      name: "CustomScenarioTests",
      dependencies: ["custom-scenario", .product(name: "PalimpsestTesting", package: "palimpsest")],
      swiftSettings: [.strictMemorySafety()]),
  ],
  swiftLanguageModes: [.v6]
)
