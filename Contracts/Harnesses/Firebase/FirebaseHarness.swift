internal import Lockstep
public import LockstepContracts
internal import LockstepCurl
internal import LockstepEmulation
internal import LockstepEmulatorTestSupport
internal import LockstepFirebase
internal import LockstepFirebaseEmulator
internal import LockstepHTTP
@_exported public import LockstepPrimitives
@_exported public import LockstepTestSupport
internal import LockstepTokens

/// A harness for Firebase's adapter on the emulator.
///
/// The emulator runs in strict mode, with the rules of production. The harness adds an identity provider and a server of the app.
/// That server issues tickets, and has a function that ends sessions.
public struct FirebaseHarness: Harness {
    /// The name `firebase`.
    ///
    /// A command can read the name without creating a harness, which would be slow.
    public static let name = "firebase"

    /// The name `firebase`.
    public var name: String { Self.name }

    /// The name `Firebase`, for people.
    public static let title = "Firebase"

    /// The name `Firebase`, for people.
    public var title: String { Self.title }

    private let workers = Workers()
    private let signingKey: Prepared<SigningKey>
    private let issuerKeys: Prepared<TokenIssuer.Keys>
    /// The key of the service account with which the app's server signs tickets.
    private let accountKey: Prepared<SigningKey>

    private let time: any DeviceClock

    /// Creates a harness.
    ///
    /// The harness creates the keys when it first needs them. All environments share them.
    ///
    /// - Parameter time: The clock that the clocks of all environments follow. By default, a clock changes only if a check moves
    ///   it.
    public init(time: any DeviceClock = FixedClock()) {
        self.time = time
        signingKey = Prepared(on: workers) { try FirebaseSettings.makeSigningKey() }
        issuerKeys = Prepared(on: workers) { try TokenIssuer.Keys() }
        accountKey = Prepared(on: workers) { try .makeRSA(id: "service-account") }
    }

    /// A project with enumeration protection, like new projects, and a project without it, like old projects.
    ///
    /// The first project also enforces a password policy.
    public var variants: [Variant] {
        [
            Variant(
                "protected", "addresses are protected against enumeration, as in new projects, and a password policy is enforced",
                behavior: FirebaseAdapter.behavior
            ),
            Variant(
                "open", "addresses are not protected, as in older projects", behavior: FirebaseAdapter.behaviorWithoutProtection),
        ]
    }

    /// The contracts that cannot be checked on this harness, each with the reason.
    public var cannotCheck: [String: String] {
        [
            "sign-in.step.unknown-status": "Firebase's wire format has no names for steps",
            "always.waits-tell-truth": "Firebase reports neither the expiry of a link nor the time of the next message",
        ]
    }

    /// Sets up a new project, and passes its environment to a closure.
    ///
    /// - Parameters:
    ///   - variant: The configuration of the project.
    ///   - body: The closure that receives the environment.
    /// - Throws: The error that `body` throws, or an error of the setup.
    public func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        let keys = try await issuerKeys.value
        var options = EmulatorOptions()
        options.workers = workers
        let backendClock = ManualClock(base: time)
        options.clock = backendClock
        let identityProvider = try IssuerServer.start(publishing: keys.published, signing: keys, options)
        let issuer = TokenIssuer(
            .apple, issuer: identityProvider.base, audience: "com.example.app", keys: keys, clock: backendClock)
        let account = try await accountKey.value
        var settings = Self.settings(variant, signingKey: try await signingKey.value, issuer: issuer, keys: keys)
        settings.customTokenKeys = JSONWebKeySet(publishing: [account]).json
        let server = try FirebaseEmulator.start(settings, options)
        let team = try EmulatorServer(options) { [project = settings.project] _ in
            SessionEndingFunction(for: server.base, project: project, clock: backendClock)
        }
        let servers: [any RunningEmulator] = [server, team, identityProvider]
        do {
            try await body(try environment(server, team, issuer, identityProvider, account))
        } catch {
            try await stop(servers)
            throw error
        }
        try await stop(servers)
    }

    private func stop(_ servers: [any RunningEmulator]) async throws {
        try await workers.run { for server in servers { server.stop() } }
    }

    /// What the adapter claims with every feature of its configuration, but without a function that ends sessions.
    static let expected: Set<Capability> = [
        .password, .emailLinkSignIn, .phoneCode, .anonymous, .idToken, .oauth, .ticket, .passkey, .confirmationLink,
        .poll, .secondFactor, .captcha, .passwordReset, .displayName, .photo, .passwordChange, .emailChange,
        .linking, .factorEnrolment, .passkeyManagement, .reauthentication, .accountDeletion,
    ]

    /// The parameters of Firebase's links, except the code.
    static let publicLinkParameters: Set<String> = ["apiKey", "mode", "lang", "continueUrl"]

    /// The identity provider for redirects.
    private static let roundTrips = IdentityProvider(rawValue: "oidc.acme")

    private static func settings(
        _ variant: Variant, signingKey: SigningKey, issuer: TokenIssuer, keys: TokenIssuer.Keys
    ) -> FirebaseSettings {
        var settings = FirebaseSettings(mode: .strict)
        settings.signingKey = signingKey
        settings.methods = .all
        settings.protectsEmails = variant.behavior.unknownAddressAtSignIn != .told
        // One variant has a policy with a maximum length: 6 to 4,096 characters. The other variant has no policy.
        settings.passwordPolicy.isEnforced = settings.protectsEmails
        settings.authorizedDomains = ["app.example.com"]
        settings.identityProviders["apple.com"] = TrustedIssuer(
            issuer: issuer.issuer, audiences: [issuer.audience], keys: keys.published)
        // Apple's page returns its response by POST, and this does not complete a redirect of an app. So redirects use another
        // provider.
        settings.identityProviders[roundTrips.rawValue] = TrustedIssuer(
            issuer: issuer.issuer, audiences: [issuer.audience], keys: keys.published,
            client: ProviderClient(
                authorization: issuer.issuer + "/protocol/openid-connect/auth",
                token: issuer.issuer + "/protocol/openid-connect/token", id: issuer.audience,
                secret: "issuers-secret"))
        // A production hash takes 50 milliseconds, and every contract gets a new environment.
        settings.hashing.memoryCost = 4
        return settings
    }

    private func environment(
        _ server: EmulatorServer<FirebaseEmulator>, _ team: EmulatorServer<SessionEndingFunction>, _ issuer: TokenIssuer,
        _ identityProvider: EmulatorServer<IssuerServer>, _ account: SigningKey
    ) throws -> TestEnvironment {
        let clock = ManualClock(base: time)
        let cable = DisconnectableTransport(CurlTransport())
        let trace = WireTrace(server.panel)
        var configuration = try FirebaseConfiguration(
            url: server.base, key: server.emulator.settings.apiKey, callback: "https://app.example.com/callback",
            actionLinks: server.base + "/__/auth/action", sessionEnding: team.base + SessionEndingFunction.path)
        configuration.hasPasskeys = true
        // This deadline uses real time. Only requests that hang reach it.
        configuration.deadline = .seconds(600)
        let transport = TracingTransport(cable, clock: SystemClock(), trace: trace.trace)
        let launch = { @Sendable [configuration] in FirebaseAdapter(configuration, transport: transport, clock: clock) }
        let browser = LinkBrowser(callbacks: configuration.addresses, confirmation: ActionPagePerson.confirm)
        var administrator = FirebaseBackendAdministrator(
            base: server.base, project: server.emulator.settings.project,
            makeTicket: { userID in
                try TokenWriter.sign(FirebaseBackendAdministrator.ticket(for: userID, at: server.panel.clock.now), with: account)
            },
            switchMethodOff: { capability in
                let methods = try SignInMethods(switchedBy: capability)
                try server.emulator.admin.change { $0.methods.remove(methods) }
            })
        administrator.askForCaptcha = {
            try server.emulator.admin.change { $0.asksForCaptcha = true }
            return Secret(FirebaseSettings.captchaToken)
        }
        return TestEnvironment(
            adapter: launch(), clock: clock, randomness: SystemRandomness(),
            publicLinkParameters: Self.publicLinkParameters, outbox: Mailbox(server.panel), browser: browser,
            faults: WireFaults(server.panel, cable, forms: .firebase, elsewhere: [.signOut: team.panel]),
            administrator: administrator,
            backendClock: EmulatorTime(server.panel), trace: trace, issuer: issuer,
            // Firebase does not report when a link expires. It does not limit the time between two messages.
            proofTimes: ProofTimes(smsLife: server.emulator.settings.lifetimes.textMessage),
            identityPage: IssuerPage(server: identityProvider.emulator, provider: Self.roundTrips, browser: browser),
            passkeys: SoftwarePasskeys(), authenticators: EmulatorAuthenticators(server.panel),
            factory: .firebase(server.base, apiKey: server.emulator.settings.apiKey, clock),
            expectedCapabilities: Self.expected.union([.signOutEverywhere]), nextLaunch: launch)
    }
}

extension AdapterFactory {
    /// Returns a factory of adapters for the server at `base`.
    static func firebase(_ base: String, apiKey: String, _ clock: ManualClock) -> AdapterFactory {
        AdapterFactory { entry throws(AuthError) in
            func adapter(key: String? = nil, server: String? = nil, callback: String? = nil) throws(AuthError) -> FirebaseAdapter
            {
                FirebaseAdapter(
                    try FirebaseConfiguration(url: server ?? base, key: key ?? apiKey, callback: callback),
                    transport: CurlTransport(), clock: clock)
            }
            guard case .mistake(let mistake) = entry else {
                return try adapter(key: entry == .sameProject ? nil : "key-of-another-project")
            }
            return switch mistake {
            case .malformedAddress, .insecureAddress: try adapter(server: mistake.example)
            case .emptyKey, .paddedKey: try adapter(key: mistake.example)
            // An access token of Google's OAuth, which only servers have.
            case .administratorsKey: try adapter(key: "ya29.a0-example")
            case .malformedCallback, .scriptCallback, .fileCallback, .callbackWithoutScheme:
                try adapter(callback: mistake.example)
            }
        }
    }
}

extension SignInMethods {
    /// Returns the console's switch for a capability.
    fileprivate init(switchedBy capability: Capability) throws {
        switch capability {
        case .password: self = .password
        case .emailLinkSignIn: self = .emailLink
        case .anonymous: self = .anonymous
        case .idToken, .oauth: self = .identityProvider
        case .phoneCode: self = .phone
        case .passkey: self = .passkey
        default: throw EnvironmentError("Firebase has no switch for \(capability.rawValue).")
        }
    }
}
