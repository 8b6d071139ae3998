/// A SQL statement with its values.
///
/// Write a statement as a string literal. Each value that you insert becomes a parameter, and never a part of the SQL text. So
/// no value is read as SQL:
///
///     let statement: PostgresStatement = "SELECT id FROM users WHERE email = \(email)"
///
/// If you insert another `PostgresStatement`, this statement contains its SQL text and its values.
package struct PostgresStatement: Sendable, Hashable {
    /// The parts of the text before, between and after the values.
    private var pieces: [String]

    /// The values, in the order of their placeholders.
    package private(set) var values: [PostgresValue]

    /// The SQL text of the statement, with `$1`, `$2`, … in place of the values.
    package var text: String {
        pieces.dropFirst().enumerated().reduce(into: pieces[0]) { $0 += "$\($1.offset + 1)\($1.element)" }
    }
}

extension PostgresStatement: ExpressibleByStringInterpolation {
    /// Creates a statement without values.
    ///
    /// - Parameter value: The SQL text of the statement.
    package init(stringLiteral value: StringLiteralType) {
        pieces = [value]
        values = []
    }

    /// Creates a statement with values.
    ///
    /// - Parameter stringInterpolation: The parts of the literal.
    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.statement
    }

    /// Collects the parts of a literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var statement: PostgresStatement = ""

        /// Creates an empty list of parts.
        ///
        /// - Parameters:
        ///   - literalCapacity: The total length of all literal parts.
        ///   - interpolationCount: The number of values.
        package init(literalCapacity: Int, interpolationCount: Int) {
            statement.pieces.reserveCapacity(interpolationCount + 1)
            statement.values.reserveCapacity(interpolationCount)
        }

        /// Appends literal SQL text.
        ///
        /// - Parameter literal: The part.
        package mutating func appendLiteral(_ literal: String) {
            statement.pieces[statement.pieces.count - 1] += literal
        }

        /// Appends a value.
        package mutating func appendInterpolation(_ value: some PostgresConvertible) {
            statement.values.append(value.postgresValue)
            statement.pieces.append("")
        }

        /// Appends another statement with its values.
        package mutating func appendInterpolation(_ fragment: PostgresStatement) {
            appendLiteral(fragment.pieces[0])
            statement.values += fragment.values
            statement.pieces += fragment.pieces.dropFirst()
        }
    }
}
