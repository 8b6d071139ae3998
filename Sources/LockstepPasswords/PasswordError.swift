/// An error that occurred while a password hash was read, checked or created.
///
/// ```swift
/// do {
///     _ = try PasswordHash("not a hash")
/// } catch {
///     print(error.code == .unsupported, error.message)
/// }
/// ```
public struct PasswordError: Error, Hashable, Sendable {
    /// The kind of failure.
    public let code: Code
    /// A message for developers that describes the failure in one sentence.
    ///
    /// The message contains no part of the password or of the hash.
    public let message: String
    /// The parameter of an import that is missing or out of range, by the name that its provider uses.
    package let parameter: String?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The failure in one sentence.
    public init(_ code: Code, _ message: String) {
        self.init(code, message, parameter: nil)
    }

    init(_ code: Code, _ message: String, parameter: String?) {
        self.code = code
        self.message = message
        self.parameter = parameter
    }

    /// The kind of a failure.
    ///
    /// Later versions may add kinds.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The name of the code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The hash does not have the format of its algorithm.
        public static let malformed = Code(rawValue: "malformed")
        /// The algorithm is unknown, or the provider does not support the algorithm.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A check of the hash would need more memory or time than the limits allow.
        public static let tooCostly = Code(rawValue: "tooCostly")
        /// The new password is too long for the algorithm; for example, bcrypt supports only 72 bytes.
        public static let passwordTooLong = Code(rawValue: "passwordTooLong")
        /// The machine cannot compute the hash, because it has too little memory or its policy forbids the algorithm.
        public static let unavailable = Code(rawValue: "unavailable")
    }
}

extension PasswordError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension PasswordError {
    static func malformed(_ what: String) -> PasswordError {
        PasswordError(.malformed, "The \(what) hash does not have the format of \(what) hashes.")
    }
}
