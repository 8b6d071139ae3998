internal import CLockstepSQLite

/// The reason why a call of SQLite failed.
public struct SQLiteError: Error, Sendable, Hashable {
    /// An extended result code of SQLite (https://www.sqlite.org/rescode.html).
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        public var rawValue: Int32

        /// Creates a code.
        ///
        /// - Parameter rawValue: The number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The code that all codes of the same family share: the lowest byte.
        public var primary: Code { Code(rawValue: rawValue & 0xff) }

        /// The statement is invalid, or names something that does not exist.
        public static let error = Code(rawValue: SQLITE_ERROR)
        /// Another connection had the lock until the time limit passed.
        public static let busy = Code(rawValue: SQLITE_BUSY)
        /// Another statement of the same connection has the lock.
        public static let locked = Code(rawValue: SQLITE_LOCKED)
        /// The user has no permission for the file.
        public static let permission = Code(rawValue: SQLITE_PERM)
        /// The system could not read or write the file.
        ///
        /// To find all codes of this family, compare ``primary``.
        public static let inputOutput = Code(rawValue: SQLITE_IOERR)
        /// The shared memory file of a database in WAL mode cannot grow.
        public static let sharedMemorySize = Code(rawValue: SQLITE_IOERR | 19 << 8)
        /// The file cannot be opened.
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        /// The file is not a database.
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// The disk is full.
        public static let full = Code(rawValue: SQLITE_FULL)
        /// The database cannot be written.
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
        /// The file is damaged.
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// A value is too large.
        public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
        /// A column is missing or has another type.
        public static let mismatch = Code(rawValue: SQLITE_MISMATCH)
        /// The number of values is wrong, or the connection was used incorrectly.
        public static let misuse = Code(rawValue: SQLITE_MISUSE)
        /// The statement would violate a constraint.
        ///
        /// To find all codes of this family, compare ``primary``.
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        /// The statement would violate a `UNIQUE` constraint.
        public static let constraintUnique = Code(rawValue: SQLITE_CONSTRAINT | 8 << 8)
        /// The statement would violate a `PRIMARY KEY` constraint.
        public static let constraintPrimaryKey = Code(rawValue: SQLITE_CONSTRAINT | 6 << 8)
        /// The statement would violate a foreign key.
        public static let constraintForeignKey = Code(rawValue: SQLITE_CONSTRAINT | 3 << 8)
        /// The statement would violate a `NOT NULL` constraint.
        public static let constraintNotNull = Code(rawValue: SQLITE_CONSTRAINT | 5 << 8)
        /// The statement would violate a `CHECK` constraint.
        public static let constraintCheck = Code(rawValue: SQLITE_CONSTRAINT | 1 << 8)
    }

    /// The kind of failure.
    public var code: Code

    /// The message of SQLite.
    public var message: String

    /// The SQL text of the statement, without its values; empty if there was no statement.
    public var statement: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The message of SQLite.
    ///   - statement: The SQL text of the statement, without its values.
    public init(code: Code, message: String, statement: String = "") {
        self.code = code
        self.message = message
        self.statement = statement
    }

    /// Whether a row with the same key already exists.
    public var isDuplicate: Bool { code == .constraintUnique || code == .constraintPrimaryKey }
}

extension SQLiteError: CustomStringConvertible {
    /// The message with the code, and the statement if it is known.
    public var description: String {
        "SQLite: \(message) (code \(code.rawValue))" + (statement.isEmpty ? "" : " in: \(statement)")
    }
}
