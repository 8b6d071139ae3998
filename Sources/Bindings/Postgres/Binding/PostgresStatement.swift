/// A statement with the values that belong into it.
///
/// Written as a string literal whose interpolations become parameters, never text, so that no value can be taken for SQL:
///
///     let statement: PostgresStatement = "SELECT id FROM users WHERE email = \(email)"
///
/// A fragment of type `PostgresStatement` is put in as it is, with its values.
public struct PostgresStatement: Sendable, Hashable {
    /// The text before, between and after the values.
    private var pieces: [String]

    /// The values, in the order of their places.
    public private(set) var values: [PostgresValue]

    /// The statement, with `$1`, `$2`, … for the values.
    public var text: String {
        pieces.dropFirst().enumerated().reduce(into: pieces[0]) { $0 += "$\($1.offset + 1)\($1.element)" }
    }
}

extension PostgresStatement: ExpressibleByStringInterpolation {
    /// A statement without values.
    public init(stringLiteral value: StringLiteralType) {
        pieces = [value]
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
            statement.pieces.reserveCapacity(interpolationCount + 1)
            statement.values.reserveCapacity(interpolationCount)
        }

        /// Takes a piece of the statement.
        public mutating func appendLiteral(_ literal: String) {
            statement.pieces[statement.pieces.count - 1] += literal
        }

        /// Takes a value.
        public mutating func appendInterpolation(_ value: some PostgresConvertible) {
            statement.values.append(value.postgresValue)
            statement.pieces.append("")
        }

        /// Takes a fragment as it is.
        public mutating func appendInterpolation(_ fragment: PostgresStatement) {
            appendLiteral(fragment.pieces[0])
            statement.values += fragment.values
            statement.pieces += fragment.pieces.dropFirst()
        }
    }
}
