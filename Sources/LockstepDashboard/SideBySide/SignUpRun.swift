internal import LockstepEmulation
internal import LockstepPrimitives
internal import Synchronization

/// A sign-up on all backends at once, whose steps appear while it runs.
final class SignUpRun: Sendable {
    /// The steps, in the order in which an app sees them.
    enum Step: String, CaseIterable, Sendable {
        case signUp = "Sign-up"
        case message = "Message"
        case verification = "Verification"
        case session = "First session"
        case refresh = "Token refresh"
    }

    /// The result of a step.
    struct Cell: Sendable {
        let words: String
        var isBad = false
        /// The path and the status of the request; `nil` for a step without one.
        var request: (method: String, path: String, status: Int, took: Duration)?
        var message: Message?
    }

    /// The address that signs up.
    let email: String
    private let cells = Mutex<[String: [Step: Cell]]>([:])
    private let running: Mutex<Int>

    /// Starts the sign-ups.
    init(email: String, on emulators: [DashboardEmulator], clock: any DeviceClock) {
        self.email = email
        running = Mutex(emulators.count)
        for emulator in emulators {
            Task {
                await SignUpJourney(emulator: emulator, run: self, clock: clock).perform()
                self.running.withLock { $0 -= 1 }
                emulator.server.panel.changes.note(.requests)
            }
        }
    }

    var isRunning: Bool { running.withLock { $0 > 0 } }

    func cell(_ step: Step, of provider: String) -> Cell? { cells.withLock { $0[provider]?[step] } }

    /// Shows a result on open pages.
    func set(_ step: Step, of emulator: DashboardEmulator, _ cell: Cell) {
        cells.withLock { $0[emulator.name, default: [:]][step] = cell }
        emulator.server.panel.changes.note(.requests)
    }
}
