internal import CLockstepSQLite

/// A failure of SQLite.
public struct SQLiteError: Error, Sendable, Hashable {
    /// An extended result code of SQLite (https://www.sqlite.org/rescode.html).
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        public var rawValue: Int32

        /// The code of that number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// What all codes of this family have in common: the lowest byte.
        public var primary: Code { Code(rawValue: rawValue & 0xff) }

        /// The statement is wrong, or names what is not there.
        public static let error = Code(rawValue: SQLITE_ERROR)
        /// Another connection holds the lock, and the busy timeout passed.
        public static let busy = Code(rawValue: SQLITE_BUSY)
        /// Another statement of the same connection holds the lock.
        public static let locked = Code(rawValue: SQLITE_LOCKED)
        /// The permissions do not allow it.
        public static let permission = Code(rawValue: SQLITE_PERM)
        /// The system could not read or write; compare it with ``primary``.
        public static let inputOutput = Code(rawValue: SQLITE_IOERR)
        /// The file that the readers of a database in WAL mode share cannot grow.
        public static let sharedMemorySize = Code(rawValue: SQLITE_IOERR | 19 << 8)
        /// The file cannot be opened.
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        /// The file is no database.
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// The disk is full.
        public static let full = Code(rawValue: SQLITE_FULL)
        /// The database may not be written.
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
        /// The file is damaged.
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// A value is too large.
        public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
        /// A column is missing, or holds another kind of value than was asked for.
        public static let mismatch = Code(rawValue: SQLITE_MISMATCH)
        /// More or fewer values than the statement has places, or the connection was used wrongly.
        public static let misuse = Code(rawValue: SQLITE_MISUSE)
        /// A constraint of any kind; compare it with ``primary``.
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

    /// What happened.
    public var code: Code

    /// SQLite's own sentence.
    public var message: String

    /// The statement without its values; empty where none was involved.
    public var statement: String

    /// An error of that code.
    public init(code: Code, message: String, statement: String = "") {
        self.code = code
        self.message = message
        self.statement = statement
    }

    /// Whether a row with the same key is there already.
    public var isDuplicate: Bool { code == .constraintUnique || code == .constraintPrimaryKey }
}

extension SQLiteError: CustomStringConvertible {
    /// The sentence with the code, and the statement where there was one.
    public var description: String {
        "SQLite: \(message) (code \(code.rawValue))" + (statement.isEmpty ? "" : " in: \(statement)")
    }
}
