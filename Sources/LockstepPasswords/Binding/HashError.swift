/// The reason why a password hash was not computed.
struct HashError: Error, Hashable, Sendable {
    /// The kind of a failure.
    let code: Code
    /// The failure in one sentence, which contains nothing of the password.
    let message: String

    /// A failure with its sentence.
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of failure.
    enum Code: String, Hashable, Sendable {
        /// The algorithm does not accept a cost, a salt or a length.
        case invalidParameter
        /// The algorithm does not accept the password, because crypt(3) ends a text at its first NUL.
        case invalidPassword
        /// No memory, or an algorithm that this machine's library was built without.
        case unavailable
    }
}

extension HashError: CustomStringConvertible {
    /// The sentence, after the code.
    var description: String { "\(code.rawValue): \(message)" }
}
