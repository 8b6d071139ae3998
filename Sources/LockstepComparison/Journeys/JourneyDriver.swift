internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives
internal import Synchronization

/// The driver of a journey: a person with a device, who uses the app and records the results.
final class JourneyDriver: Sendable {
    let environment: TestEnvironment
    /// The display name of the provider.
    let title: String
    private let record: JourneyRecord
    private let store: MemorySessionStore
    private let device: Mutex<AuthClient>

    init(environment: TestEnvironment, title: String, record: JourneyRecord) {
        self.environment = environment
        self.title = title
        self.record = record
        let store = MemorySessionStore(clock: environment.clock)
        self.store = store
        device = Mutex(Self.client(environment, store))
    }

    /// The currently running app.
    var app: AuthClient { device.withLock { $0 } }

    /// The client's state in one word.
    var state: String { app.state.word }

    /// Restarts the app.
    func relaunch() async {
        let app = Self.client(environment, store)
        device.withLock { $0 = app }
        await app.restore()
    }

    /// Returns an app on another device without stored data.
    func anotherDevice() -> AuthClient { Self.client(environment, MemorySessionStore(clock: environment.clock)) }

    /// Returns a client with another adapter and this device's store.
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

    /// Records a known value.
    func note(_ name: String, _ value: String) {
        record.note(Observation(name: name, value: value, requests: 0))
    }

    /// Performs an action, and records its result or its error code.
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

    /// Moves the clocks of the device and the backend forward.
    func wait(_ duration: Duration) async throws {
        environment.clock.advance(by: duration)
        try await environment.backendClock?.advance(by: duration)
    }

    /// Returns the newest message to an address.
    func message(to address: String) async throws -> SentMessage? { try await messages(to: address).last }

    /// Returns all messages to an address, newest last.
    func messages(to address: String) async throws -> [SentMessage] {
        try await need(environment.outbox, "an outbox").messages().filter { $0.recipient.lowercased() == address.lowercased() }
    }

    /// Returns an address without an account.
    func address(_ name: String) -> String { "\(name).\(environment.randomness.text(6))@example.com" }

    /// A password that every policy accepts.
    var password: Secret { "correct horse 7 Battery staple" }

    /// Creates a user with a verified address through the administrator's API, and returns the address.
    func user(_ name: String) async throws -> String {
        let email = address(name)
        _ = try await need(environment.administrator, "an admin API").create(
            email: email, password: password.reveal(), isEmailVerified: true, displayName: "Ada Lovelace")
        return email
    }

    /// Returns a control of the harness, or throws if it is missing.
    func need<Control>(_ control: Control?, _ name: String) throws -> Control {
        guard let control else { throw EnvironmentError("this harness lacks \(name)") }
        return control
    }

    /// Signs in with a password, and with a code if a new device requires one.
    @discardableResult
    func enter(_ email: String, _ client: AuthClient? = nil, password: Secret? = nil) async throws -> AuthStep {
        let client = client ?? app
        let step = try await client.signIn(with: .password(email: email, password: password ?? self.password))
        guard case .verify(let challenge) = step, let code = try await message(to: email)?.code else { return step }
        return try await client.respond(to: challenge.flow, with: .code(Secret(code)))
    }

    /// Performs an action and records its result.
    ///
    /// If the harness lacks a control, that is recorded, and the journey continues.
    @discardableResult
    func seeIfPossible(_ name: String, _ act: () async throws -> String) async throws -> String {
        try await see(name) {
            do { return try await act() } catch let error as EnvironmentError { return "not measured: \(error.reason)" }
        }
    }

    // MARK: Verifications

    /// Completes a challenge with the newest message, in one of the accepted ways.
    func prove(_ challenge: Challenge, by kind: ChallengeResponse.Kind, to address: String) async throws -> AuthStep {
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

    /// Returns the URL with which a message's link opens the app.
    func delivered(_ message: SentMessage) async throws -> String {
        guard let link = message.link else { throw EnvironmentError("the message contains no link") }
        guard let url = try await need(environment.browser, "a browser").follow(link) else {
            throw EnvironmentError("the link ends on a page")
        }
        return url
    }

    /// Opens the app with a URL.
    func open(_ url: String) async throws -> AuthStep {
        switch await app.handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs: throw AuthError(.linkInvalid, "The URL does not belong to this app.")
        }
    }
}
