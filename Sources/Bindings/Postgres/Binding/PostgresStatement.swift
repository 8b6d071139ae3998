/// A statement with its values.
///
/// Write it as a string literal. Its interpolations become parameters, never text, so no value is interpreted as SQL:
///
///     let statement: PostgresStatement = "SELECT id FROM users WHERE email = \(email)"
///
/// An interpolated `PostgresStatement` is inserted unchanged, with its values.
public struct PostgresStatement: Sendable, Hashable {
    /// The text before, between and after the values.
    private var pieces: [String]

    /// The values, in the order of their placeholders.
    public private(set) var values: [PostgresValue]

    /// The statement, with `$1`, `$2`, … as placeholders.
    public var text: String {
        pieces.dropFirst().enumerated().reduce(into: pieces[0]) { $0 += "$\($1.offset + 1)\($1.element)" }
    }
}

extension PostgresStatement: ExpressibleByStringInterpolation {
    /// Creates a statement without values.
    public init(stringLiteral value: StringLiteralType) {
        pieces = [value]
        values = []
    }

    /// Creates a statement with values.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.statement
    }

    /// Collects the parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var statement: PostgresStatement = ""

        /// Reserves capacity for the parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            statement.pieces.reserveCapacity(interpolationCount + 1)
            statement.values.reserveCapacity(interpolationCount)
        }

        /// Appends a part of the statement.
        ///
        /// - Parameter literal: The part.
        public mutating func appendLiteral(_ literal: String) {
            statement.pieces[statement.pieces.count - 1] += literal
        }

        /// Appends a value.
        ///
        /// - Parameter value: The value.
        public mutating func appendInterpolation(_ value: some PostgresConvertible) {
            statement.values.append(value.postgresValue)
            statement.pieces.append("")
        }

        /// Appends another statement with its values.
        ///
        /// - Parameter fragment: The statement.
        public mutating func appendInterpolation(_ fragment: PostgresStatement) {
            appendLiteral(fragment.pieces[0])
            statement.values += fragment.values
            statement.pieces += fragment.pieces.dropFirst()
        }
    }
}
