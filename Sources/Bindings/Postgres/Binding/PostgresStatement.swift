/// A statement with the values that belong into it.
///
/// Written as a string literal whose interpolations become parameters, never text, so that no value can be taken for SQL:
///
///     let statement: PostgresStatement = "SELECT id FROM users WHERE email = \(email)"
public struct PostgresStatement: Sendable, Hashable {
    /// The statement, with `$1`, `$2`, … for the values.
    public private(set) var text: String

    /// The values, in the order of their places.
    public private(set) var values: [PostgresValue]
}

extension PostgresStatement: ExpressibleByStringInterpolation {
    /// A statement without values.
    public init(stringLiteral value: StringLiteralType) {
        text = value
        values = []
    }

    /// A statement with values.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.statement
    }

    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var statement: PostgresStatement = ""

        /// Makes room for the pieces announced.
        public init(literalCapacity: Int, interpolationCount: Int) {
            statement.text.reserveCapacity(literalCapacity + 3 * interpolationCount)
            statement.values.reserveCapacity(interpolationCount)
        }

        /// Takes a piece of the statement.
        public mutating func appendLiteral(_ literal: String) {
            statement.text += literal
        }

        /// Takes a value.
        public mutating func appendInterpolation(_ value: some PostgresConvertible) {
            statement.values.append(value.postgresValue)
            statement.text += "$\(statement.values.count)"
        }
    }
}
