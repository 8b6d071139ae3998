import Lockstep
import LockstepContracts
import LockstepPrimitives
import Testing

/// Apps and people on a harness's environment.
extension TestEnvironment {
    static let password: Secret = "Correct-Horse-1"

    /// An app on its own device, or on the device with this store.
    func app(on store: MemorySessionStore? = nil) -> AuthClient {
        AuthClient(
            adapter: adapter, store: store ?? MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: randomness))
    }

    /// Creates a user with a verified address.
    func enrol(_ email: String) async throws -> PasswordCredential {
        _ = try await administrator?.create(
            email: email, password: Self.password.reveal(), isEmailVerified: true, displayName: "Ada")
        return PasswordCredential(email: email, password: Self.password)
    }

    /// An app in which a user with a verified address is signed in.
    func member(_ email: String, on store: MemorySessionStore? = nil) async throws -> AuthClient {
        let client = app(on: store)
        _ = try #require(try await client.signIn(with: try await enrol(email)).session)
        return client
    }

    /// The messages to an address, oldest first.
    func messages(to recipient: String) async throws -> [SentMessage] {
        try await outbox?.messages().filter { $0.recipient == recipient } ?? []
    }

    /// Answers a step with the newest message to an address: with its code if the step accepts one, or with its link, which the
    /// function opens.
    func proof(to recipient: String, for step: AuthStep) async throws -> ChallengeResponse {
        let message = try #require(try await messages(to: recipient).last)
        if step.accepts.contains(.code), let code = message.code { return .code(Secret(code)) }
        return .link(try await opened(message))
    }

    /// The address with which a message's link opens the app.
    func opened(_ message: SentMessage?) async throws -> String {
        let link = try #require(message?.link)
        return try #require(try await browser?.follow(link))
    }

    /// The number of requests that `body` sends.
    func requests(_ body: () async throws -> Void) async throws -> Int {
        let trace = try #require(trace)
        let before = trace.totals.requests
        try await body()
        return trace.totals.requests - before
    }
}

/// The code of the error that `body` throws; `nil` if it succeeds.
func refusal<Value>(_ body: () async throws -> Value) async throws -> AuthError.Code? {
    do {
        _ = try await body()
        return nil
    } catch let error as AuthError {
        return error.code
    }
}

extension CallbackOutcome {
    /// The session that a link has opened.
    var session: Session? {
        if case .step(let step) = self { step.session } else { nil }
    }

    /// The code of the error.
    var refusal: AuthError.Code? {
        if case .refused(let error) = self { error.code } else { nil }
    }
}
