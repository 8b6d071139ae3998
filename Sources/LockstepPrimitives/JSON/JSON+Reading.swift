extension JSON {
    /// The parser's rules for the cases that RFC 8259 leaves open.
    ///
    /// ```swift
    /// let value = try JSON.parse(#"{"name": "Ada"}"#, rules: JSON.ReadingRules(depthLimit: 16, repeatedNames: .refused))
    /// print(value)
    /// ```
    public struct ReadingRules: Sendable {
        /// The maximum nesting of arrays and objects.
        ///
        /// Each level uses stack memory, so choose a small limit for untrusted text.
        public var depthLimit: Int
        /// The maximum number of values in the text: members, elements, and the arrays and objects themselves.
        ///
        /// A value needs much more memory than its text.
        public var valueLimit: Int
        /// The treatment of text that is not valid Unicode: bytes that are not UTF-8, or half of a surrogate pair.
        public var brokenText: BrokenText
        /// The treatment of a second member with the same name.
        public var repeatedNames: RepeatedNames

        /// Creates custom rules.
        ///
        /// - Parameters:
        ///   - depthLimit: The maximum nesting of arrays and objects. Default: 256.
        ///   - valueLimit: The maximum number of values. Default: no limit.
        ///   - brokenText: The treatment of text that is not valid Unicode. Default: an error.
        ///   - repeatedNames: The treatment of a second member with the same name. Default: the last value is used.
        public init(
            depthLimit: Int = 256, valueLimit: Int = .max, brokenText: BrokenText = .refused,
            repeatedNames: RepeatedNames = .lastCounts
        ) {
            self.depthLimit = depthLimit
            self.valueLimit = valueLimit
            self.brokenText = brokenText
            self.repeatedNames = repeatedNames
        }

        /// The treatment of text that is not valid Unicode.
        public enum BrokenText: Sendable {
            /// The reader throws an error.
            case refused
            /// The reader replaces the invalid part with U+FFFD, as the decoders of Go and JavaScript do.
            case replaced
        }

        /// The treatment of a second member with the same name.
        public enum RepeatedNames: Sendable {
            /// The reader uses the last value, at the position of the first value.
            case lastCounts
            /// The reader throws an error.
            ///
            /// Use this rule for signed text, which all readers must understand in the same way.
            case refused
        }

        /// The default rules: 256 levels, and any number of values.
        ///
        /// The reader throws an error for invalid Unicode. If a name is repeated, it uses the last value.
        public static let standard = ReadingRules()

        /// The rules for a backend's responses: 64 levels, 500,000 values, and no repeated names.
        ///
        /// The limits allow a user with 60,000 metadata members, even if the provider repeats the metadata in several
        /// places. A repeated name is an error. No backend repeats a name, and a proxy may have used the other value.
        public static let answer = ReadingRules(depthLimit: 64, valueLimit: 500_000, repeatedNames: .refused)
    }

    /// Parses one JSON text in UTF-8, strictly by RFC 8259.
    ///
    /// A byte order mark, a comment, or text after the value is an error. A number without fraction and exponent
    /// becomes an ``int(_:)`` if it fits in 64 bits (`-0` becomes `0`). Any other number becomes the nearest
    /// ``double(_:)``, so a larger whole number loses its last digits. A number beyond ±1.8e308 is an error.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - rules: The parser's rules for the cases that RFC 8259 leaves open.
    /// - Returns: The value.
    /// - Throws: ``JSONError`` for the first error in the text.
    public static func parse(_ bytes: [UInt8], rules: ReadingRules = .standard) throws(JSONError) -> JSON {
        var reader = JSONReader(bytes: bytes, rules: rules)
        return try reader.document()
    }

    /// Parses one JSON text from any sequence of UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - rules: The parser's rules for the cases that RFC 8259 leaves open.
    /// - Returns: The value.
    /// - Throws: ``JSONError`` for the first error in the text.
    public static func parse(_ bytes: some Sequence<UInt8>, rules: ReadingRules = .standard) throws(JSONError) -> JSON {
        try parse(Array(bytes), rules: rules)
    }

    /// Parses one JSON text.
    ///
    /// ```swift
    /// let value = try JSON.parse(#"{"name": "Ada"}"#)
    /// print(value["name"]?.string ?? "no name")
    /// ```
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - rules: The parser's rules for the cases that RFC 8259 leaves open.
    /// - Returns: The value.
    /// - Throws: ``JSONError`` for the first error in the text.
    public static func parse(_ text: String, rules: ReadingRules = .standard) throws(JSONError) -> JSON {
        try parse(Array(text.utf8), rules: rules)
    }
}
