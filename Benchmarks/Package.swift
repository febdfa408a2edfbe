// swift-tools-version: 6.2
import PackageDescription

/// Programs that measure the toolkit and are no part of it. `palimpsest bench` is: it measures a user's machine.
let package = Package(
  name: "palimpsest-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "palimpsest", path: "..")],
  targets: [
    .executableTarget(
      name: "InstructionCounts", dependencies: [.product(name: "PalimpsestBench", package: "palimpsest")],
      swiftSettings: [.strictMemorySafety()])
  ],
  swiftLanguageModes: [.v6]
)
