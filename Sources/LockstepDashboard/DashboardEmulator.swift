public import LockstepEmulation

/// An emulator as the dashboard shows it.
public struct DashboardEmulator: Sendable {
    /// The provider's name for a person.
    public let title: String
    /// The running server.
    public let server: any RunningEmulator

    /// The provider's name in addresses: `gotrue`.
    var name: String { server.ready.provider }

    /// An emulator with its name for a person.
    ///
    /// - Parameters:
    ///   - title: The provider's name for a person.
    ///   - server: The running server.
    public init(title: String, server: any RunningEmulator) {
        self.title = title
        self.server = server
    }
}
