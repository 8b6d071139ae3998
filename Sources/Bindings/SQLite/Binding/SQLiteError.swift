internal import CLockstepSQLite

/// A failure of SQLite.
public struct SQLiteError: Error, Sendable, Hashable {
    /// An extended result code of SQLite (https://www.sqlite.org/rescode.html).
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        public var rawValue: Int32

        /// Creates a code.
        ///
        /// - Parameter rawValue: The number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The primary code, which all codes of a family share: the lowest byte.
        public var primary: Code { Code(rawValue: rawValue & 0xff) }

        /// The statement is invalid, or names something that does not exist.
        public static let error = Code(rawValue: SQLITE_ERROR)
        /// Another connection has the lock, and the busy timeout passed.
        public static let busy = Code(rawValue: SQLITE_BUSY)
        /// Another statement of the same connection has the lock.
        public static let locked = Code(rawValue: SQLITE_LOCKED)
        /// The permissions do not allow it.
        public static let permission = Code(rawValue: SQLITE_PERM)
        /// The system could not read or write.
        ///
        /// Compare it with ``primary``.
        public static let inputOutput = Code(rawValue: SQLITE_IOERR)
        /// The file that readers of a database in WAL mode share cannot grow.
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
        /// Any constraint.
        ///
        /// Compare it with ``primary``.
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        /// A `UNIQUE` constraint.
        public static let constraintUnique = Code(rawValue: SQLITE_CONSTRAINT | 8 << 8)
        /// A `PRIMARY KEY` constraint.
        public static let constraintPrimaryKey = Code(rawValue: SQLITE_CONSTRAINT | 6 << 8)
        /// A foreign key.
        public static let constraintForeignKey = Code(rawValue: SQLITE_CONSTRAINT | 3 << 8)
        /// A `NOT NULL` constraint.
        public static let constraintNotNull = Code(rawValue: SQLITE_CONSTRAINT | 5 << 8)
        /// A `CHECK` constraint.
        public static let constraintCheck = Code(rawValue: SQLITE_CONSTRAINT | 1 << 8)
    }

    /// The kind of failure.
    public var code: Code

    /// SQLite's own message.
    public var message: String

    /// The statement without its values; empty if there was none.
    public var statement: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: SQLite's own message.
    ///   - statement: The statement without its values.
    public init(code: Code, message: String, statement: String = "") {
        self.code = code
        self.message = message
        self.statement = statement
    }

    /// Whether a row with the same key already exists.
    public var isDuplicate: Bool { code == .constraintUnique || code == .constraintPrimaryKey }
}

extension SQLiteError: CustomStringConvertible {
    /// The message with the code, and the statement if there was one.
    public var description: String {
        "SQLite: \(message) (code \(code.rawValue))" + (statement.isEmpty ? "" : " in: \(statement)")
    }
}
