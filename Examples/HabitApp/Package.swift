// swift-tools-version: 6.2
import PackageDescription

/// An app that takes a shipped model to its person: it links `PalimpsestPersonal` alone, no Foundation, no HDF5, no crypto. `habit-life`
/// stands for what the app's maker has: it trains the shipped model on a population, and simulates a person's log.
let package = Package(
  name: "habit-app",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "palimpsest", path: "../..")],
  targets: [
    .executableTarget(
      name: "habit-app",
      dependencies: [.product(name: "PalimpsestPersonal", package: "palimpsest")],
      path: "Sources/HabitApp",
      swiftSettings: [.strictMemorySafety()]),
    .executableTarget(
      name: "habit-life",
      dependencies: [.product(name: "Palimpsest", package: "palimpsest")],
      path: "Sources/HabitLife",
      swiftSettings: [.strictMemorySafety()]),
    .testTarget(
      name: "HabitAppTests",
      dependencies: [
        "habit-app", "habit-life", .product(name: "PalimpsestPersonal", package: "palimpsest"),
        .product(name: "PalimpsestTesting", package: "palimpsest"),
      ],
      swiftSettings: [.strictMemorySafety()]),
  ],
  swiftLanguageModes: [.v6]
)
