internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// An authorized request: its credentials, path and body are valid.
struct Call: Sendable {
    /// The caller.
    enum Caller: Sendable {
        /// An app with an API key.
        case client
        /// A server with a bearer token.
        case administrator
    }

    let backend: Backend
    /// The settings when the request arrived.
    let settings: FirebaseSettings
    let space: Space
    let caller: Caller
    let body: Body
    /// The ID token of the body, parsed and not verified.
    let idToken: UnverifiedToken?
    /// The pairs of the query, in order.
    let orderedQuery: [(name: String, value: String)]
}

extension Call {
    var query: [String: String] { Dictionary(orderedQuery.map { ($0.name, $0.value) }) { first, _ in first } }
    var rules: Rules { space.rules }
    var now: Instant { backend.clock.now }
    var isAdministrators: Bool { caller == .administrator }

    /// The view of a user that the caller gets.
    var view: User.View { settings.mode == .strict && !isAdministrators ? .own : .whole }

    /// Runs `body` in a transaction.
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
