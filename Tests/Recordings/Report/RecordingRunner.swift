internal import LockstepCurl
internal import LockstepHTTP
public import LockstepPrimitives
internal import LockstepTokens

/// Repeats recordings: with the emulators, each with a new one, or with a running server.
public struct RecordingRunner: Sendable {
    private let transport = CurlTransport()
    private let issuerKey: SigningKey
    private let settings: String
    private let randomness: any Randomness
    private let server: TestedServer?

    /// - `server`: the server to use; `nil` starts an emulator for each recording.
    /// - `settings`: the folder with GoTrue's configurations.
    ///
    /// Throws if the test issuer's key cannot be generated.
    public init(
        server: TestedServer? = nil, settings: String = Fixtures.settings, randomness: any Randomness = SystemRandomness()
    ) throws {
        issuerKey = try SigningKey.makeRSA(id: "test-issuer-1")
        self.server = server
        self.settings = settings
        self.randomness = randomness
    }

    /// Starts the issuer and the hook where the settings of a running server expect them.
    public func startSideServers(issuerPort: UInt16, hookPort: UInt16) throws -> SideServers {
        try SideServers(issuerPort: issuerPort, hookPort: hookPort, issuerKey: issuerKey)
    }

    /// Repeats a recording.
    public func run(_ recording: Recording) async -> Outcome {
        let differences: [Difference]
        if let server {
            differences = await self.differences(recording, server)
        } else {
            do {
                let servers = try EmulatedServers(for: recording, settings: settings, issuerKey: issuerKey)
                defer { servers.stop() }
                differences = await self.differences(recording, servers.tested)
            } catch {
                return .unusable("\(error)")
            }
        }
        guard let reason = Declined.reason(recording) else { return differences.isEmpty ? .matched : .differs(differences) }
        return differences.isEmpty ? .matchedThoughDeclined(reason) : .declined(reason, differences)
    }

    private func differences(_ recording: Recording, _ server: TestedServer) async -> [Difference] {
        await Replay.differences(recording, with: server, over: transport, issuerKey: issuerKey, randomness: randomness)
    }
}
