/// A statement with its values.
///
/// Write it as a string literal. Its interpolations become bound values, never text, so no value is interpreted as SQL:
///
///     let statement: SQL = "SELECT id FROM users WHERE email = \(email)"
///
/// An interpolated `SQL` is inserted unchanged, with its values. `\(list: values)` becomes `?, ?, …` for `IN (…)`.
public struct SQL: Sendable, Hashable {
    /// The statement, with a `?` for each value.
    public private(set) var text: String

    /// The values, in the order of their placeholders.
    public private(set) var values: [SQLiteValue]

    /// Creates a statement from a text and its values.
    ///
    /// - Parameters:
    ///   - text: A text of this program, never from a request, with a `?` for each value.
    ///   - values: The values, in the order of their placeholders.
    public init(_ text: String, values: [SQLiteValue]) {
        self.text = text
        self.values = values
    }

    /// Joins two statements.
    public static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    /// Appends a statement.
    public static func += (left: inout SQL, right: SQL) {
        left.text += right.text
        left.values += right.values
    }
}

extension SQL: ExpressibleByStringInterpolation {
    /// Creates a statement without values.
    public init(stringLiteral value: StringLiteralType) {
        text = value
        values = []
    }

    /// Creates a statement with values.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// Collects the parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL = ""

        /// Reserves capacity for the parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.text.reserveCapacity(literalCapacity + interpolationCount)
            sql.values.reserveCapacity(interpolationCount)
        }

        /// Appends a part of the statement.
        ///
        /// - Parameter literal: The part.
        public mutating func appendLiteral(_ literal: String) {
            sql.text += literal
        }

        /// Appends a value.
        ///
        /// - Parameter value: The value.
        public mutating func appendInterpolation(_ value: some SQLiteConvertible) {
            sql.text += "?"
            sql.values.append(value.sqliteValue)
        }

        /// Appends another statement with its values.
        ///
        /// - Parameter fragment: The statement.
        public mutating func appendInterpolation(_ fragment: SQL) {
            sql += fragment
        }

        /// Appends the values of a list, separated by commas.
        ///
        /// An empty list becomes `NULL`, which equals nothing.
        ///
        /// - Parameter values: The values.
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
