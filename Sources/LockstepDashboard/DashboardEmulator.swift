public import LockstepEmulation
internal import Synchronization

/// An emulator on the dashboard.
public struct DashboardEmulator: Sendable {
    /// The provider's display name.
    public let title: String
    /// The running server.
    public let server: any RunningEmulator

    private let count = UserCount()

    /// The provider's name in addresses, such as `gotrue`.
    var name: String { server.ready.provider }

    /// The number of users; `nil` if the emulator does not know it.
    var userCount: Int? { count.value(of: server) }

    /// Creates an emulator with its display name.
    ///
    /// - Parameters:
    ///   - title: The provider's display name.
    ///   - server: The running server.
    public init(title: String, server: any RunningEmulator) {
        self.title = title
        self.server = server
    }
}

/// The number of users of an emulator.
///
/// It is counted again only after a change of rows, because counting 100,000 users takes milliseconds.
private final class UserCount: Sendable {
    private let last = Mutex<(number: Int, count: Int?)?>(nil)

    func value(of server: any RunningEmulator) -> Int? {
        let changes = server.panel.changes
        if let last = last.withLock({ $0 }), !changes.changes(after: last.number).kinds.contains(.rows) { return last.count }
        // The number is taken first: a change while the users are counted is counted again.
        let number = changes.number
        let count = server.controlCalls.userCount()
        last.withLock { $0 = (number, count) }
        return count
    }
}
