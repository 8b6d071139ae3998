public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// The other servers of a GoTrue of the recordings: an OpenID issuer, and a receiver of its send-SMS hook.
public struct SideServers: Sendable {
    /// Both servers, for stopping.
    public let running: [any RunningEmulator]
    /// The issuer's address.
    public let issuer: String
    /// The hook's address, without its path.
    public let hook: String

    /// Starts both.
    ///
    /// Port 0 means a free one.
    init(issuerPort: UInt16, hookPort: UInt16, issuerKey: SigningKey) throws {
        var options = EmulatorOptions()
        options.port = issuerPort
        let issuer = try EmulatorServer(options) { RecordedIssuer($0, key: issuerKey) }
        options.port = hookPort
        do {
            let hook = try EmulatorServer(options) { _ in FaultyHook() }
            running = [issuer, hook]
            self.issuer = issuer.base + RecordedIssuer.path
            self.hook = hook.base
        } catch {
            issuer.stop()
            throw error
        }
    }

    /// Stops both.
    public func stop() {
        for server in running { server.stop() }
    }
}
