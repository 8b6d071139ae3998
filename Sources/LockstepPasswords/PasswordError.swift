/// Why a password hash was not read, checked or made.
public struct PasswordError: Error, Hashable, Sendable {
    /// What kind of failure it is.
    public let code: Code
    /// One sentence that says what was wrong; it holds nothing of password or hash.
    public let message: String

    /// A failure with its sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of failure; later versions may add more.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// The kind of a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A hash that is not written as its algorithm writes it.
        public static let malformed = Code(rawValue: "malformed")
        /// An algorithm that is not known here, or that the provider in question does not take.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A hash whose check would take more memory or time than the limits allow.
        public static let tooCostly = Code(rawValue: "tooCostly")
        /// A new password that the algorithm would cut: bcrypt takes 72 bytes.
        public static let passwordTooLong = Code(rawValue: "passwordTooLong")
        /// The machine could not do it: no memory, or an algorithm that its policy forbids.
        public static let unavailable = Code(rawValue: "unavailable")
    }
}

extension PasswordError: CustomStringConvertible {
    /// The sentence, after the code.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension PasswordError {
    static func malformed(_ what: String) -> PasswordError {
        PasswordError(.malformed, "The \(what) hash is not written as \(what) hashes are.")
    }
}
