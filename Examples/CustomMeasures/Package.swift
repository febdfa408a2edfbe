// swift-tools-version: 6.2
import PackageDescription

/// Measures of one's own: two functions of what a run shows, and a main of one line.
let package = Package(
  name: "custom-measures",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "palimpsest", path: "../..")],
  targets: [
    .executableTarget(
      name: "custom-measures",
      dependencies: [
        .product(name: "Palimpsest", package: "palimpsest"),
        .product(name: "PalimpsestCommand", package: "palimpsest"),
      ],
      path: "Sources/CustomMeasures",
      swiftSettings: [.strictMemorySafety()]),
    .testTarget(
      name: "CustomMeasuresTests",
      dependencies: ["custom-measures", .product(name: "Palimpsest", package: "palimpsest")],
      swiftSettings: [.strictMemorySafety()]),
  ],
  swiftLanguageModes: [.v6]
)
