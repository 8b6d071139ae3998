/// A setting that cannot be used.
public struct ClerkSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// A kind by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text is neither `key=value` lines nor a JSON object.
        public static let malformed = Code(rawValue: "malformed")
        /// No setting has that name.
        public static let unknownName = Code(rawValue: "unknownName")
        /// The setting does not take that value.
        public static let badValue = Code(rawValue: "badValue")
        /// Settings that are fine alone contradict each other.
        public static let contradiction = Code(rawValue: "contradiction")
    }

    /// The kind of error.
    public let code: Code
    /// The error and its remedy, in one sentence.
    public let sentence: String

    /// The sentence.
    public var description: String { sentence }
}
