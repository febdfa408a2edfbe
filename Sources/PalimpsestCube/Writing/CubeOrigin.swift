import Foundation
import HDF5
import PalimpsestJSON
import PalimpsestRuns

/// The program and the machine that make a cube. Which machine ran which run is in the columns `host` and `worker`.
public struct CubeOrigin: Sendable, Equatable {
  /// Name and version: `Palimpsest 0.1.0`.
  public var program: String
  public var cpu: String
  public var cores: Int
  public var os: String
  /// The compiler's version.
  public var swift: String
  /// The command line.
  public var command: String

  public init(program: String, cpu: String, cores: Int, os: String, swift: String, command: String) {
    self.program = program
    self.cpu = cpu
    self.cores = cores
    self.os = os
    self.swift = swift
    self.command = command
  }

  /// This process on this machine.
  public static var current: CubeOrigin {
    CubeOrigin(
      program: "Palimpsest " + Provenance.toolkitVersion, cpu: cpuName,
      cores: ProcessInfo.processInfo.activeProcessorCount,
      os: ProcessInfo.processInfo.operatingSystemVersionString, swift: compilerVersion,
      command: CommandLine.arguments.joined(separator: " "))
  }
}

extension CubeWriter {
  func writeProvenance(_ origin: CubeOrigin) throws(HDF5Error) {
    let group = try root.createGroup("provenance")
    try group.writeOrigin(origin)
    try group.writeText("experiment_json", "The experiment file as it was given", plan.experimentText)
    if !plan.overrides.isEmpty {
      let changes = plan.overrides.joined(separator: "\n")
      try group.writeText("overrides", "What the command line changed in it, a line each", changes)
    }
    if !pack.runs.inputs.isEmpty {
      let digests = pack.runs.inputs.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) }
      let text = JSONValue(JSONObject(digests)).compactText
      try group.writeText("input_digests", "SHA-256 of what each data set's files hold, as JSON", text)
    }
  }
}

extension HDF5Group {
  /// Program and machine that made the file.
  func writeOrigin(_ origin: CubeOrigin) throws(HDF5Error) {
    try writeText("cpu", "Processor of the machine that made this file", origin.cpu)
    let cores = try write("cores", [Int64(origin.cores)], shape: [])
    try cores.attributes.set("long_name", "Its cores")
    try cores.attributes.set("units", "1")
    try writeText("os", "Its operating system", origin.os)
    try writeText("swift", "Compiler of the program that made this file", origin.swift)
    try writeText("command", "Command that made this file", origin.command)
  }

  fileprivate func writeText(_ name: String, _ longName: String, _ text: String) throws(HDF5Error) {
    try write(name, clean(text)).attributes.set("long_name", longName)
  }
}

/// The processor as the system calls it; its architecture where that is not known.
private var cpuName: String {
  let info = (try? Files.read("/proc/cpuinfo")).map { String(decoding: $0, as: UTF8.self) } ?? ""
  let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
  return model.map { $0.trimmingCharacters(in: .whitespaces) } ?? architecture
}

private var architecture: String {
  #if arch(x86_64)
    "x86_64"
  #elseif arch(arm64)
    "arm64"
  #else
    "unknown"
  #endif
}

private var compilerVersion: String {
  #if compiler(>=6.4)
    "6.4 or later"
  #elseif compiler(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}
