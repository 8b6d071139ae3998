package import LockstepEmulation
internal import Synchronization

/// An emulator that the dashboard shows.
package struct DashboardEmulator: Sendable {
    /// The display name of the provider.
    package let title: String
    /// The running server of the emulator.
    package let server: any RunningEmulator

    private let count = UserCount()

    /// The provider's name in addresses, such as `gotrue`.
    var name: String { server.ready.provider }

    /// The number of users; `nil` if the emulator does not know it.
    var userCount: Int? { count.value(of: server) }

    /// Creates an emulator for the dashboard.
    ///
    /// - Parameters:
    ///   - title: The display name of the provider.
    package init(title: String, server: any RunningEmulator) {
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
