import LockstepPrimitives

/// Refusals for the state of a user, a session or the instance.
extension ClerkError {
    static let bannedUser = ClerkError(
        403, "user_banned", "User banned", "You have been banned. If you think this was by mistake, please contact support.")

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

    static func notFound(_ id: String) -> ClerkError {
        ClerkError(404, "resource_not_found", "Resource not found", "No resource was found with id \(id)")
    }

    static let routeNotFound = ClerkError(
        404, "resource_not_found", "Resource not found", "The URL was not found on this server. Check the path and the method.")

    static let olderSignIn = ClerkError(
        403, "resource_forbidden", "Update operations are not allowed on older sign ins",
        "Update operations are not allowed on older sign ins")

    static let signInIdentificationGone = ClerkError(
        400, "sign_in_identification_or_user_deleted", "identification or user deleted",
        "Either the user or the selected identification were deleted. Please start over.")

    static let unauthenticated = ClerkError(
        401, "authentication_invalid", "Invalid authentication",
        "Unable to authenticate the request, you need to supply an active session")

    /// The same for a request whose fields are wrong, which says what is.
    static func unauthenticated(because refusal: ClerkError) -> ClerkError {
        let entry = refusal.entries[0]
        return ClerkError(
            401, unauthenticated.code, "Invalid authentication",
            "\(entry.meta["param_name"]?.string ?? "The body"): \(entry.longMessage)")
    }

    static let signedOut = ClerkError(401, "signed_out", "Signed out", "You are signed out")

    static let reverificationRequired = ClerkError(
        403, "session_reverification_required", "Reverification required",
        "You need to provide additional verification to perform this operation")

    static let reverificationMissing = ClerkError(
        400, "session_reverification_missing", "is missing", "You need to start a new session verification flow first")

    static func reverificationAction(_ action: String, _ resolution: String) -> ClerkError {
        ClerkError(
            400, "invalid_action_for_session_reverification", "Invalid action for session reverification",
            "We were unable to \(action) for this session, as it's not ready for \(resolution).")
    }

    static let sessionExists = ClerkError(400, "session_exists", "Session already exists", "You're already signed in.")

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

    static let deleteSelfDisabled = ClerkError(
        403, "user_delete_self_not_enabled", "delete self not enabled", "Self deletion is not enabled for this user")

    static let lastIdentification = ClerkError(
        400, "identification_deletion_failed", "Deletion failed", "You cannot delete your last identification.")

    static func lastRequiredIdentification(_ kind: String) -> ClerkError {
        ClerkError(
            400, "last_required_identification_deletion_failed", "Deletion failed",
            "You are required to maintain at least one \(kind) in your account at all times")
    }

    static let linkedIdentification = ClerkError(
        400, "delete_linked_identification_disallowed", "Deleting a linked email address is not allowed",
        "This email address is linked to one or more Connected Accounts. "
            + "Remove the Connected Account before deleting this email address.")

    static let identificationUpdate = ClerkError(
        400, "identification_update_failed", "Update failed", "You cannot set your last identification as second factor.")

    static let signUpRestricted = ClerkError(
        403, "sign_up_mode_restricted", "Sign-ups restricted", "New sign-ups are currently restricted.")

    static let signUpWaitlisted = ClerkError(
        403, "sign_up_restricted_waitlist", "Sign-ups restricted with waitlist",
        "Sign-ups are currently unavailable. Join the waitlist, and you will be notified when access becomes available.")

    static func notAllowed(_ identifier: String) -> ClerkError {
        ClerkError(
            403, "not_allowed_access", "Access not allowed.", "\(identifier) is not allowed to access this application.",
            meta: ["identifiers": [.string(identifier)]])
    }

    static func duplicateIdentifier(_ identifier: String) -> ClerkError {
        ClerkError(400, "duplicate_record", "duplicate identifier", "the identifier \(identifier) already exists")
    }

    static func waitlisted(_ status: WaitlistRecord.Status) -> ClerkError {
        ClerkError(
            409, "waitlist_entry_already_\(status.rawValue)", "Waitlist entry already \(status.rawValue)",
            "The waitlist entry has already been \(status.rawValue).")
    }

    static let svixAppExists = ClerkError(400, "svix_app_exists", "Only one Svix app is allowed per instance.")

    static let svixAppMissing = ClerkError(
        400, "svix_app_missing", "No Svix apps are associated with the current instance.")

    static let productionOnly = ClerkError(
        400, "request_invalid_for_environment", "Invalid request for environment", "Request only valid for production instances.")

    static let productionDomains = ClerkError(
        400, "domain_update_forbidden", "Domain update was forbidden", "Domain can be only updated for production instances")

    static let primaryDomain = ClerkError(
        403, "operation_not_allowed_on_primary_domain", "operation not allowed",
        "This operation is not allowed on a primary domain. Try again with a satellite domain of the instance.")

    static let primaryDomainExists = ClerkError(
        422, "primary_domain_already_exists", "primary domain already exists",
        "Currently, only a single primary domain is supported and the current instance already has one.",
        parameter: "is_satellite")

    static let waitlistClosed = ClerkError(
        403, "waitlist_not_accepting_entries", "Waitlist not accepting entries",
        "The waitlist is not accepting new entries at this time. Please try again later.")

    static let featureNotEnabled = ClerkError(
        403, "feature_not_enabled", "not enabled", "This feature is not enabled on this instance")

    static let imageNotFound = ClerkError(404, "image_not_found", "Image not found")

    static func quota(_ limit: Int) -> ClerkError {
        ClerkError(403, "user_quota_exceeded", "user quota exceeded", "You have reached your limit of \(limit) users.")
    }
}
