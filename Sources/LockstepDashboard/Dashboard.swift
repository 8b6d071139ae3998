@_exported public import LockstepEmulation
@_exported public import LockstepPrimitives

/// A web server with pages that show and change running emulators.
///
///     let dashboard = try Dashboard([DashboardEmulator(title: "Supabase (GoTrue)", server: server)])
///     print(dashboard.makeLink().reveal())
///
/// The dashboard has its own port, because pages and scripts of the provider run on the emulator's origin. The dashboard calls
/// the control routes directly in this process.
package final class Dashboard: Sendable {
    /// The URL of the dashboard, without a key: `http://127.0.0.1:4600`.
    package let base: String
    /// The port on which the dashboard listens.
    package let port: UInt16

    private let server: PageServer
    private let sessions: BrowserSessions

    /// Chooses the port, and starts the server.
    ///
    /// - Parameters:
    ///   - emulators: The emulators, in the order in which pages show them.
    ///   - tokenChecks: The checks of a pasted token, which are the same as on a server. Without these checks (`nil`), a page
    ///     shows only the content of the token.
    ///   - kept: The place in which the sessions of browsers outlive the process. Default: none.
    ///   - options: The address, the port, and additional host names. `lockstep serve` uses port 4600.
    /// - Throws: `PortInUse`, or an error with a sentence if the address cannot be used.
    package init(
        _ emulators: [DashboardEmulator], checkingTokensBy tokenChecks: TokenChecks? = nil, keeping kept: KeptSessions? = nil,
        _ options: EmulatorOptions = .init()
    ) throws {
        let sessions = BrowserSessions(randomness: SystemRandomness(), clock: options.connectionClock, place: kept)
        self.sessions = sessions
        server = try PageServer(options, bodyLimit: 4 << 20) { port in
            sessions.serve(on: port)
            let admission = Admission(sessions: sessions, port: port) { token in
                emulators.contains { $0.server.controlCalls.isToken(token) }
            }
            return PageRoutes(
                emulators: emulators, tokenChecks: tokenChecks, admission: admission, clock: options.connectionClock
            ).router()
        }
        (base, port) = (server.base, server.port)
    }

    /// Creates a link that opens the dashboard in one browser, once.
    ///
    /// - Returns: The link. Keep the link as secret as a password until someone has used it.
    package func makeLink() -> Secret { Secret(base + "/?key=" + sessions.makeKey().reveal()) }

    /// Closes all connections, and waits until the thread of the server has ended.
    package func stop() { server.stop() }
}
