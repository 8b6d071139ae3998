extension JSON: CustomStringConvertible {
    /// How a value is written.
    public struct Style: Sendable {
        /// Writes `<`, `>`, `&`, U+2028 and U+2029 as `\u…`, as Go's encoder does.
        public var escapesHTML: Bool
        /// Two spaces a level, one member a line; otherwise no white space at all.
        public var isIndented: Bool
        /// Writes what is invisible as `\u…`: controls beyond ASCII, marks of direction, characters of no width.
        public var escapesInvisible: Bool

        /// A custom style.
        public init(escapesHTML: Bool = false, isIndented: Bool = false, escapesInvisible: Bool = false) {
            self.escapesHTML = escapesHTML
            self.isIndented = isIndented
            self.escapesInvisible = escapesInvisible
        }

        /// No white space, only what must be escaped is.
        public static let compact = Style()
        /// For people.
        public static let indented = Style(isIndented: true, escapesInvisible: true)
        /// For logs and terminals: one line, in which everything can be seen.
        public static let visible = Style(escapesInvisible: true)
    }

    /// The value in one line, in which everything can be seen (``Style/visible``).
    public var description: String { text(.visible) }

    /// The value as JSON text.
    public func text(_ style: Style = .compact) -> String {
        String(decoding: bytes(style), as: UTF8.self)
    }

    /// The value as JSON text in UTF-8.
    ///
    /// A number that is not finite, which JSON cannot write, becomes `null`.
    public func bytes(_ style: Style = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(self)
        return writer.output
    }
}
