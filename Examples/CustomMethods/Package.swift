// swift-tools-version: 6.2
import PackageDescription

/// Known methods written from outside, a file each: what the roles let a part of one's own see and do.
let package = Package(
  name: "custom-methods",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "palimpsest", path: "../..")],
  targets: [
    .executableTarget(
      name: "custom-methods",
      dependencies: [
        .product(name: "Palimpsest", package: "palimpsest"),
        .product(name: "PalimpsestCommand", package: "palimpsest"),
      ],
      path: "Sources/CustomMethods",
      swiftSettings: [.strictMemorySafety()]),
    .testTarget(
      name: "CustomMethodsTests",
      dependencies: ["custom-methods", .product(name: "PalimpsestTesting", package: "palimpsest")],
      swiftSettings: [.strictMemorySafety()]),
  ],
  swiftLanguageModes: [.v6]
)
