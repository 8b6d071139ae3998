public import Lockstep

extension AuthError {
    /// The same error, with the message that the current password is wrong.
    ///
    /// Use it for a signed-in user who typed the current password. In that case, the email address cannot be the cause.
    public var aboutCurrentPassword: AuthError {
        var error = self
        error.message = "The current password is wrong. Ask the user to type it again."
        return error
    }
}
