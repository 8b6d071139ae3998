internal import Lockstep
internal import LockstepPostgres
internal import LockstepWire

extension PostgresError {
    /// Whether the database rejects one row because of its content, by a constraint or a trigger.
    ///
    /// Any other error would affect the next row, too.
    ///
    /// These are the classes 22 (data), 23 (constraints) and P0 (raised by a trigger) of the standard's codes.
    var isOfOneRow: Bool {
        kind == .refused && ["22", "23", "P0"].contains { state?.rawValue.hasPrefix($0) == true } || kind == .mismatch
    }
}

/// A failure of PostgreSQL or of the connection outside a commit, after which nothing has changed.
struct UndoneFailure: EffectFailure, CustomStringConvertible {
    let error: PostgresError
    var mayHaveTakenEffect: Bool { false }
    var description: String { error.description }
}

extension AuthError {
    /// Reads columns of a row.
    static func reading<Value>(_ body: () throws(PostgresError) -> Value) throws(AuthError) -> Value {
        do throws(PostgresError) { return try body() } catch { throw AuthError(error) }
    }

    /// Creates the error for a rejection by PostgreSQL, because of the constraints and states in GoTrue's schema.
    init(_ error: PostgresError) {
        switch error.kind {
        case .invalidAddress: self.init(.invalidConfiguration, error.message)
        case .disconnected:
            self.init(.network, "The database cannot be reached, or the connection broke: \(error.message)")
        case .timedOut: self.init(.timedOut, "The database did not respond in time.")
        case .exhausted:
            self.init(
                .timedOut, "All connections were in use. Allow more connections in the settings, or try again.", retry: .now)
        case .cancelled: self = .cancelled
        case .mismatch: self.init(.invalidResponse, "A row in the database does not match GoTrue's schema. \(error.message)")
        case .refused: self = .refused(error, error.state?.rawValue ?? "")
        }
        underlying = UndoneFailure(error: error)
    }

    private static func refused(_ error: PostgresError, _ state: String) -> AuthError {
        // The message of a trigger may quote the row, including the hash. So that message stays in the server's log.
        let isRaised = state.hasPrefix("P0")
        let provider = ProviderDetail(code: state, message: isRaised ? nil : error.message)
        func refusal(_ code: Code, _ sentence: String, retry: RetryAdvice = .never) -> AuthError {
            AuthError(code, sentence, retry: retry, provider: provider)
        }
        if let constraint = error.constraint, let (code, sentence) = constraints[constraint] { return refusal(code, sentence) }
        switch state {
        case "23503":
            return refusal(
                .invalidInput,
                "An app table refers to this user, or lacks a row that the user requires (\(error.message)). Correct that table first."
            )
        case _ where state.hasPrefix("22") || state.hasPrefix("23"):
            return refusal(.invalidInput, "A column rejected a value: \(error.message).")
        case _ where isRaised:
            return refusal(.unknown, "A trigger of the app rejected the row. Read its message in the log of the database server.")
        case "42P01", "42703", "42704", "3F000":
            return refusal(
                .invalidConfiguration,
                "The database lacks GoTrue's tables in the schema `auth`: \(error.message). Use the database of a GoTrue server.")
        case "3D000":
            return refusal(.invalidConfiguration, "The database does not exist: \(error.message). Correct the connection string.")
        case _ where state.hasPrefix("28"):
            return refusal(
                .invalidConfiguration,
                "The database rejected the user of the connection string: \(error.message). Correct the user and the password."
            )
        case _ where state.hasPrefix("42501") || state.hasPrefix("3D"):
            return refusal(
                .invalidConfiguration,
                "The database user lacks a permission, or cannot read all rows: \(error.message). Connect as the owner of the tables."
            )
        case _ where error.isPassing || ["53", "55", "57", "58", "XX"].contains { state.hasPrefix($0) }:
            return refusal(
                .serverUnavailable, "The database cannot process the call at the moment: \(error.message).", retry: .now)
        default: return refusal(.unknown, "The database rejected the statement: \(error.message).")
        }
    }

    /// They are identified by schema, table and name, because an app's own tables may have constraints with the same
    /// names.
    private static let constraints: [String: (Code, String)] = [
        "auth.users.users_email_partial_key": (.emailAlreadyInUse, "Another account uses this address."),
        "auth.users.users_phone_key": (.phoneAlreadyInUse, "Another account uses this number."),
        "auth.users.users_pkey": (.invalidInput, "Another user has this id. Nothing was overwritten."),
        "auth.identities.identities_provider_id_provider_unique": (.identityAlreadyInUse, "Another account has this identity."),
        "auth.mfa_factors.mfa_factors_user_friendly_name_unique": (
            .invalidInput, "Two second factors of the user have the same name."
        ),
        "auth.mfa_factors.unique_phone_factor_per_user": (.invalidInput, "Two second factors of the user have the same number."),
    ]
}
