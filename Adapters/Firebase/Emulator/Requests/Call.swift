internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// A request that has passed the door: its credentials, path and body are in order.
struct Call: Sendable {
    /// Who asks.
    enum Caller: Sendable {
        /// An app with an API key.
        case client
        /// A server with a bearer token.
        case administrator
    }

    let backend: Backend
    /// As they were when the request came.
    let settings: FirebaseSettings
    let space: Space
    let caller: Caller
    let body: Body
    /// The ID token of the body, taken apart and not verified.
    let idToken: UnverifiedToken?
    /// The pairs of the query, in order.
    let orderedQuery: [(name: String, value: String)]
}

extension Call {
    var query: [String: String] { Dictionary(orderedQuery.map { ($0.name, $0.value) }) { first, _ in first } }
    var rules: Rules { space.rules }
    var now: Instant { backend.clock.now }
    var isAdministrators: Bool { caller == .administrator }

    /// How the caller sees a user who is the caller's own.
    var view: User.View { settings.mode == .strict && !isAdministrators ? .own : .whole }

    /// Everything in `body` happens, or nothing of it.
    func transaction<Value: Sendable>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        try backend.store.write(body)
    }

    /// Reads without writing.
    func reading<Value: Sendable>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        try backend.store.read(body)
    }

    /// Refuses where a tenant is switched off.
    func requireOpen() throws(APIError) {
        if rules.isDisabled { throw .refused(.projectDisabled) }
    }

    func require(_ condition: Bool, _ code: ErrorCode, _ detail: String? = nil) throws(APIError) {
        if !condition { throw .refused(code, detail) }
    }

    /// The value, or the refusal.
    func require<Value>(_ value: Value?, _ code: ErrorCode, _ detail: String? = nil) throws(APIError) -> Value {
        guard let value else { throw .refused(code, detail) }
        return value
    }
}
