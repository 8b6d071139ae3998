internal import Lockstep
@_exported public import LockstepContracts
internal import LockstepCurl
internal import LockstepEmulatorTestSupport
internal import LockstepFirebase
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTestSupport
internal import LockstepTokens

/// A harness for Firebase's adapter on a running server: the Auth emulator of firebase-tools.
///
/// The harness creates users, and removes them when an environment ends. If `erases` is `false`, the harness does not change
/// existing users, and hides them from contracts. All environments share one project, so they run one after another.
///
/// Some checks are left out. The server accepts expired and badly signed tokens, cannot turn off sign-in methods, and cannot
/// return errors on request. The clock of the server can be moved if the server has the route `/__tick?seconds=…`.
public struct FirebaseServerHarness: Harness {
    /// The name `firebase-server`.
    public let name = "firebase-server"

    /// The name `Firebase (server)`, for people.
    public let title = "Firebase (server)"

    private let base: String
    private let project: String
    private let erases: Bool
    private let turn = Turn()
    private let transport = CurlTransport()

    /// Creates a harness for a running server.
    ///
    /// - Parameters:
    ///   - base: The URL of the server, such as `http://127.0.0.1:9099`.
    ///   - project: The name of the project.
    ///   - erases: Whether every environment first deletes all users of the project. Default: `false`.
    public init(base: String, project: String, erases: Bool = false) {
        self.base = base
        self.project = project
        self.erases = erases
    }

    /// A project with enumeration protection, and a project without it.
    public var variants: [Variant] {
        func here(_ behavior: ProviderBehavior) -> ProviderBehavior {
            var behavior = behavior
            behavior.nonce = .ignored
            behavior.accessTokenAfterSignOut = .lives
            // The server ends a refresh token only when it deletes the user.
            behavior.sessionOfDeletedUser = .revoked
            behavior.endedSession = .goesOn
            behavior.sessionAfterNewPassword = .goesOn
            behavior.sessionsAfterPasswordChange = .goesOn
            behavior.sessionAfterAddressChange = .goesOn
            behavior.sessionAfterReset = .goesOn
            return behavior
        }
        return [
            Variant(
                "open", "addresses are not protected, which is the default of the emulator",
                behavior: here(FirebaseAdapter.behaviorWithoutProtection)),
            Variant("protected", "addresses are protected against enumeration", behavior: here(FirebaseAdapter.behavior)),
        ]
    }

    /// The contracts that cannot be checked on this server, each with the reason.
    public var cannotCheck: [String: String] {
        Catalog.needing(.faults, "this server cannot make requests fail").merging(
            Catalog.needing(.clock, "this server's clock moves only if it has the route `/__tick`")
        ) { first, _ in first }.merging(
            Catalog.needing(.identityPage, "this server has no pages of identity providers (createAuthUri returns 501)")
        ) { first, _ in first }.merging(
            Catalog.needing(.authenticators, "this server has no second factors by time-based codes")
        ) { first, _ in first }.merging([
            "sign-in.password.switched-off": "this server has no settings for sign-in methods",
            "sign-in.id-token.bad-signature": "this server accepts any ID token, even a flawed one",
            "sign-in.id-token.wrong-audience-or-issuer": "this server accepts any ID token, even a flawed one",
            "sign-in.id-token.expired": "this server accepts any ID token, even a flawed one",
            "sign-in.password.unverified-is-a-step": "this server's clock moves only if it has the route `/__tick`",
            "sign-up.captcha.step": "this server does not require a captcha",
            "sign-up.captcha.forgotten": "this server does not require a captcha",
            "sign-up.captcha.once": "this server does not require a captcha",
            "sign-up.captcha.identity": "this server does not require a captcha",
            "sign-in.captcha.step": "this server does not require a captcha",
            "sign-in.step.unknown-status": "Firebase's wire format has no names for steps",
        ]) { first, _ in first }
    }

    /// Waits until no other environment uses the project, calls a closure with a new environment, and restores the project.
    ///
    /// - Parameters:
    ///   - variant: The configuration of the project.
    ///   - body: The closure that receives the environment.
    /// - Throws: The error that `body` throws, or an error of the setup.
    public func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        await turn.take()
        do {
            try await withProject(variant, body)
        } catch {
            await turn.give()
            throw error
        }
        await turn.give()
    }

    private func withProject(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        let server = FirebaseBackendAdministrator(base: base, project: project, makeTicket: Self.ticket)
        let config = try await config()
        if erases {
            _ = try? await transport.send(HTTPRequest(.get, base + "/__reset"))
            _ = try await ask(HTTPRequest(.delete, "\(base)/emulator/v1/projects/\(project)/accounts"))
        }
        try await protect(variant.behavior.unknownAddressAtSignIn != .told)
        let users = OwnUsers(former: try await server.users().map(\.id))
        let messages = try await OobCodes(base: base, project: project)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(try environment(users, messages)))
        } catch {
            outcome = .failure(error)
        }
        try await server.delete(users.made)
        try await protect(config["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"]?.bool ?? false)
        try outcome.get()
    }

    /// Returns the configuration of the project.
    ///
    /// Only an emulator has this route, and the suite must not run on another server.
    private func config() async throws -> JSON {
        try JSON.parse(try await ask(HTTPRequest(.get, "\(base)/emulator/v1/projects/\(project)/config")).body)
    }

    private func protect(_ isProtected: Bool) async throws {
        let config: JSON = ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(isProtected)]]
        _ = try await ask(HTTPRequest(.patch, "\(base)/emulator/v1/projects/\(project)/config", body: .json(config)))
    }

    private func ask(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await transport.send(request)
        guard response.isSuccess else {
            throw HarnessFailure(
                "The server at \(base) returned \(response.status) to \(request.method.rawValue) \(request.url). Is it an Auth emulator?"
            )
        }
        return response
    }

    /// Returns an unsigned ticket, because this server does not verify signatures.
    private static func ticket(for userID: String) -> String {
        TokenWriter.unsigned(FirebaseBackendAdministrator.ticket(for: userID, at: SystemClock().now))
    }

    private func environment(_ users: OwnUsers, _ messages: OobCodes) throws -> TestEnvironment {
        let clock = ManualClock(base: SystemClock())
        let trace = HTTPTrace(limit: 1024)
        var configuration = try FirebaseConfiguration(
            url: base, key: "fake-api-key", callback: "http://localhost/callback", actionLinks: base + "/emulator/action")
        configuration.hasPasskeys = true
        let watched = OwnUsersTransport(transport, users)
        let traced = TracingTransport(watched, clock: SystemClock(), trace: trace)
        let launch = { @Sendable [configuration] in FirebaseAdapter(configuration, transport: traced, clock: clock) }
        return TestEnvironment(
            adapter: launch(), clock: clock, randomness: SystemRandomness(),
            publicLinkParameters: FirebaseHarness.publicLinkParameters, outbox: messages,
            browser: LinkBrowser(callbacks: configuration.addresses),
            administrator: FirebaseBackendAdministrator(
                base: base, project: project, users: users, transport: watched, makeTicket: Self.ticket),
            backendClock: ServerTime(base: base), trace: ClientTrace(trace), issuer: OpenIssuer(clock: clock),
            proofTimes: ProofTimes(), passkeys: SoftwarePasskeys(), factory: .firebase(base, apiKey: configuration.key, clock),
            expectedCapabilities: FirebaseHarness.expected, nextLaunch: launch)
    }
}

/// A queue that lets one task at a time continue, in the order of arrival.
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
