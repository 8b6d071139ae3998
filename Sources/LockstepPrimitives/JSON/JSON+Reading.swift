extension JSON {
    /// How a reader treats texts that RFC 8259 leaves open.
    public struct ReadingRules: Sendable {
        /// How many lists and objects may lie within each other; each level costs stack, so keep it small for strange texts.
        public var depthLimit: Int
        /// How many values the text may have in all: members, elements, and the lists and objects themselves.
        ///
        /// A value takes many times the memory of its shortest text.
        public var valueLimit: Int
        /// How to treat bytes that are not UTF-8, and escaped halves of surrogate pairs.
        public var brokenText: BrokenText
        /// How to treat a second member of the same name.
        public var repeatedNames: RepeatedNames

        /// Custom rules.
        public init(
            depthLimit: Int = 256, valueLimit: Int = .max, brokenText: BrokenText = .refused,
            repeatedNames: RepeatedNames = .lastCounts
        ) {
            self.depthLimit = depthLimit
            self.valueLimit = valueLimit
            self.brokenText = brokenText
            self.repeatedNames = repeatedNames
        }

        /// How to treat a text that Unicode does not allow.
        public enum BrokenText: Sendable {
            /// An error.
            case refused
            /// U+FFFD in its place, as Go's and JavaScript's decoders do.
            case replaced
        }

        /// How to treat a second member of the same name.
        public enum RepeatedNames: Sendable {
            /// The last value, in the place of the first.
            case lastCounts
            /// An error: for signed texts, where two readers must never differ.
            case refused
        }

        /// 256 levels, any number of values, broken texts refused, the last of repeated names counts.
        public static let standard = ReadingRules()

        /// The same for what a backend answers: 64 levels, 500,000 values, no name twice.
        ///
        /// They allow a user with 60,000 members of metadata in each place that a provider repeats them in. A repeated name is
        /// refused: no backend writes one, and a proxy on the way may have read the other value.
        public static let answer = ReadingRules(depthLimit: 64, valueLimit: 500_000, repeatedNames: .refused)
    }

    /// Reads one JSON text in UTF-8, strictly as RFC 8259 has it: no byte order mark, no comments, nothing after the value but
    /// white space.
    ///
    /// A number without fraction and exponent that fits 64 bits is an ``int(_:)`` (`-0` is `0`); any other is the nearest
    /// ``double(_:)``, so that a whole number beyond 64 bits loses its last digits, and one beyond ±1.8e308 is an error.
    ///
    /// - Throws: ``JSONError`` with the first offence.
    public static func parse(_ bytes: [UInt8], rules: ReadingRules = .standard) throws(JSONError) -> JSON {
        var reader = JSONReader(bytes: bytes, rules: rules)
        return try reader.document()
    }

    /// Reads one JSON text in UTF-8, as ``parse(_:rules:)`` of an array does.
    public static func parse(_ bytes: some Sequence<UInt8>, rules: ReadingRules = .standard) throws(JSONError) -> JSON {
        try parse(Array(bytes), rules: rules)
    }

    /// Reads one JSON text.
    public static func parse(_ text: String, rules: ReadingRules = .standard) throws(JSONError) -> JSON {
        try parse(Array(text.utf8), rules: rules)
    }
}
