#if os(iOS) && canImport(BackgroundTasks)
  import BackgroundTasks
  import Foundation

  /// The same session on iOS, as a processing task on external power.
  ///
  /// NOT TESTED: it was written by the documentation of BackgroundTasks and has been compiled and run on no Apple system.
  public final class BackgroundUpdates: Sendable {
    /// Stands in the app's Info.plist too, under BGTaskSchedulerPermittedIdentifiers.
    public static let identifier = "org.example.habit.update"

    private let folder: String

    /// - Parameter folder: the person's, such as one in Application Support with complete file protection.
    public init(folder: String) { self.folder = folder }

    /// Called before the app has finished launching.
    public func register() {
      BGTaskScheduler.shared.register(forTaskWithIdentifier: BackgroundUpdates.identifier, using: nil) { task in
        self.run(task)
      }
    }

    /// Called when the app goes to the background.
    public func schedule() throws {
      let request = BGProcessingTaskRequest(identifier: BackgroundUpdates.identifier)
      request.requiresExternalPower = true
      // An update never wakes the radio.
      request.requiresNetworkConnectivity = false
      try BGTaskScheduler.shared.submit(request)
    }

    private func run(_ task: BGTask) {
      try? schedule()
      let asked = Expiration()
      // The session looks after each slice of eight steps, far within the seconds that are left, saves, and comes back.
      task.expirationHandler = { asked.hasCome = true }
      do {
        var session = try HabitSession(folder)
        let pause = try session.goOn(saying: { _ in }, wantsBack: { asked.hasCome || BackgroundUpdates.isHot })
        task.setTaskCompleted(success: pause == .caughtUp)
      } catch {
        task.setTaskCompleted(success: false)
      }
    }

    /// Serious and critical are the system's words for a device that should do less.
    private static var isHot: Bool {
      let state = ProcessInfo.processInfo.thermalState
      return state == .serious || state == .critical
    }
  }

  /// Whether the system has asked for its time back: set by one thread, read by another.
  private final class Expiration: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var hasCome: Bool {
      get { lock.withLock { value } }
      set { lock.withLock { value = newValue } }
    }
  }
#endif
