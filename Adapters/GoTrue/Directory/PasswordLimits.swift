package import Lockstep
package import LockstepPrimitives

extension GoTrueDirectory {
    /// Checks that the server's bcrypt hashes the whole password: 1 to 72 bytes without NUL.
    ///
    /// The server replaces an empty password with a random one. It responds with 500 if a new user's password is too
    /// long.
    ///
    /// - Parameter password: The password, as text.
    /// - Returns: The password.
    /// - Throws: `weakPassword` with its reason.
    package static func hashable(_ password: Secret) throws(AuthError) -> Secret {
        let bytes = password.reveal().utf8
        if bytes.isEmpty { throw refusal("The password is empty. Choose another one.", "length") }
        if bytes.count > 72 {
            throw refusal(
                "The password has \(bytes.count) bytes, but GoTrue accepts at most 72. Choose a shorter one.", "tooLong")
        }
        if bytes.contains(0) { throw refusal("The password contains NUL. Choose another one.", "characters") }
        return password
    }

    private static func refusal(_ sentence: String, _ reason: String) -> AuthError {
        AuthError(.weakPassword, sentence + " Nothing was sent.", remedies: [.choosePassword], reasons: [reason])
    }
}
