/// A failure of PostgreSQL or of the connection.
public struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Kind: String, Sendable, Hashable {
        /// The connection string cannot be parsed.
        case invalidAddress
        /// No server could be reached, or the connection broke: whether the last statement was done is not known.
        case disconnected
        /// The server rejected the statement or the connection; ``PostgresError/state`` says why.
        case refused
        /// The call did not end within its limit. A statement that commits may have been done all the same.
        case timedOut
        /// The task was cancelled. A statement that commits may have been done all the same.
        case cancelled
        /// All connections of the pool were in use for as long as the caller would wait.
        case exhausted
        /// A column is missing, or holds another kind of value than was asked for.
        case mismatch
    }

    /// A code of the SQL standard and PostgreSQL (https://www.postgresql.org/docs/15/errcodes-appendix.html).
    public struct State: RawRepresentable, Sendable, Hashable {
        /// Five letters or digits.
        public let rawValue: String

        /// The code of that text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A table that does not exist.
        public static let undefinedTable = State(rawValue: "42P01")
        /// A function that does not exist.
        public static let undefinedFunction = State(rawValue: "42883")
        /// Something that this server does not do.
        public static let unsupported = State(rawValue: "0A000")
        /// The user may not do it.
        public static let insufficientPrivilege = State(rawValue: "42501")
        /// A key that exists already.
        public static let uniqueViolation = State(rawValue: "23505")
        /// A table that exists already.
        public static let duplicateTable = State(rawValue: "42P07")
        /// A type or another object that exists already.
        public static let duplicateObject = State(rawValue: "42710")
        /// The server takes no writes: it is a standby, or has become one.
        public static let readOnly = State(rawValue: "25006")
        /// Two transactions could not be put in an order.
        public static let serializationFailure = State(rawValue: "40001")
        /// Two transactions waited for each other.
        public static let deadlock = State(rawValue: "40P01")
        /// The disk is full.
        public static let diskFull = State(rawValue: "53100")
        /// The server has no connection left.
        public static let tooManyConnections = State(rawValue: "53300")

        /// A database that does not exist.
        public static let unknownDatabase = State(rawValue: "3D000")
        /// A schema that does not exist.
        public static let unknownSchema = State(rawValue: "3F000")
        /// A wrong password, or none where the server asks for one.
        public static let invalidPassword = State(rawValue: "28P01")

        /// Reads the code from libpq's words on a refused connection: two spaces, five letters or digits, a colon and a space.
        ///
        /// Where libpq tried to connect more than once, with TLS and without, the last code is taken.
        ///
        /// - Parameter message: libpq's words in their verbose form.
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

        /// Whether the server does not let this user in.
        public var isOfAuthorization: Bool { rawValue.hasPrefix("28") }

        /// Whether the server is starting, stopping, or of the wrong kind: the next connection may succeed.
        public var isPassing: Bool {
            rawValue.hasPrefix("08") || rawValue.hasPrefix("57P") || self == .readOnly || self == .tooManyConnections
        }
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// The sentence; it holds no value of the statement.
    public let message: String
    /// The server's code, where the server has spoken.
    public let state: State?
    /// The constraint that was broken, as `schema.table.name`, where it was one.
    public let constraint: String?

    /// A failure with its sentence.
    public init(_ kind: Kind, _ message: String, state: State? = nil, constraint: String? = nil) {
        self.kind = kind
        self.message = message
        self.state = state
        self.constraint = constraint
    }

    /// Whether the same call may succeed in a moment, on a new connection or in another order.
    public var isPassing: Bool {
        switch kind {
        case .disconnected: true
        case .refused: state.map { $0.isPassing || $0 == .serializationFailure || $0 == .deadlock } ?? false
        default: false
        }
    }

    /// The kind, the server's code and the sentence.
    public var description: String { "\(kind.rawValue)\(state.map { " \($0.rawValue)" } ?? ""): \(message)" }
}
