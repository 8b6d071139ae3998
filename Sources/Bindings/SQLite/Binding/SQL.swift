/// A SQL statement with its values.
///
/// Write a statement as a string literal. Each value that you insert is bound to a placeholder, and never becomes a part of the
/// SQL text. So no value is read as SQL:
///
///     let statement: SQL = "SELECT id FROM users WHERE email = \(email)"
///
/// If you insert another `SQL`, this statement contains its SQL text and its values. `\(list: values)` becomes `?, ?, …`, for
/// `IN (…)`.
public struct SQL: Sendable, Hashable {
    /// The SQL text of the statement, with a `?` in place of each value.
    public private(set) var text: String

    /// The values, in the order of their placeholders.
    public private(set) var values: [SQLiteValue]

    /// Creates a statement from SQL text and values.
    ///
    /// - Parameters:
    ///   - text: The SQL text, with a `?` in place of each value. The SQL text must come from this program, never from a
    ///     request.
    ///   - values: The values, in the order of their placeholders.
    public init(_ text: String, values: [SQLiteValue]) {
        self.text = text
        self.values = values
    }

    /// Joins two statements.
    ///
    /// - Parameters:
    ///   - left: The first statement.
    ///   - right: The second statement.
    /// - Returns: A statement that joins the SQL text and the values of both.
    public static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    /// Appends a statement to another statement.
    ///
    /// - Parameters:
    ///   - left: The statement to extend.
    ///   - right: The statement to append.
    public static func += (left: inout SQL, right: SQL) {
        left.text += right.text
        left.values += right.values
    }
}

extension SQL: ExpressibleByStringInterpolation {
    /// Creates a statement without values.
    ///
    /// - Parameter value: The SQL text of the statement.
    public init(stringLiteral value: StringLiteralType) {
        text = value
        values = []
    }

    /// Creates a statement with values.
    ///
    /// - Parameter stringInterpolation: The parts of the literal.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// Collects the parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL = ""

        /// Creates an empty list of parts.
        ///
        /// - Parameters:
        ///   - literalCapacity: The total length of all literal parts.
        ///   - interpolationCount: The number of values.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.text.reserveCapacity(literalCapacity + interpolationCount)
            sql.values.reserveCapacity(interpolationCount)
        }

        /// Appends literal SQL text.
        ///
        /// - Parameter literal: The part.
        public mutating func appendLiteral(_ literal: String) {
            sql.text += literal
        }

        /// Appends a value.
        public mutating func appendInterpolation(_ value: some SQLiteConvertible) {
            sql.text += "?"
            sql.values.append(value.sqliteValue)
        }

        /// Appends another statement with its values.
        public mutating func appendInterpolation(_ fragment: SQL) {
            sql += fragment
        }

        /// Appends the values of a list, separated by commas.
        ///
        /// An empty list becomes `NULL`, which equals no value.
        public mutating func appendInterpolation(list values: some Sequence<some SQLiteConvertible>) {
            var separator = ""
            for value in values {
                sql.text += separator + "?"
                sql.values.append(value.sqliteValue)
                separator = ", "
            }
            if separator.isEmpty { sql.text += "NULL" }
        }
    }
}
