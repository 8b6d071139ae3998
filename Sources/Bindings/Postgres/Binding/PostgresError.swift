/// The reason why a call of PostgreSQL failed.
package struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failures.
    package enum Kind: String, Sendable, Hashable {
        /// The connection string cannot be parsed.
        case invalidAddress
        /// No server can be reached, or the connection was lost.
        ///
        /// It is unknown whether the server has executed the last statement.
        case disconnected
        /// The server rejected the statement or the connection.
        ///
        /// ``PostgresError/state`` says why.
        case refused
        /// The call did not end before its time limit.
        ///
        /// If the statement commits, the server may have executed it.
        case timedOut
        /// The task was cancelled.
        ///
        /// If the statement commits, the server may have executed it.
        case cancelled
        /// All connections of the pool were in use until the time limit passed.
        case exhausted
        /// A column is missing or has another type.
        case mismatch
    }

    /// An error code of the SQL standard and PostgreSQL (https://www.postgresql.org/docs/15/errcodes-appendix.html).
    package struct State: RawRepresentable, Sendable, Hashable {
        /// The five letters or digits of the code.
        package let rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The five letters or digits.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The table does not exist.
        package static let undefinedTable = State(rawValue: "42P01")
        /// The function does not exist.
        package static let undefinedFunction = State(rawValue: "42883")
        /// The server does not support the feature.
        package static let unsupported = State(rawValue: "0A000")
        /// The role has no permission.
        package static let insufficientPrivilege = State(rawValue: "42501")
        /// Another row already has the same key.
        package static let uniqueViolation = State(rawValue: "23505")
        /// The table already exists.
        package static let duplicateTable = State(rawValue: "42P07")
        /// The type or another object already exists.
        package static let duplicateObject = State(rawValue: "42710")
        /// The server accepts no writes, because it is a standby server.
        package static let readOnly = State(rawValue: "25006")
        /// Two transactions that ran at the same time conflict with each other.
        package static let serializationFailure = State(rawValue: "40001")
        /// Two transactions waited for each other.
        package static let deadlock = State(rawValue: "40P01")
        /// The disk is full.
        package static let diskFull = State(rawValue: "53100")
        /// The server has no free connection.
        package static let tooManyConnections = State(rawValue: "53300")

        /// The database does not exist.
        package static let unknownDatabase = State(rawValue: "3D000")
        /// The schema does not exist.
        package static let unknownSchema = State(rawValue: "3F000")
        /// The password is wrong, or a required password is missing.
        package static let invalidPassword = State(rawValue: "28P01")

        /// Reads the code from libpq's message about a rejected connection: two spaces, five letters or digits, a colon and a
        /// space.
        ///
        /// If libpq tried to connect more than once, with and without TLS, the last code is used.
        ///
        /// - Parameter message: The message of libpq in its verbose form.
        init?(in message: String) {
            let bytes = Array(message.utf8)
            for start in bytes.indices.reversed() where bytes[start...].starts(with: ":  ".utf8) {
                let code = bytes[(start + 3)...].prefix(5)
                let isCode = code.count == 5 && code.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
                guard isCode, bytes[(start + 8)...].starts(with: ": ".utf8) else { continue }
                self.init(rawValue: String(decoding: code, as: UTF8.self))
                return
            }
            return nil
        }

        /// Whether the server rejects the role or its password.
        package var isOfAuthorization: Bool { rawValue.hasPrefix("28") }

        /// Whether the server is starting, is stopping, or accepts no writes.
        ///
        /// If so, the next connection may succeed.
        package var isPassing: Bool {
            rawValue.hasPrefix("08") || rawValue.hasPrefix("57P") || self == .readOnly || self == .tooManyConnections
        }
    }

    /// The kind of failure.
    package let kind: Kind
    /// One sentence that describes the failure.
    ///
    /// The sentence contains no value of the statement.
    package let message: String
    /// The error code of the server; `nil` if the server did not respond.
    package let state: State?
    /// The constraint that the statement would violate, as `schema.table.name`; `nil` for other failures.
    package let constraint: String?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - message: One sentence that describes the failure.
    ///   - state: The error code of the server.
    ///   - constraint: The constraint that the statement would violate.
    package init(_ kind: Kind, _ message: String, state: State? = nil, constraint: String? = nil) {
        self.kind = kind
        self.message = message
        self.state = state
        self.constraint = constraint
    }

    /// Whether the same call may soon succeed, on a new connection or in another order.
    package var isPassing: Bool {
        switch kind {
        case .disconnected: true
        case .refused: state.map { $0.isPassing || $0 == .serializationFailure || $0 == .deadlock } ?? false
        default: false
        }
    }

    /// The kind of failure, the error code of the server, and the message.
    package var description: String { "\(kind.rawValue)\(state.map { " \($0.rawValue)" } ?? ""): \(message)" }
}
