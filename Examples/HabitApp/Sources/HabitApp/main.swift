import PalimpsestCore
import PalimpsestPersonal

do throws(AppError) {
  try HabitCommand(Array(CommandLine.arguments.dropFirst())).run()
} catch {
  Files.say("habit-app: \(error)", isError: true)
  exitProcess(1)
}
