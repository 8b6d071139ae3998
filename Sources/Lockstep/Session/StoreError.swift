/// What a session store could not do.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The value has another revision by now.
        public static let conflict = Code(rawValue: "conflict")
        /// The store cannot be read now.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The store cannot be written now.
        public static let unwritable = Code(rawValue: "unwritable")
        /// There is no space left.
        public static let full = Code(rawValue: "full")
        /// What is stored cannot be decoded; it is quarantined.
        public static let corrupt = Code(rawValue: "corrupt")
        /// Another task or process holds the exclusive section.
        public static let busy = Code(rawValue: "busy")
    }

    /// What kind of failure it is.
    public var code: Code
    /// What was wrong and what to do.
    public var message: String

    /// An error of its own.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A conditional change failed because the value has another revision by now.
    public static let changed = StoreError(.conflict, "The value has changed since it was read. Read it again.")

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
