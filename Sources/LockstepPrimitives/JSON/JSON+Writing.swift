extension JSON: CustomStringConvertible {
    /// The format in which JSON is written.
    ///
    /// ```swift
    /// let value: JSON = ["name": "Ada", "projects": ["engine", "notes"]]
    /// print(value.text(.indented))
    /// ```
    public struct Style: Sendable {
        /// Whether `<`, `>`, `&`, U+2028 and U+2029 are written as `\u…`, as Go's encoder does.
        public var escapesHTML: Bool
        /// Whether the text is indented by two spaces per level, with one member per line.
        ///
        /// If it is `false`, the text contains no white space.
        public var isIndented: Bool
        /// Whether invisible characters are written as `\u…`.
        ///
        /// Invisible characters are control characters outside ASCII, direction marks and zero-width characters.
        public var escapesInvisible: Bool

        /// Creates a custom style.
        ///
        /// - Parameters:
        ///   - escapesHTML: Whether HTML's special characters are escaped.
        ///   - isIndented: Whether the text is indented.
        ///   - escapesInvisible: Whether invisible characters are escaped.
        public init(escapesHTML: Bool = false, isIndented: Bool = false, escapesInvisible: Bool = false) {
            self.escapesHTML = escapesHTML
            self.isIndented = isIndented
            self.escapesInvisible = escapesInvisible
        }

        /// The shortest text: no white space, and no optional escapes.
        public static let compact = Style()
        /// Indented text for people, with invisible characters escaped.
        public static let indented = Style(isIndented: true, escapesInvisible: true)
        /// Text for logs and terminals: one line, with invisible characters escaped.
        public static let visible = Style(escapesInvisible: true)
    }

    /// The value on one line, with invisible characters escaped (``Style/visible``).
    public var description: String { text(.visible) }

    /// Returns the value as JSON text.
    ///
    /// ```swift
    /// let value: JSON = ["name": "Ada", "age": 36]
    /// print(value.text())                          // {"name":"Ada","age":36}
    /// print(value.text(.indented))
    /// ```
    ///
    /// - Parameter style: The format. Default: `compact`.
    /// - Returns: The text.
    public func text(_ style: Style = .compact) -> String {
        String(decoding: bytes(style), as: UTF8.self)
    }

    /// Returns the value as JSON text in UTF-8.
    ///
    /// JSON cannot represent infinity and "not a number", so such a number becomes `null`.
    ///
    /// - Parameter style: The format. Default: `compact`.
    /// - Returns: The bytes.
    public func bytes(_ style: Style = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(self)
        return writer.output
    }
}
