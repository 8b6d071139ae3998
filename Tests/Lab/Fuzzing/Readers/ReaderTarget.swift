internal import Lockstep
internal import LockstepClerk
internal import LockstepClerkEmulator
internal import LockstepCurl
internal import LockstepEmulation
internal import LockstepFirebase
internal import LockstepFirebaseEmulator
internal import LockstepGoTrue
internal import LockstepGoTrueEmulator
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTestSupport

/// An adapter under test, with genuine responses of its emulator.
struct ReaderTarget: Sendable {
    static let callback = "https://app.example.com/callback"

    /// The adapter on a transport, at the time of a clock.
    let adapter: @Sendable (any HTTPTransport, any DeviceClock, any Randomness) throws -> any AuthAdapter
    let recorded: RecordedResponses
    /// Links that open an app.
    let links: [String]

    /// Runs the script with an emulator over real HTTP, and stores every response.
    init(
        _ server: any RunningEmulator, links: [String],
        adapter: @escaping @Sendable (any HTTPTransport, any DeviceClock, any Randomness) throws -> any AuthAdapter
    ) async throws {
        defer { server.stop() }
        let clock = ManualClock(base: FixedClock())
        let transport = RecordingTransport(CurlTransport())
        let client = AuthClient(
            adapter: try adapter(transport, clock, SeededRandomness(seed: 1)), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SeededRandomness(seed: 1))
        )
        let outbox = server.panel.outbox
        var hand = ReaderHand(client: client, dice: Dice(seed: 1))
        hand.links = links
        hand.message = {
            let (mail, text) = (outbox.mails.first, outbox.shortMessages.first)
            if let text, text.date >= mail?.date ?? .distantPast { return (text.code, nil) }
            return (mail?.code, mail?.link)
        }
        for (place, call) in ReaderCall.script.enumerated() {
            do throws(AuthError) { try await hand.do(call) } catch {
                // An error is a response like any other.
            }
            // Tokens expire, and intervals between messages pass.
            let time = Duration.seconds(place % 7 == 3 ? 4000 : 61)
            clock.advance(by: time)
            server.panel.advance(by: time)
        }
        self.adapter = adapter
        self.links = links + outbox.mails.compactMap(\.link)
        recorded = transport.answers
    }

    static func of(_ provider: String) async throws -> ReaderTarget {
        switch provider {
        case "gotrue": try await goTrue()
        case "firebase": try await firebase()
        case "clerk": try await clerk()
        default: throw FuzzError("there is no adapter \(provider)")
        }
    }

    private static func goTrue() async throws -> ReaderTarget {
        var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
        settings.allowedRedirects = [callback]
        settings.signIn.allowsAnonymous = true
        settings.signIn.allowsPhone = true
        settings.signIn.allowsManualLinking = true
        settings.passkeys.isEnabled = true
        settings.factors.phone = settings.factors.totp
        let server = try GoTrueEmulator.start(settings, options: .fuzzed(1))
        let base = server.base
        let id = "11111111-1111-4111-8111-111111111111"
        return try await ReaderTarget(
            server,
            links: [
                "?code=\(id)", "?token_hash=abc&type=magiclink", "?token_hash=abc&type=email_change", "?message=Confirmation",
                "?error=access_denied&error_code=otp_expired&error_description=It+has+ended", "#access_token=a&refresh_token=b",
            ].map { callback + $0 }
        ) { transport, clock, randomness in
            GoTrueAdapter(
                try GoTrueConfiguration(
                    url: base, key: nil, callback: callback, accountDeletion: base + "/user"), transport: HTTPRelay(transport),
                clock: clock, randomness: randomness)
        }
    }

    private static func firebase() async throws -> ReaderTarget {
        var settings = FirebaseSettings(mode: .strict)
        settings.hashing.memoryCost = 1
        settings.project = "demo-fuzzed"
        settings.signingKey = FuzzTarget.signingKey
        settings.authorizedDomains = ["app.example.com"]
        settings.methods = .all
        let server = try FirebaseEmulator.start(settings, .fuzzed(1))
        let (base, key) = (server.base, server.emulator.settings.apiKey)
        return try await ReaderTarget(
            server,
            links: [
                "?mode=verifyEmail&oobCode=abc", "?mode=signIn&oobCode=abc", "?mode=resetPassword&oobCode=abc",
                "?mode=verifyAndChangeEmail&oobCode=abc",
                "?link=https%3A%2F%2Fapp.example.com%2Fcallback%3Fmode%3DsignIn%26oobCode%3Dabc",
                "?error=no&error_description=no", "?oobCode=abc",
            ].map { callback + $0 }
        ) { transport, clock, _ in
            var configuration = try FirebaseConfiguration(url: base, key: key, callback: callback, actionLinks: callback)
            configuration.hasPasskeys = true
            return FirebaseAdapter(configuration, transport: HTTPRelay(transport), clock: clock)
        }
    }

    private static func clerk() async throws -> ReaderTarget {
        var settings = ClerkSettings()
        settings.usesCheapHashes = true
        let server = try ClerkEmulator.start(settings, .fuzzed(1), signingKey: FuzzTarget.signingKey)
        let (base, key) = (server.base, server.emulator.publishableKey)
        return try await ReaderTarget(
            server,
            links: [
                "", "?flow_id=abc&approval_token=def", "?rotating_token_nonce=abc", "?created_session_id=sess_abc",
                "?error=no&error_description=no", "?clerk_error=no",
            ].map { callback + $0 }
        ) { transport, clock, randomness in
            ClerkAdapter(
                try ClerkConfiguration(url: base, key: key, callback: callback), transport: HTTPRelay(transport),
                clock: clock, randomness: randomness)
        }
    }
}

/// Any transport as one type.
struct HTTPRelay: HTTPTransport {
    let base: any HTTPTransport

    init(_ base: any HTTPTransport) { self.base = base }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse { try await base.send(request) }
}
