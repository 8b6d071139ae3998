import LockstepPrimitives

/// Refusals of a password: a new one that breaks the policy, or one that is wrong.
extension ClerkError {
    static let wrongPassword = ClerkError(
        422, "form_password_incorrect", "Password is incorrect. Try again, or use another method.", parameter: "password")

    static let wrongPasswordOrIdentifier = ClerkError(
        422, "form_password_or_identifier_incorrect", "Password or identifier is incorrect. Try again, or use another method.")

    static func wrongCurrentPassword(_ parameter: String) -> ClerkError {
        ClerkError(422, "form_password_validation_failed", "Incorrect password. Please try again.", parameter: parameter)
    }

    static let samePassword = ClerkError(
        422, "form_new_password_matches_current", "is invalid", "New password cannot be the same as the current password.",
        parameter: "new_password")

    static let compromisedPassword = ClerkError(
        422, "form_password_compromised", "Password compromised",
        "Your password may be compromised. To protect your account, please continue with an alternative sign-in method. "
            + "You will be required to reset your password after signing in.", parameter: "password")

    static let noPassword = ClerkError(
        400, "no_password_set", "no password set", "This user does not have a password set for their account")

    static let passwordRequired = ClerkError(
        400, "password_required", "password required",
        "Settings for this instance require a password to be set. Cannot remove the user's password.")

    static let incorrectPassword = ClerkError(
        422, "incorrect_password", "incorrect password", "The provided password is not the one the user has set")

    static let unreadableDigest = ClerkError(
        422, "form_password_digest_invalid_code", "is invalid", "The password digest does not match the given hasher.",
        parameter: "password_digest")

    static func shortPassword(_ parameter: String, _ length: Int) -> ClerkError {
        ClerkError(422, "form_password_length_too_short", "Passwords must be \(length) characters or more.", parameter: parameter)
    }

    static func longPassword(_ parameter: String, _ length: Int) -> ClerkError {
        ClerkError(
            422, "form_password_length_too_long", "Passwords must be less than \(length) characters.", parameter: parameter)
    }

    static func bigPassword(_ parameter: String) -> ClerkError {
        ClerkError(
            422, "form_password_size_in_bytes_exceeded", "Your password is too long. Please use a shorter one.",
            parameter: parameter)
    }

    static func knownPassword(_ parameter: String) -> ClerkError {
        ClerkError(
            422, "form_password_pwned",
            "Password has been found in an online data breach. For account safety, please use a different password.",
            parameter: parameter)
    }

    static func passwordIsIdentifier(_ parameter: String) -> ClerkError {
        ClerkError(
            422, "form_password_matches_identifier",
            "Password cannot match your email address, phone number or username. For account safety, please use a different password.",
            parameter: parameter)
    }

    static func passwordWithout(_ kind: String, _ words: String, _ parameter: String) -> ClerkError {
        ClerkError(422, "form_password_no_\(kind)", "Passwords must contain at least one \(words).", parameter: parameter)
    }
}
