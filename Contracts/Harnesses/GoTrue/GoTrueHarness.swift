internal import Lockstep
@_exported public import LockstepContracts
internal import LockstepCurl
internal import LockstepEmulation
internal import LockstepEmulatorTestSupport
internal import LockstepGoTrue
internal import LockstepGoTrueEmulator
internal import LockstepHTTP
@_exported public import LockstepPrimitives
@_exported public import LockstepTestSupport

/// A harness for GoTrue's adapter on the emulator.
///
/// The harness adds an identity provider, and a function of the app's server that deletes accounts.
public struct GoTrueHarness: Harness {
    /// The name `gotrue`.
    ///
    /// A command can read the name without creating a harness, which would be slow.
    public static let name = "gotrue"

    /// The name `gotrue`.
    public var name: String { Self.name }

    /// The name `Supabase (GoTrue)`, for people.
    public static let title = "Supabase (GoTrue)"

    /// The name `Supabase (GoTrue)`, for people.
    public var title: String { Self.title }

    private let workers = Workers()
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
        issuerKeys = Prepared(on: workers) { try TokenIssuer.Keys() }
    }

    /// Three projects that differ in their settings.
    ///
    /// In the first project, users must confirm addresses, and a password change in an old session requires a code. The second
    /// project confirms addresses automatically. The third project has the settings of a new project on the hosted platform.
    public var variants: [Variant] {
        [
            Variant(
                "confirmed", "users must confirm their addresses, and a password change in an old session needs a code",
                behavior: Self.asking(GoTrueAdapter.behavior)),
            Variant(
                "automatic", "the project confirms addresses automatically",
                behavior: Self.asking(GoTrueAdapter.behaviorWhenConfirmingByItself)),
            Self.compared[0],
        ]
    }

    /// A new project of the hosted platform, then one project for each changed setting.
    ///
    /// All projects have the sign-in methods that the journeys need.
    public var comparedVariants: [Variant] { Self.compared }

    private static let compared = [
        Variant(
            "hosted",
            "a new project of the platform: its emails contain a link and no code, a password change needs no verification, and tokens are "
                + "signed with an asymmetric key; all sign-in methods of the journeys are turned on",
            behavior: GoTrueAdapter.behavior),
        Variant("codes", "emails also contain the code, with {{ .Token }} in the templates", behavior: GoTrueAdapter.behavior),
        Variant(
            "reauthentication", "a password change in an old session needs a code (secure password change)",
            behavior: asking(GoTrueAdapter.behavior)),
        Variant(
            "no-proof", "the project confirms addresses without an email (MAILER_AUTOCONFIRM)",
            behavior: GoTrueAdapter.behaviorWhenConfirmingByItself),
        Variant(
            "legacy-secret", "tokens are signed with a shared secret, as in older projects (GOTRUE_JWT_SECRET)",
            behavior: GoTrueAdapter.behavior),
    ]

    /// Returns the same behavior with secure password change.
    private static func asking(_ behavior: ProviderBehavior) -> ProviderBehavior {
        var behavior = behavior
        behavior.passwordChangeOnOldSession = .asksAgain
        return behavior
    }

    /// Returns the public example key of RFC 7517, appendix A.2, and the shared secret.
    ///
    /// The platform still verifies its API keys with the shared secret.
    private static func keys(beside secret: Secret) -> Secret {
        let elements: [JSON] = [
            [
                "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
                "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM", "d": "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE",
                "alg": "ES256", "kid": "platform", "use": "sig", "key_ops": ["sign", "verify"],
            ],
            [
                "kty": "oct", "k": .string(Base64.encode(Array(secret.reveal().utf8), .url)), "alg": "HS256",
                "key_ops": ["verify"],
            ],
        ]
        return Secret(JSON.array(elements).text())
    }

    private static let gateway = "/auth/v1"
    static let callback = "lockstep://auth/callback"
    private static let app = "com.example.app"

    /// The contracts that cannot be checked on this harness, each with the reason.
    public var cannotCheck: [String: String] {
        ["sign-in.step.unknown-status": "GoTrue's wire format has no names for steps"]
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
        let clock = ManualClock(base: time)
        options.clock = clock
        let identityProvider = try IssuerServer.start(publishing: keys.published, options)
        let settings = try Self.settings(variant, issuer: identityProvider.base)
        let project = try GoTrueEmulator.start(settings, options: options)
        let key = project.emulator.serviceRoleKey
        let team = try EmulatorServer(options) { _ in DeletionFunction(for: project.base, key: key, clock: clock) }
        let servers: [any RunningEmulator] = [project, team, identityProvider]
        do {
            let issuer = TokenIssuer(.apple, issuer: identityProvider.base, audience: Self.app, keys: keys, clock: clock)
            try await body(
                try environment(variant, project, team, issuer, identityProvider, key, settings))
        } catch {
            try await stop(servers)
            throw error
        }
        try await stop(servers)
    }

    private func stop(_ servers: [any RunningEmulator]) async throws {
        try await workers.run { for server in servers { server.stop() } }
    }

    /// What the adapter claims: GoTrue demands no new password and no field, and has no backup codes, organizations or photos.
    private static func expected(in variant: Variant) -> Set<Capability> {
        var expected: Set<Capability> = [
            .password, .emailLinkSignIn, .emailCodeSignIn, .phoneCode, .anonymous, .idToken, .oauth, .ticket, .passkey,
            .confirmationCode, .confirmationLink, .secondFactor, .captcha, .passwordReset, .displayName, .photo, .userMetadata,
            .passwordChange, .emailChange, .linking, .factorEnrolment, .passkeyManagement, .passkeyRenaming, .reauthentication,
            .accountDeletion, .signOutOthers, .signOutEverywhere,
        ]
        if !showsCodes(variant) { expected.subtract([.emailCodeSignIn, .confirmationCode]) }
        return expected
    }

    /// Returns whether the emails of a project contain a code.
    private static func showsCodes(_ variant: Variant) -> Bool { !compared.contains(variant) || variant.name == "codes" }

    private static func settings(_ variant: Variant, issuer: String) throws -> GoTrueSettings {
        // A production hash takes 50 milliseconds, and every contract gets a new environment.
        var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
        settings.allowedRedirects = [callback]
        settings.signIn.allowsAnonymous = true
        settings.signIn.allowsPhone = true
        settings.signIn.allowsManualLinking = true
        settings.passkeys.isEnabled = true
        settings.factors.phone.mayEnroll = true
        settings.factors.phone.mayVerify = true
        settings.factors.webAuthn.mayEnroll = true
        settings.factors.webAuthn.mayVerify = true
        if showsCodes(variant) {
            for purpose in ["CONFIRMATION", "RECOVERY", "MAGIC_LINK", "EMAIL_CHANGE"] {
                settings.mail.subjects[purpose] = "{{ .Token }} is your code"
            }
        }
        settings.mail.confirmsByItself = variant.behavior.signUpProof == .automatic
        settings.passwords.requiresReauthentication = variant.behavior.passwordChangeOnOldSession == .asksAgain
        if compared.contains(variant), variant.name != "legacy-secret" {
            settings.tokens.keys = keys(beside: settings.tokens.secret)
        }
        var apple = ProviderSettings(clients: [app], secret: "issuers-secret", issuer: issuer)
        apple.allowsNoEmail = true
        settings.providers["apple"] = apple
        return settings
    }

    private func environment(
        _ variant: Variant, _ project: EmulatorServer<GoTrueEmulator>, _ team: EmulatorServer<DeletionFunction>,
        _ issuer: TokenIssuer,
        _ identityProvider: EmulatorServer<IssuerServer>, _ key: Secret,
        _ settings: GoTrueSettings
    ) throws -> TestEnvironment {
        let clock = ManualClock(base: time)
        let cable = DisconnectableTransport(CurlTransport(), mount: Self.gateway)
        let trace = WireTrace(project.panel)
        // An app reaches a hosted project through the gateway, with the key that every copy of the app contains.
        var configuration = try GoTrueConfiguration(
            url: project.base + Self.gateway, key: project.emulator.anonKey, callback: Self.callback,
            accountDeletion: team.base + DeletionFunction.path)
        configuration.emailProofLife = .seconds(86_400)
        configuration.mailsShowCodes = Self.showsCodes(variant)
        // This deadline uses real time. Only requests that hang reach it.
        configuration.deadline = .seconds(600)
        let transport = TracingTransport(cable, clock: SystemClock(), trace: trace.trace)
        let launch = { @Sendable [configuration] in GoTrueAdapter(configuration, transport: transport, clock: clock) }
        let browser = LinkBrowser(callbacks: [try CallbackAddress(Self.callback)])
        return TestEnvironment(
            adapter: launch(), clock: clock, randomness: SystemRandomness(),
            publicLinkParameters: ["type", "redirect_to", "provider", "error_code"], outbox: Mailbox(project.panel),
            browser: browser, faults: WireFaults(project.panel, cable, forms: .goTrue, elsewhere: [.delete: team.panel]),
            administrator: GoTrueBackendAdministrator(
                base: project.base, key: key, switchMethodOff: { try project.emulator.switchOff($0) },
                endSessions: { try project.emulator.admin.revokeSessions(of: $0) },
                addAuthenticatorApp: { userID in
                    let factor = try project.emulator.admin.addFactor(DirectoryFactor(.authenticatorApp(secret: nil)), to: userID)
                    let app = AuthenticatorApp(secret: factor.secret?.reveal() ?? "")
                    return EnrolledFactor(.authenticatorApp) { Secret(app.code(at: project.panel.clock.now)) }
                }, askForCaptcha: { project.emulator.admin.change { $0.asksForCaptcha = true } },
                confirmAddress: { userID, isVerified in
                    var values = UserValues()
                    values.isEmailConfirmed = isVerified
                    try await project.emulator.admin.update(userID, values)
                }),
            backendClock: EmulatorTime(project.panel),
            trace: trace, issuer: issuer,
            proofTimes: ProofTimes(
                emailLife: settings.mail.codeLife, emailInterval: settings.mail.interval, smsLife: settings.sms.codeLife,
                smsInterval: settings.sms.interval, factorLife: settings.factors.challengeLife),
            identityPage: IssuerPage(server: identityProvider.emulator, provider: issuer.provider, browser: browser),
            passkeys: SoftwarePasskeys(), authenticators: EmulatorAuthenticators(project.panel),
            factory: Self.factory(configuration, administratorsKey: key, clock),
            expectedCapabilities: Self.expected(in: variant), nextLaunch: launch)
    }

    private static func factory(
        _ configuration: GoTrueConfiguration, administratorsKey: Secret, _ clock: ManualClock
    ) -> AdapterFactory {
        AdapterFactory { entry throws(AuthError) in
            func adapter(url: String, key: String? = nil, callback: String = Self.callback) throws(AuthError) -> GoTrueAdapter {
                GoTrueAdapter(
                    try GoTrueConfiguration(url: url, key: key ?? configuration.key, callback: callback),
                    transport: CurlTransport(), clock: clock)
            }
            guard case .mistake(let mistake) = entry else {
                return try adapter(url: entry == .sameProject ? configuration.url : configuration.url + "/other")
            }
            return switch mistake {
            case .malformedAddress, .insecureAddress: try adapter(url: mistake.example)
            case .emptyKey, .paddedKey: try adapter(url: configuration.url, key: mistake.example)
            case .administratorsKey: try adapter(url: configuration.url, key: administratorsKey.reveal())
            case .malformedCallback, .scriptCallback, .fileCallback, .callbackWithoutScheme:
                try adapter(url: configuration.url, callback: mistake.example)
            }
        }
    }
}

extension GoTrueEmulator {
    /// Turns off a sign-in method of the project.
    fileprivate func switchOff(_ capability: Capability) throws {
        switch capability {
        case .password: admin.change { $0.signIn.allowsEmail = false }
        case .emailLinkSignIn: admin.change { $0.signIn.allowsMagicLink = false }
        case .anonymous: admin.change { $0.signIn.allowsAnonymous = false }
        case .phoneCode: admin.change { $0.signIn.allowsPhone = false }
        case .idToken: admin.change { $0.providers["apple"]?.isEnabled = false }
        default: throw EnvironmentError("GoTrue has no switch for \(capability.rawValue).")
        }
    }
}
