extension JSON {
    /// The rules for cases that RFC 8259 leaves open.
    public struct ReadingRules: Sendable {
        /// The maximum nesting of arrays and objects.
        ///
        /// Each level costs stack, so keep it small for untrusted text.
        public var depthLimit: Int
        /// The maximum number of values in the text: members, elements, and the arrays and objects themselves.
        ///
        /// A value takes many times the memory of its shortest text.
        public var valueLimit: Int
        /// The treatment of bytes that are not UTF-8, and of escaped surrogates without their pair.
        public var brokenText: BrokenText
        /// The treatment of a second member with the same name.
        public var repeatedNames: RepeatedNames

        /// Creates custom rules.
        ///
        /// - Parameters:
        ///   - depthLimit: The maximum nesting of arrays and objects. Default: 256.
        ///   - valueLimit: The maximum number of values. Default: no limit.
        ///   - brokenText: The treatment of invalid UTF-8 and of lone surrogates. Default: an error.
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
            /// The reader reports an error.
            case refused
            /// U+FFFD replaces the invalid part, as in the decoders of Go and JavaScript.
            case replaced
        }

        /// The treatment of a second member with the same name.
        public enum RepeatedNames: Sendable {
            /// The last value is used, at the place of the first.
            case lastCounts
            /// The reader reports an error.
            ///
            /// Use it for signed text, which all readers must read alike.
            case refused
        }

        /// The default rules: 256 levels, any number of values, an error for invalid text, and the last of repeated
        /// names.
        public static let standard = ReadingRules()

        /// The rules for a backend's responses: 64 levels, 500,000 values, and no repeated names.
        ///
        /// They allow a user with 60,000 members of metadata in each place where a provider repeats them. Repeated names
        /// are rejected: no backend writes them, and a proxy on the way may have read the other value.
        public static let answer = ReadingRules(depthLimit: 64, valueLimit: 500_000, repeatedNames: .refused)
    }

    /// Parses one JSON text in UTF-8, strictly by RFC 8259.
    ///
    /// A byte order mark, comments and text after the value are errors. A number without fraction and exponent that fits
    /// 64 bits becomes an ``int(_:)`` (`-0` becomes `0`). Any other number becomes the nearest ``double(_:)``, so a whole
    /// number beyond 64 bits loses its last digits. A number beyond ±1.8e308 is an error.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - rules: The rules for cases that RFC 8259 leaves open.
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
    ///   - rules: The rules for cases that RFC 8259 leaves open.
    /// - Returns: The value.
    /// - Throws: ``JSONError`` for the first error in the text.
    public static func parse(_ bytes: some Sequence<UInt8>, rules: ReadingRules = .standard) throws(JSONError) -> JSON {
        try parse(Array(bytes), rules: rules)
    }

    /// Parses one JSON text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - rules: The rules for cases that RFC 8259 leaves open.
    /// - Returns: The value.
    /// - Throws: ``JSONError`` for the first error in the text.
    public static func parse(_ text: String, rules: ReadingRules = .standard) throws(JSONError) -> JSON {
        try parse(Array(text.utf8), rules: rules)
    }
}
