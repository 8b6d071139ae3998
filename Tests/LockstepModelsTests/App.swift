import Lockstep
import LockstepContracts
import LockstepInMemoryHarness
import LockstepModels
import LockstepPrimitives
import Synchronization
import Testing

/// A backend with its users.
@MainActor
struct Backend {
    let environment: TestEnvironment

    static let email = "ada@example.com"
    static let password = "Correct-Horse-1"

    /// A newly started app on its own device, or on the device with this store.
    func launch(
        on store: MemorySessionStore? = nil, advice: PasswordAdvice? = nil, events: AuthEventSink = .none
    ) async -> App {
        let app = App(environment, store ?? MemorySessionStore(clock: environment.clock), advice, events)
        await app.auth.restore()
        return app
    }

    /// Creates a user with a verified address.
    @discardableResult
    func enrol(_ email: String = Backend.email, isEmailVerified: Bool = true) async throws -> String {
        let admin = try #require(environment.administrator)
        return try await admin.create(
            email: email, password: Self.password, isEmailVerified: isEmailVerified, displayName: "Ada")
    }

    /// An app in which a user with a verified address is signed in.
    func member(on store: MemorySessionStore? = nil, events: AuthEventSink = .none) async throws -> App {
        try await enrol()
        let app = await launch(on: store, events: events)
        try await app.signIn()
        return app
    }

    /// The newest message to an address.
    func message(to recipient: String = Backend.email) async throws -> SentMessage {
        let messages = try await environment.outbox?.messages() ?? []
        return try #require(messages.last { $0.recipient == recipient }, "no message was sent to \(recipient)")
    }

    /// The current code of a second factor.
    func code(of factor: EnrolledFactor) async throws -> String {
        if let code = factor.code { return try await code().reveal() }
        let phone = try #require(factor.phone)
        return try #require(try await message(to: phone).code)
    }

    func messageCount() async throws -> Int { try await environment.outbox?.messages().count ?? 0 }

    /// Advances the clock of the device and of the backend.
    func advance(by duration: Duration) async throws {
        try await environment.backendClock?.advance(by: duration)
        environment.clock.advance(by: duration)
    }

    /// The number of requests that `body` sends.
    func requests(_ body: () async throws -> Void) async throws -> Int {
        let trace = try #require(environment.trace)
        let before = trace.totals.requests
        try await body()
        return trace.totals.requests - before
    }
}

/// An app from the view of its models.
@MainActor
final class App {
    let environment: TestEnvironment
    let store: MemorySessionStore
    let client: AuthClient
    let auth: AuthModel

    init(
        _ environment: TestEnvironment, _ store: MemorySessionStore, _ advice: PasswordAdvice? = nil,
        _ events: AuthEventSink = .none
    ) {
        self.environment = environment
        self.store = store
        client = AuthClient(
            adapter: environment.adapter, store: store,
            effects: ClientEffects(clock: environment.clock, randomness: environment.randomness, events: events))
        auth = AuthModel(client, passwordAdvice: advice)
    }

    var screen: ScreenName { auth.screen.name }

    /// The current step, if it waits for a verification.
    func verification() throws -> VerificationModel {
        guard case .verify(let model)? = auth.step else {
            throw Failure("\(screen) is due, with \(auth.step?.name.rawValue ?? "no step"), and not a proof")
        }
        return model
    }

    /// Signs the member in with the form.
    func signIn(_ email: String = Backend.email, password: String = Backend.password) async throws {
        let model = SignInModel(auth)
        model.email = email
        model.password = password
        #expect(model.canSubmit)
        await model.submit()
        if let problem = model.form.problems.first { throw Failure("the sign-in was refused: \(problem.error)") }
    }

    /// Completes the current verification: with its code, with its link, or by opening the link elsewhere.
    func prove(to recipient: String = Backend.email) async throws {
        let model = try verification()
        let message = try await Backend(environment: environment).message(to: recipient)
        if model.takesCode, let code = message.code {
            model.code = code
            #expect(model.canSubmit)
            await model.submit()
        } else if model.challenge.accepts.contains(.link) {
            let link = try #require(message.link)
            let url = try #require(try await environment.browser?.follow(link))
            #expect(await auth.handle(url))
        } else {
            try await environment.browser?.confirm(try #require(message.link))
            await model.check()
        }
        if let problem = model.form.problems.first ?? auth.problem { throw Failure("the proof was refused: \(problem.error)") }
    }
}

/// Taps a button twice: the second tap comes during the first one's call.
@MainActor
func twice(_ tap: @escaping @MainActor () async -> Void) async {
    // Both are in the main actor's queue before either runs.
    let taps = [Task { await tap() }, Task { await tap() }]
    for tap in taps { await tap.value }
}

/// Runs a closure on the main actor when a call of the client ends, before the model of the call continues.
final class Interruption: Sendable {
    private let action = Mutex<(call: String, body: @MainActor @Sendable () async -> Void)?>(nil)
    private let done = Mutex<Task<Void, Never>?>(nil)

    var events: AuthEventSink {
        AuthEventSink { [self] event in
            guard event.name == .callEnded else { return }
            let body = action.withLock { action in
                guard let found = action, found.call == event[.call] else {
                    return nil as (@MainActor @Sendable () async -> Void)?
                }
                action = nil
                return found.body
            }
            // The main actor's queue contains it before the response.
            if let body { done.withLock { $0 = Task { @MainActor in await body() } } }
        }
    }

    func at(endOf call: String, _ body: @escaping @MainActor @Sendable () async -> Void) {
        action.withLock { $0 = (call, body) }
    }

    /// Returns when it has run.
    func end() async { await done.withLock { $0 }?.value }
}

/// Returns when a condition is true.
///
/// The test's time limit ends the wait otherwise.
@MainActor
func until(_ condition: @MainActor () -> Bool) async {
    while !condition() { await Task.yield() }
}

/// The reason why a journey cannot continue.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension FormState {
    /// The codes of the errors, with their fields.
    var codes: [FormField?: AuthError.Code] {
        Dictionary(problems.map { ($0.field, $0.error.code) }, uniquingKeysWith: { first, _ in first })
    }
}
