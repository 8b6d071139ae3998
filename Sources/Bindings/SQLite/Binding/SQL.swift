/// A statement with the values that belong into it.
///
/// Written as a string literal whose interpolations become bound values, never text, so that no value can be taken for SQL:
///
///     let statement: SQL = "SELECT id FROM users WHERE email = \(email)"
///
/// A fragment of type `SQL` is put in as it is, with its values; `\(list: values)` becomes `?, ?, …` for `IN (…)`.
public struct SQL: Sendable, Hashable {
    /// The statement, with a `?` for each value.
    public private(set) var text: String

    /// The values, in the order of their places.
    public private(set) var values: [SQLiteValue]

    /// Makes a statement from a text and its values.
    ///
    /// - Parameters:
    ///   - text: Text of this program, never of a request, with a `?` for each value.
    ///   - values: The values, in the order of their places.
    public init(_ text: String, values: [SQLiteValue]) {
        self.text = text
        self.values = values
    }

    /// The first statement and then the second.
    public static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum += right
        return sum
    }

    /// Puts a fragment at the end.
    public static func += (left: inout SQL, right: SQL) {
        left.text += right.text
        left.values += right.values
    }
}

extension SQL: ExpressibleByStringInterpolation {
    /// A statement without values.
    public init(stringLiteral value: StringLiteralType) {
        text = value
        values = []
    }

    /// A statement with values.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL = ""

        /// Makes room for the pieces announced.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.text.reserveCapacity(literalCapacity + interpolationCount)
            sql.values.reserveCapacity(interpolationCount)
        }

        /// Takes a piece of the statement.
        public mutating func appendLiteral(_ literal: String) {
            sql.text += literal
        }

        /// Takes a value.
        public mutating func appendInterpolation(_ value: some SQLiteConvertible) {
            sql.text += "?"
            sql.values.append(value.sqliteValue)
        }

        /// Takes a fragment as it is.
        public mutating func appendInterpolation(_ fragment: SQL) {
            sql += fragment
        }

        /// Takes each value of a list, separated by commas; an empty list becomes `NULL`, which equals nothing.
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
