import Foundation
import Palimpsest

// What stands outside the app: its maker trains the model that is shipped on a population; a person lives, and the app's other half writes
// down what she does. The app sees two files of it.
let arguments = CommandLine.arguments

/// What stands behind a flag.
func number(_ flag: String, _ declared: Int) -> Int {
  guard let place = arguments.firstIndex(of: flag) else { return declared }
  guard place + 1 < arguments.count, let value = Int(arguments[place + 1]), value >= 0 else {
    fail("\(flag) wants a number")
  }
  return value
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("habit-life: \(message)\n".utf8))
  exit(1)
}

guard arguments.count > 1, !arguments[1].hasPrefix("-") else {
  fail("habit-life FOLDER [--user N] [--days N] [--population N] [--seed N] writes FOLDER/shipped and FOLDER/log")
}
let maker = Maker(
  seed: Seed(UInt64(number("--seed", 1))), population: number("--population", 500), days: number("--days", 180))
do {
  let folder = URL(filePath: arguments[1])
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try Data(try maker.shipped()).write(to: folder.appending(path: "shipped"))
  try Data(try maker.log(of: number("--user", 3)).utf8).write(to: folder.appending(path: "log"))
} catch {
  fail("\(error)")
}
