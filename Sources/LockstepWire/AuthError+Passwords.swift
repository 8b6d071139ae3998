public import Lockstep

extension AuthError {
    /// The same error about the password that a signed-in user has typed again: the address is not in question.
    public var aboutCurrentPassword: AuthError {
        var error = self
        error.message = "The current password is wrong. Ask the user to type it again."
        return error
    }
}
