/// The reason why a password hash was not computed.
struct HashError: Error, Hashable, Sendable {
    /// The kind of a failure.
    let code: Code
    /// The failure in one sentence.
    ///
    /// The sentence contains nothing from the password.
    let message: String

    /// Creates a failure.
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
        /// The memory is not sufficient, or this machine's library does not contain the algorithm.
        case unavailable
    }
}

extension HashError: CustomStringConvertible {
    /// The code and the sentence.
    var description: String { "\(code.rawValue): \(message)" }
}
