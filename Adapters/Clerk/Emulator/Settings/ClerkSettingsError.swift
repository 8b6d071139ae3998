/// A setting that cannot be used.
public struct ClerkSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of mistake it is.
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

    /// What kind of mistake it is.
    public let code: Code
    /// What is wrong and what to do, in one sentence.
    public let sentence: String

    /// The sentence.
    public var description: String { sentence }
}
