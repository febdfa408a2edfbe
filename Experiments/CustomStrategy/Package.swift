// swift-tools-version: 6.2
import PackageDescription

/// A strategy of one's own: one file, a main of one line, and the tool with both.
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
      swiftSettings: [.strictMemorySafety()])
  ],
  swiftLanguageModes: [.v6]
)
