public import Lockstep

extension AuthError {
    /// The same error, for a signed-in user who entered their current password.
    ///
    /// The email address cannot be the cause.
    public var aboutCurrentPassword: AuthError {
        var error = self
        error.message = "The current password is wrong. Ask the user to type it again."
        return error
    }
}
