import LockstepPrimitives

/// Refusals around organizations.
extension ClerkError {
    static let organizationsDisabled = ClerkError(
        403, "organization_not_enabled_in_instance", "access denied",
        "The organizations feature is not enabled for this instance. Set ORGANIZATIONS to true.")

    static let noSuchOrganization = ClerkError(
        404, "organization_not_found_or_unauthorized", "not found or unauthorized",
        "Given organization not found, or you don't have permission to access the organization")

    static let notAMember = ClerkError(
        403, "not_a_member_in_organization", "not a member",
        "Current user is not a member of the organization. Only organization members can perform this action.")

    static func missingPermission(_ permission: SystemPermission) -> ClerkError {
        ClerkError(
            403, "missing_organization_permission", "missing permission",
            "Current user is missing an organization permission.", meta: ["permissions": [.string(permission.rawValue)]])
    }

    static func alreadyMember(_ user: String) -> ClerkError {
        ClerkError(
            400, "already_a_member_in_organization", "already a member", "\(user) is already a member of the organization.")
    }

    static let lastManager = ClerkError(
        400, "organization_minimum_permissions_needed", "minimum organization permissions needed",
        "There has to be at least one organization member with the minimum required permissions")

    static let cannotCreateOrganizations = ClerkError(
        403, "user_create_organization_not_enabled", "create organization not enabled",
        "Organization creation is not enabled for this user")

    static func organizationQuota(_ limit: Int) -> ClerkError {
        ClerkError(
            403, "organization_quota_exceeded", "organization quota exceeded",
            "You have reached your limit of \(limit) organizations.")
    }

    static func membershipQuota(_ limit: Int) -> ClerkError {
        ClerkError(
            403, "organization_membership_quota_exceeded", "organization membership quota exceeded",
            "You have reached your limit of \(limit) organization memberships, including outstanding invitations.")
    }

    static let adminDeleteDisabled = ClerkError(
        403, "organization_admin_delete_not_enabled", "admin delete not enabled",
        "Deletion by admin is not enabled for this organization.")

    static let slugsDisabled = ClerkError(
        403, "organization_slugs_disabled", "organization slugs not enabled",
        "This instance does not have slugs enabled for organizations.")

    static func creatorMissing(_ id: String) -> ClerkError {
        ClerkError(400, "organization_creator_not_found", "creator not found", "No users found with id \(id).")
    }

    /// A parameter that names something that is not there.
    static func resourceMissing(_ parameter: String) -> ClerkError {
        ClerkError(
            422, "form_resource_not_found", "is missing",
            "The resource associated with the supplied \(parameter) was not found.", parameter: parameter)
    }

    static func exists(_ parameter: String) -> ClerkError {
        ClerkError(422, "form_already_exists", "already exists", "This \(parameter) already exists.", parameter: parameter)
    }
}

/// Refusals around roles and permissions.
extension ClerkError {
    static let creatorRole = ClerkError(
        422, "organization_role_default_creator_role", "role is used as the creator role",
        "The organization role cannot be deleted as it is currently used as the creator role.")

    static let domainRole = ClerkError(
        422, "organization_role_domain_default_role", "role is used as the domain default role",
        "The organization role cannot be deleted as it is currently used as the default domain role.")

    static let assignedRole = ClerkError(
        422, "organization_role_assigned_members", "role is assigned to organization members",
        "The organization role is currently assigned to one or more organization members.")

    static let invitedRole = ClerkError(
        422, "organization_role_exists_in_invitations", "role exists in pending organization invitations",
        "The organization role exists in one or more pending organization invitations. Please revoke these invitations to proceed."
    )

    static func creatorPermissions(_ keys: [String]) -> ClerkError {
        ClerkError(
            422, "organization_missing_creator_role_permissions", "missing permissions for creator role",
            "The creator role must contain the following permissions: \(keys.joined(separator: ", "))")
    }

    static let systemPermission = ClerkError(
        403, "organization_system_permission_not_modifiable", "organization system permission cannot be modified",
        "This organization permission cannot be modified because it is a system permission.")

    static let permissionAssigned = ClerkError(
        409, "organization_role_permission_association_exists", "permission already assigned to role",
        "This organization permission is already associated to this organization role.")

    static let permissionNotAssigned = ClerkError(
        404, "organization_role_permission_association_not_found", "permission not assigned to role",
        "This organization permission is not associated with the organization role.")

    static func mappingsMissing(_ roles: [String]) -> ClerkError {
        ClerkError(
            422, "organization_role_set_reassignment_mappings_missing", "reassignment mappings missing",
            "The following roles are missing from the reassignment mappings: \(roles.joined(separator: ", "))",
            meta: ["role_keys": .strings(roles)])
    }
}

/// Refusals around invitations, suggestions and domains of organizations.
extension ClerkError {
    static let invitationNotUnique = ClerkError(
        400, "organization_invitation_not_unique", "organization invitation not unique",
        "Organizations cannot have duplicate pending invitations for an email address.")

    static let invitationNotPending = ClerkError(
        404, "organization_invitation_not_pending", "not pending", "The organization invitation is not in the 'pending' status.")

    static func invitationMissing(_ id: String) -> ClerkError {
        ClerkError(404, "organization_invitation_not_found", "not found", "No invitation found with id \(id).")
    }

    static let invitedUserMissing = ClerkError(
        400, "organization_invitation_identification_not_exist", "identification not found",
        "User not found. If you don't have an account, sign up first to accept this invitation.")

    static let invitedUserExists = ClerkError(
        400, "organization_invitation_identification_already_exists", "email address already exists",
        "The email address in this invitation already exists. If it belongs to you, try signing in instead.")

    static let suggestionAccepted = ClerkError(
        400, "organization_suggestion_already_accepted", "suggestion has already been accepted",
        "This organization suggestion has already been accepted.")

    static let domainsDisabled = ClerkError(
        403, "organization_domains_not_enabled", "organization domains not enabled",
        "This instance does not have domains enabled for organizations.")

    static func enrollmentModeDisabled(_ mode: String) -> ClerkError {
        ClerkError(
            403, "organization_domain_enrollment_mode_not_enabled", "organization enrollment mode not enabled",
            "Enrollment mode \(mode) is not enabled for this instances's organizations.")
    }

    static func domainQuota(_ limit: Int) -> ClerkError {
        ClerkError(
            403, "organization_domain_quota_exceeded", "organization domains quota exceeded",
            "You have reached your limit of \(limit) domains per organization.")
    }

    static let domainIsOwn = ClerkError(
        422, "organization_domain_already_exists_same_organization", "organization domain already exists",
        "This domain is already used by your organization.", parameter: "name")

    static let domainIsOthers = ClerkError(
        422, "organization_domain_already_exists", "organization domain already exists",
        "This domain is already used by another organization.", parameter: "name")

    static let commonDomain = ClerkError(
        422, "organization_domain_common", "common email domain",
        "This is a common email provider domain. Please use a different one.", parameter: "name")

    static let domainMismatch = ClerkError(
        422, "organization_domain_mismatch", "Organization domain mismatch",
        "The provided email address doesn't match the organization domain name.", parameter: "affiliation_email_address")

    static func domainNotVerified(_ name: String) -> ClerkError {
        ClerkError(
            422, "organization_domain_ownership_not_verified", "organization domain not verified",
            "The domain \(name) is not a verified domain of this organization. Verify ownership of the domain before using it here.",
            parameter: "enrollment_mode")
    }
}
