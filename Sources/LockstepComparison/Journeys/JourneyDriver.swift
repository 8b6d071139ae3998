internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives
internal import Synchronization

/// A person with a device, on a journey: performs the actions of the app, and notes the results.
final class JourneyDriver: Sendable {
    let environment: TestEnvironment
    private let record: JourneyRecord
    private let store: MemorySessionStore
    private let device: Mutex<AuthClient>

    init(environment: TestEnvironment, record: JourneyRecord) {
        self.environment = environment
        self.record = record
        let store = MemorySessionStore(clock: environment.clock)
        self.store = store
        device = Mutex(Self.client(environment, store))
    }

    /// The app, as it runs now.
    var app: AuthClient { device.withLock { $0 } }

    /// The client's state in one word.
    var state: String { app.state.word }

    /// The app is ended and started again.
    func relaunch() async {
        let app = Self.client(environment, store)
        device.withLock { $0 = app }
        await app.restore()
    }

    /// Another device, with an unused app.
    func anotherDevice() -> AuthClient { Self.client(environment, MemorySessionStore(clock: environment.clock)) }

    /// A client of another adapter on this device's store.
    func client(of adapter: any AuthAdapter) -> AuthClient {
        var other = environment
        other.adapter = adapter
        return Self.client(other, store)
    }

    private static func client(_ environment: TestEnvironment, _ store: MemorySessionStore) -> AuthClient {
        AuthClient(
            adapter: environment.adapter, store: store,
            effects: ClientEffects(clock: environment.clock, randomness: environment.randomness, events: environment.events))
    }

    // MARK: Noting

    /// Notes what is known already.
    func note(_ name: String, _ value: String) {
        record.note(Observation(name: name, value: value, requests: 0))
    }

    /// Does something and notes what came of it; a refusal is noted by its code.
    @discardableResult
    func see(_ name: String, _ act: () async throws -> String) async throws -> String {
        let before = environment.trace?.totals.requests ?? 0
        let value: String
        do {
            value = try await act()
        } catch let error as AuthError {
            value = "refused: \(error.code)"
        }
        let after = environment.trace?.totals.requests ?? 0
        record.note(Observation(name: name, value: value, requests: after - before))
        return value
    }

    // MARK: The world

    /// Time passes, here and at the backend.
    func wait(_ duration: Duration) async throws {
        environment.clock.advance(by: duration)
        try await environment.backendClock?.advance(by: duration)
    }

    /// The newest message to an address.
    func message(to address: String) async throws -> SentMessage? { try await messages(to: address).last }

    /// All messages to an address, the newest last.
    func messages(to address: String) async throws -> [SentMessage] {
        try await need(environment.outbox, "an outbox").messages().filter { $0.recipient.lowercased() == address.lowercased() }
    }

    /// An address without an account.
    func address(_ name: String) -> String { "\(name).\(environment.randomness.text(6))@example.com" }

    /// A password that every policy takes.
    var password: Secret { "correct horse 7 Battery staple" }

    /// A user with a verified address, made by the administrator.
    func user(_ name: String) async throws -> String {
        let email = address(name)
        _ = try await need(environment.administrator, "an admin API").create(
            email: email, password: password.reveal(), isEmailVerified: true, displayName: "Ada Lovelace")
        return email
    }

    /// The control that the harness must have for this.
    func need<Control>(_ control: Control?, _ name: String) throws -> Control {
        guard let control else { throw EnvironmentError("this harness lacks \(name)") }
        return control
    }

    /// Signs in by password, with the code that a new device may be asked for.
    @discardableResult
    func enter(_ email: String, _ client: AuthClient? = nil, password: Secret? = nil) async throws -> SignInStep {
        let client = client ?? app
        let step = try await client.signIn(with: .password(email: email, password: password ?? self.password))
        guard case .verify(let challenge) = step, let code = try await message(to: email)?.code else { return step }
        return try await client.respond(to: challenge.flow, with: .code(Secret(code)))
    }

    /// Notes what came of something that may need a control that the harness has not got: then that is said, and the journey
    /// continues.
    @discardableResult
    func seeIfPossible(_ name: String, _ act: () async throws -> String) async throws -> String {
        try await see(name) {
            do { return try await act() } catch let error as EnvironmentError { return "not measured: \(error.reason)" }
        }
    }

    // MARK: Proofs

    /// Gives a proof of the newest message, in one of the ways that the challenge accepts.
    func prove(_ challenge: Challenge, by kind: ChallengeResponse.Kind, to address: String) async throws -> SignInStep {
        guard let message = try await message(to: address) else {
            throw EnvironmentError("no message arrived for \(challenge.flow.kind)")
        }
        switch kind {
        case .code:
            guard let code = message.code else { throw EnvironmentError("the message contains no code") }
            return try await app.respond(to: challenge.flow, with: .code(Secret(code)))
        case .link:
            return try await open(try await delivered(message))
        case .poll:
            guard let link = message.link else { throw EnvironmentError("the message contains no link") }
            try await need(environment.browser, "a browser").confirm(link)
            return try await app.respond(to: challenge.flow, with: .poll)
        default:
            throw EnvironmentError("\(kind.rawValue) does not verify an address")
        }
    }

    /// The URL that the app is opened with when the link of a message is tapped.
    func delivered(_ message: SentMessage) async throws -> String {
        guard let link = message.link else { throw EnvironmentError("the message contains no link") }
        guard let url = try await need(environment.browser, "a browser").follow(link) else {
            throw EnvironmentError("the link ends on a page")
        }
        return url
    }

    /// The app is opened with a URL.
    func open(_ url: String) async throws -> SignInStep {
        switch await app.handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs: throw AuthError(.linkInvalid, "The URL does not belong to this app.")
        }
    }
}
