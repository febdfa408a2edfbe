import Foundation
import Testing

/// Whatever is named as input: only regular files are read, and a program's output as an experiment.
struct InputKindTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.write(Small.experiment(seeds: 1), to: "small.json")
  }

  @Test func `no command waits for a pipe or reads a device`() async throws {
    #expect(unsafe mkfifo(tool.folder + "/pipe", 0o600) == 0)
    #expect(unsafe mkfifo(tool.folder + "/pipe.h5", 0o600) == 0)
    for name in ["pipe", "/dev/zero"] {
      for command in [["validate", name], ["run", name], ["expand", name], ["predict", name, "--input", "t.csv"]] {
        let answer = try await Tool.run("timeout", ["10", Tool.executable] + command, in: tool.folder)
        #expect(answer.status == 65 || answer.status == 66, "\(command): \(answer.status)")
        #expect(answer.errors.contains("a regular file is needed"), "\(command): \(answer.errors)")
      }
    }
    for command in ["report", "export", "collect", "status"] {
      let answer = try await Tool.run("timeout", ["10", Tool.executable, command, "pipe.h5"], in: tool.folder)
      #expect(answer.status != 124 && answer.status != 0, "\(command): \(answer.status)")
    }
  }

  @Test func `an experiment may come through a pipe`() async throws {
    for script in ["\"$0\" validate <(cat small.json)", "cat small.json | \"$0\" validate /dev/stdin"] {
      let answer = try await Tool.run("/bin/bash", ["-c", script, Tool.executable], in: tool.folder)
      #expect(answer.status == 0, "\(answer.errors)")
    }
    let endless = "yes '[' | \"$0\" validate /dev/stdin"
    let answer = try await Tool.run("/bin/bash", ["-c", endless, Tool.executable], in: tool.folder)
    #expect(answer.status == 66 && answer.errors.contains("larger than 64 MiB"), "\(answer.status) \(answer.errors)")
  }
}
