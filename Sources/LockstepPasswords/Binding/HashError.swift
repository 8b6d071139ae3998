/// Why a password hash was not computed.
struct HashError: Error, Hashable, Sendable {
    /// What kind of failure it is.
    let code: Code
    /// One sentence that says what was wrong; it holds nothing of the password.
    let message: String

    /// A failure with its sentence.
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of failure.
    enum Code: String, Hashable, Sendable {
        /// A cost, a salt or a length that the algorithm does not take.
        case invalidParameter
        /// A password that the algorithm cannot take: crypt(3) ends a text at its first NUL.
        case invalidPassword
        /// No memory, or an algorithm that this machine's library was built without.
        case unavailable
    }
}

extension HashError: CustomStringConvertible {
    /// The sentence, after the code.
    var description: String { "\(code.rawValue): \(message)" }
}
