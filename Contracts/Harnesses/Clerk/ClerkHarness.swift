internal import Lockstep
internal import LockstepClerk
internal import LockstepClerkEmulator
@_exported public import LockstepContracts
internal import LockstepCurl
internal import LockstepEmulation
internal import LockstepEmulatorTestSupport
internal import LockstepHTTP
@_exported public import LockstepPrimitives
@_exported public import LockstepTestSupport
internal import LockstepTokens

/// A harness for Clerk's adapter on the emulator.
///
/// The emulator acts as a development instance with the API for native apps.
public struct ClerkHarness: Harness {
    /// The name `clerk`.
    ///
    /// A command can read the name without creating a harness, which would be slow.
    public static let name = "clerk"

    /// The name `clerk`.
    public var name: String { Self.name }

    /// The name `Clerk`, for people.
    public static let title = "Clerk"

    /// The name `Clerk`, for people.
    public var title: String { Self.title }

    private let workers = Workers()
    private let signingKey: Prepared<SigningKey>
    private let issuerKeys: Prepared<TokenIssuer.Keys>

    private let time: any DeviceClock

    /// Creates a harness.
    ///
    /// The harness creates the keys when it first needs them. All environments share them.
    ///
    /// - Parameter time: The clock that the clocks of all environments follow. By default, a clock changes only if a check moves
    ///   it.
    public init(time: any DeviceClock = FixedClock()) {
        self.time = time
        signingKey = Prepared(on: workers) { try SigningKey.makeRSA(id: "ins_lockstep") }
        issuerKeys = Prepared(on: workers) { try TokenIssuer.Keys() }
    }

    /// The usual instance, and one instance for each of three settings that change the app's behavior.
    public var variants: [Variant] { Self.configurations.map(\.variant) }

    /// A new instance of the platform, then one instance for each changed setting.
    public var comparedVariants: [Variant] { Self.compared.map(\.variant) }

    /// Sets up a new instance, and passes its environment to a closure.
    ///
    /// - Parameters:
    ///   - variant: The configuration of the instance.
    ///   - body: The closure that receives the environment.
    /// - Throws: The error that `body` throws, or an error of the setup.
    public func withEnvironment(_ variant: Variant, _ body: @Sendable (TestEnvironment) async throws -> Void) async throws {
        guard let configuration = (Self.configurations + Self.compared).first(where: { $0.variant == variant }) else {
            throw HarnessFailure("There is no variant \(variant.name).")
        }
        let keys = try await issuerKeys.value
        var options = EmulatorOptions()
        options.workers = workers
        let backendClock = ManualClock(base: time)
        options.clock = backendClock
        let issuer = TokenIssuer(
            .apple, issuer: "https://appleid.apple.com", audience: "com.example.app", keys: keys, clock: backendClock)
        var settings = try configuration.settings
        settings.providers = [
            LockstepClerkEmulator.IdentityProvider(
                name: "apple", issuer: issuer.issuer, audiences: [issuer.audience], keys: keys.published)
        ]
        let server = try ClerkEmulator.start(settings, options, signingKey: try await signingKey.value)
        do {
            try await body(try environment(server, issuer, settings))
        } catch {
            try await workers.run { server.stop() }
            throw error
        }
        try await workers.run { server.stop() }
    }

    private func environment(
        _ server: EmulatorServer<ClerkEmulator>, _ issuer: TokenIssuer, _ settings: ClerkSettings
    ) throws -> TestEnvironment {
        let clock = ManualClock(base: time)
        let cable = DisconnectableTransport(CurlTransport())
        let trace = WireTrace(server.panel)
        var configuration = try ClerkConfiguration(
            url: server.base, key: server.emulator.publishableKey, callback: "https://app.example.com/callback",
            confirmsByLink: settings.emailVerification == [.link])
        // This deadline uses real time. Only requests that hang reach it.
        configuration.deadline = .seconds(600)
        let callbacks = [configuration.callback].compactMap(\.self)
        let transport = TracingTransport(cable, clock: SystemClock(), trace: trace.trace)
        let launch = { @Sendable [configuration] in ClerkAdapter(configuration, transport: transport, clock: clock) }
        let browser = LinkBrowser(callbacks: callbacks)
        return TestEnvironment(
            adapter: launch(), clock: clock, randomness: SystemRandomness(),
            // A nonce is only part of the next request's URL (Clerk's Frontend API, GET client/sign_ins/{id}).
            publicLinkParameters: [
                "redirect_url", "__clerk_status", "__clerk_created_session", "rotating_token_nonce",
            ],
            outbox: Mailbox(server.panel),
            browser: browser, faults: WireFaults(server.panel, cable, forms: .clerk),
            administrator: ClerkBackendAdministrator(server), backendClock: EmulatorTime(server.panel), trace: trace,
            issuer: issuer,
            // Clerk documents ten minutes for codes and links. It documents no minimum time between two messages.
            proofTimes: ProofTimes(
                emailLife: settings.codeLifetime, smsLife: settings.codeLifetime, factorLife: settings.codeLifetime),
            identityPage: ClerkPage(provider: issuer.provider, browser: browser),
            passkeys: SoftwarePasskeys(), authenticators: EmulatorAuthenticators(server.panel),
            factory: Self.factory(server.base, server.emulator.publishableKey, server.emulator.secretKey, clock),
            expectedCapabilities: Self.expected(confirmingByLink: configuration.confirmsByLink),
            nextLaunch: launch)
    }

    /// What the adapter claims: Clerk has no anonymous users.
    private static func expected(confirmingByLink: Bool) -> Set<Capability> {
        var expected: Set<Capability> = [
            .password, .emailLinkSignIn, .emailCodeSignIn, .phoneCode, .idToken, .oauth, .ticket, .passkey, .confirmationCode,
            .secondFactor, .backupCode, .newPasswordStep, .requirements, .captcha, .passwordReset, .displayName, .photoUpload,
            .userMetadata, .passwordChange, .emailChange, .linking, .factorEnrolment, .backupCodeRenewal, .passkeyManagement,
            .passkeyRenaming, .organizations, .reauthentication, .accountDeletion, .signOutOthers, .signOutEverywhere,
        ]
        if confirmingByLink {
            expected.subtract([.confirmationCode, .emailChange])
            expected.insert(.confirmationLink)
        }
        return expected
    }

    private static func factory(
        _ base: String, _ publishableKey: String, _ secretKey: Secret, _ clock: ManualClock
    ) -> AdapterFactory {
        AdapterFactory { entry throws(AuthError) in
            func adapter(key: String? = nil, proxy: String? = nil, callback: String? = nil) throws(AuthError) -> ClerkAdapter {
                ClerkAdapter(
                    try ClerkConfiguration(url: proxy ?? base, key: key ?? publishableKey, callback: callback),
                    transport: CurlTransport(), clock: clock)
            }
            guard case .mistake(let mistake) = entry else {
                return try adapter(proxy: entry == .sameProject ? nil : base + "/other")
            }
            return switch mistake {
            case .malformedAddress, .insecureAddress: try adapter(proxy: mistake.example)
            case .emptyKey, .paddedKey: try adapter(key: mistake.example)
            case .administratorsKey: try adapter(key: secretKey.reveal())
            case .malformedCallback, .scriptCallback, .fileCallback, .callbackWithoutScheme:
                try adapter(callback: mistake.example)
            }
        }
    }
}
