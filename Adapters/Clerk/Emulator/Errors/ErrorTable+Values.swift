import LockstepPrimitives

/// The rows of the error table that have several values, or that depend on them.
extension ClerkError {
    // Errors of a form's values.

    static func empty(_ parameter: String) -> ClerkError {
        ClerkError(422, "form_param_nil", "cannot be blank", "Enter \(words(parameter)).", parameter: parameter)
    }

    static func malformed(_ parameter: String, _ sentence: String) -> ClerkError {
        ClerkError(422, "form_param_format_invalid", "is invalid", sentence, parameter: parameter)
    }

    static func wrongType(_ parameter: String, _ type: String) -> ClerkError {
        ClerkError(422, "form_param_type_invalid", "is invalid", "`\(parameter)` must be a `\(type)`.", parameter: parameter)
    }

    static func invalidValue(_ parameter: String, _ value: String) -> ClerkError {
        ClerkError(
            422, "form_param_value_invalid", "is invalid",
            "\(value) does not match one of the allowed values for parameter \(parameter)", parameter: parameter)
    }

    static func tooLong(_ parameter: String, _ limit: Int) -> ClerkError {
        ClerkError(
            422, "form_param_max_length_exceeded", "exceeds maximum length",
            "\(parameter) should not exceed \(limit) characters.", parameter: parameter)
    }

    static func tooBig(_ parameter: String, bytes: Int) -> ClerkError {
        ClerkError(
            422, "form_param_exceeds_allowed_size", "exceeds allowed size",
            "\(parameter) must not be larger than \(bytes) bytes.", parameter: parameter)
    }

    static func conditionallyMissing(_ parameter: String, when condition: String, is value: String) -> ClerkError {
        ClerkError(
            422, "form_conditional_param_missing", "is missing", "`\(parameter)` is required when `\(condition)` is `\(value)`.",
            parameter: parameter)
    }

    static func disallowed(_ parameter: String, when condition: String, is value: String) -> ClerkError {
        ClerkError(
            422, "form_conditional_param_disallowed", "is not allowed",
            "`\(parameter)` isn't allowed when `\(condition)` is \(value).", parameter: parameter)
    }

    static func missingData(_ parameters: [String]) -> ClerkError {
        ClerkError(
            422, "form_data_missing", "missing data", "\(parameters) data doesn't match user requirements set for this instance",
            meta: ["param_names": .array(parameters.map { .string($0) })])
    }

    static func taken(_ parameter: String) -> ClerkError {
        let sentence = "That \(words(parameter)) is taken. Please try another."
        return ClerkError(422, "form_identifier_exists", sentence, parameter: parameter)
    }

    /// Copies a redirect error for another parameter name.
    static func redirect(_ refusal: ClerkError, _ parameter: String) -> ClerkError {
        var refusal = refusal
        refusal.entries[0].meta["param_name"] = .string(parameter)
        return refusal
    }

    private static func words(_ parameter: String) -> String {
        parameter.pieces(at: "_").joined(separator: " ")
    }

    // Errors of a request before its handler runs.

    static func contentType(_ actual: String, expected: String) -> ClerkError {
        ClerkError(
            415, "unsupported_content_type", "Content-Type is unsupported",
            "Content-Type \(actual) is unsupported. You should use \(expected) instead.")
    }

    /// Clerk's catalogue has no code for a wrong method: the path does not exist for it.
    static func wrongMethod(_ methods: [String]) -> ClerkError {
        ClerkError(
            405, "resource_not_found", "Resource not found",
            "This path takes \(methods.joined(separator: ", ")) only. Check the method.")
    }

    /// Returns the error for an operation in Clerk's documents that the emulator does not support; the code is the
    /// emulator's own.
    static func notBuilt(_ operation: ClerkOperation) -> ClerkError {
        var sentence = "The operation \(operation.id) (\(operation.method) \(operation.path)) is not built here."
        if case .refused(let reason?) = operation.standing { sentence += " It is left out: \(reason)." }
        return ClerkError(
            501, "lockstep_operation_not_built", "Not built here", sentence + " See docs/clerk-emulator.md.",
            meta: ["operation_id": .string(operation.id)])
    }

    static func tooManyRequests(retryAfter seconds: Int) -> ClerkError {
        var refusal = ClerkError(429, "too_many_requests", "Too many requests", "Too many requests, retry later")
        refusal.retryAfter = seconds
        return refusal
    }

    // Errors for the state of a user, a session or the instance.

    static func lockedUser(seconds: Int64?) -> ClerkError {
        guard let seconds else {
            return ClerkError(
                403, "user_locked", "Account locked", "Your account is locked. For more information, please contact support.")
        }
        let minutes = max(1, (seconds + 59) / 60)
        return ClerkError(
            403, "user_locked", "Account locked",
            "Your account is locked. You will be able to try again in \(minutes) minutes. For more information, please contact support.",
            meta: ["lockout_expires_in_seconds": .int(seconds)])
    }

    static func lockoutWarning(attemptsLeft: Int) -> ClerkError {
        let attempts = attemptsLeft == 1 ? "1 more attempt" : "\(attemptsLeft) more attempts"
        return ClerkError(
            422, "account_lockout_warning", "Account lockout warning", "You have \(attempts) before your account is locked.")
    }

    /// Returns the error for missing credentials if a request also has a wrong field, which the error names.
    static func unauthenticated(because refusal: ClerkError) -> ClerkError {
        let entry = refusal.entries[0]
        return ClerkError(
            401, unauthenticated.code, "Invalid authentication",
            "\(entry.meta["param_name"]?.string ?? "The body"): \(entry.longMessage)")
    }

    static func reverificationAction(_ action: String, _ resolution: String) -> ClerkError {
        ClerkError(
            400, "invalid_action_for_session_reverification", "Invalid action for session reverification",
            "We were unable to \(action) for this session, as it's not ready for \(resolution).")
    }

    static func alreadySignedIn(_ session: String) -> ClerkError {
        ClerkError(400, "identifier_already_signed_in", "You're already signed in", meta: ["session_id": .string(session)])
    }

    static func sessionAction(_ action: String, _ session: String) -> ClerkError {
        ClerkError(400, "invalid_action_for_session", "Invalid action for user session", "Unable to \(action) session \(session)")
    }

    static func clientState(_ action: String, _ resolution: String) -> ClerkError {
        ClerkError(
            400, "client_state_invalid", "Invalid action", "We were unable to complete \(action) for this Client. \(resolution)")
    }

    static func notAllowed(_ identifier: String) -> ClerkError {
        ClerkError(
            403, "not_allowed_access", "Access not allowed.", "\(identifier) is not allowed to access this application.",
            meta: ["identifiers": [.string(identifier)]])
    }

    // Errors of a verification: codes, links, second factors, tickets.

    static func resentTooSoon(retryAfter seconds: Int) -> ClerkError {
        var refusal = ClerkError(
            429, "verification_code_too_many_requests", "Too many verification code requests",
            "Too many verification code requests. Please wait at least 30 seconds to receive your code before trying again.")
        refusal.retryAfter = seconds
        return refusal
    }

    static func linkToken(_ problem: String) -> ClerkError {
        let sentences = [
            "expired": "Verification link token has expired",
            "invalid": "Verification link token is invalid",
            "stale": "Verification link token is no longer valid. Please request a new one.",
        ]
        return ClerkError(
            400, "verification_link_token_\(problem)", "\(problem) link token",
            sentences[problem] ?? "Verification link token is invalid")
    }

    static func ticket(_ kind: TicketRecord.Kind, is status: String) -> ClerkError {
        switch (kind, status) {
        case (.invitation, "accepted"):
            ClerkError(400, "invitation_already_accepted", "Invitation is already accepted, try signing in instead.")
        case (.invitation, _): ClerkError(400, "revoked_invitation", "The invitation was revoked.")
        case (.organizationInvitation, "accepted"):
            ClerkError(
                400, "organization_invitation_already_accepted", "invitation has already been accepted",
                "This invitation has already been accepted. Sign in instead.")
        case (.organizationInvitation, _):
            ClerkError(
                400, "organization_invitation_revoked_code", "invitation has been revoked",
                "This invitation has been revoked and cannot be used anymore.")
        case (.actorToken, "accepted"):
            ClerkError(
                400, "actor_token_already_used_code", "actor token has already been used",
                "This actor token has already been used. Each token can only be used once.")
        case (.actorToken, _):
            ClerkError(
                400, "actor_token_revoked_code", "actor token has been revoked",
                "This actor token has been revoked and cannot be used anymore.")
        case (.signInToken, "accepted"), (.approvedLink, "accepted"): signInToken("already_used")
        case (.signInToken, _), (.approvedLink, _): signInToken("revoked")
        }
    }

    static func signInToken(_ problem: String) -> ClerkError {
        let sentences = [
            "already_used": "This sign in token has already been used. Each token can only be used once.",
            "revoked": "This sign in token has been revoked and cannot be used anymore.",
            "cannot_be_used": "This sign in token cannot be used anymore. Please request a new one.",
            "not_in_sign_in": "Sign in tokens can only be used during sign in.",
        ]
        let message = problem == "not_in_sign_in" ? "not in sign in" : "sign in token cannot be used"
        return ClerkError(400, "sign_in_token_\(problem)_code", message, sentences[problem] ?? message)
    }

    // Errors of a password: a new password that breaks the policy, or a wrong password.

    static func shortPassword(_ parameter: String, _ length: Int) -> ClerkError {
        ClerkError(422, "form_password_length_too_short", "Passwords must be \(length) characters or more.", parameter: parameter)
    }

    static func longPassword(_ parameter: String, _ length: Int) -> ClerkError {
        ClerkError(
            422, "form_password_length_too_long", "Passwords must be less than \(length) characters.", parameter: parameter)
    }

    static func passwordWithout(_ kind: String, _ words: String, _ parameter: String) -> ClerkError {
        ClerkError(422, "form_password_no_\(kind)", "Passwords must contain at least one \(words).", parameter: parameter)
    }

    // Errors of organizations.

    static func missingPermission(_ permission: SystemPermission) -> ClerkError {
        ClerkError(
            403, "missing_organization_permission", "missing permission", "Current user is missing an organization permission.",
            meta: ["permissions": [.string(permission.rawValue)]])
    }

    // Errors of roles and permissions.

    static func creatorPermissions(_ keys: [String]) -> ClerkError {
        ClerkError(
            422, "organization_missing_creator_role_permissions", "missing permissions for creator role",
            "The creator role must contain the following permissions: \(keys.joined(separator: ", "))")
    }

    static func mappingsMissing(_ roles: [String]) -> ClerkError {
        ClerkError(
            422, "organization_role_set_reassignment_mappings_missing", "reassignment mappings missing",
            "The following roles are missing from the reassignment mappings: \(roles.joined(separator: ", "))",
            meta: ["role_keys": .strings(roles)])
    }
}
