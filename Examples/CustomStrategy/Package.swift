// swift-tools-version: 6.2
import PackageDescription

/// A strategy of one's own: one file, a main of one line, and the laws of its role as its test.
let package = Package(
  name: "custom-strategy",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "palimpsest", path: "../..")],
  targets: [
    .executableTarget(
      name: "custom-strategy",
      dependencies: [
        .product(name: "Palimpsest", package: "palimpsest"),
        .product(name: "PalimpsestCommand", package: "palimpsest"),
      ],
      path: "Sources/CustomStrategy",
      swiftSettings: [.strictMemorySafety()]),
    .testTarget(
      name: "CustomStrategyTests",
      dependencies: ["custom-strategy", .product(name: "PalimpsestTesting", package: "palimpsest")],
      swiftSettings: [.strictMemorySafety()]),
  ],
  swiftLanguageModes: [.v6]
)
