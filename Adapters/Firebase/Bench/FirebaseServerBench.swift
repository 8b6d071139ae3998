internal import Lockstep
public import LockstepContracts
internal import LockstepCurl
internal import LockstepFirebase
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepStaging

/// Sets up Firebase's adapter against a server that somebody else has started: the Auth emulator of firebase-tools.
///
/// It has one project for all, so its stages come one after the other. What it does not do is not checked: it refuses no expired
/// or badly signed token, has no switches for methods, and cannot be made to fail. Its clock is moved where the server has the
/// route `/__tick?seconds=…`.
public struct FirebaseServerBench: Bench {
    /// `firebase-server`.
    public let name = "firebase-server"

    private let base: String
    private let project: String
    private let turn = Turn()
    private let transport = CurlTransport()

    /// A bench on the server at `base`, such as `http://127.0.0.1:9099`.
    public init(base: String, project: String) {
        self.base = base
        self.project = project
    }

    /// With the protection of addresses and without it.
    public var variants: [Variant] {
        func here(_ conduct: Conduct) -> Conduct {
            var conduct = conduct
            conduct.nonce = .ignored
            conduct.accessTokenAfterSignOut = .lives
            // It knows no refresh token that has ended but with its user.
            conduct.sessionOfDeletedUser = .revoked
            conduct.endedSession = .goesOn
            conduct.sessionAfterNewPassword = .goesOn
            return conduct
        }
        return [
            Variant(
                "open", "addresses are not protected, as the emulator starts",
                conduct: here(FirebaseAdapter.conductWithoutProtection)),
            Variant("protected", "addresses are protected against enumeration", conduct: here(FirebaseAdapter.conduct)),
        ]
    }

    /// Empties the project and hands it out, when no other stage has it.
    public func withStage(_ variant: Variant, _ body: @Sendable (Stage) async throws -> Void) async throws {
        await turn.take()
        do {
            try await reset(protecting: variant.conduct.unknownAddressAtSignIn != .told)
            try await body(try stage())
        } catch {
            await turn.give()
            throw error
        }
        await turn.give()
    }

    private func reset(protecting isProtected: Bool) async throws {
        _ = try? await transport.send(HTTPRequest(.get, base + "/__reset"))
        let config: JSON = ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(isProtected)]]
        for request in [
            HTTPRequest(.delete, "\(base)/emulator/v1/projects/\(project)/accounts"),
            HTTPRequest(.patch, "\(base)/emulator/v1/projects/\(project)/config", body: .json(config)),
        ] {
            let answer = try await transport.send(request)
            guard answer.isSuccess else { throw StageError("The server at \(base) answers \(answer.status) when it is reset.") }
        }
    }

    private func stage() throws -> Stage {
        let clock = MovableClock(base: SystemClock())
        let trace = HTTPTrace(limit: 1024)
        let configuration = try FirebaseConfiguration(
            apiKey: "fake-api-key", callback: "http://localhost/callback", actionLinks: base + "/emulator/action", emulator: base)
        let adapter = FirebaseAdapter(
            configuration, transport: TracingTransport(transport, clock: SystemClock(), trace: trace), clock: clock)
        return Stage(
            adapter: adapter, clock: clock, randomness: SystemRandomness(), callbacks: configuration.addresses,
            outbox: OobCodes(base: base, project: project), browser: LinkBrowser(callbacks: configuration.addresses),
            sideDoor: FirebaseSideDoor(base: base, project: project), backendClock: ServerTime(base: base),
            trace: ClientTrace(trace), issuer: OpenIssuer(clock: clock))
    }
}

/// Lets one at a time go on, in the order of asking.
private actor Turn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func give() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
