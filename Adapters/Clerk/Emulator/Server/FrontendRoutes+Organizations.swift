import LockstepPrimitives

/// The routes of organizations in the Frontend API.
extension FrontendRoutes {
    static var organizations: [Route] { ownOrganizations + organization + members + organizationDomains }

    private static var ownOrganizations: [Route] {
        [
            ("GET", "/v1/me/organization_creation_defaults", { try OrganizationRoutes(call: $0).creationDefaults() }),
            ("GET", "/v1/me/organization_memberships", { try MyOrganizationRoutes(call: $0).memberships() }),
            ("DELETE", "/v1/me/organization_memberships/{organization_id}", { try MyOrganizationRoutes(call: $0).leave() }),
            ("GET", "/v1/me/organization_invitations", { try MyOrganizationRoutes(call: $0).invitations() }),
            (
                "POST", "/v1/me/organization_invitations/{invitation_id}/accept",
                { try MyOrganizationRoutes(call: $0).acceptInvitation() }
            ),
            ("GET", "/v1/me/organization_suggestions", { try MyOrganizationRoutes(call: $0).suggestions() }),
            (
                "POST", "/v1/me/organization_suggestions/{suggestion_id}/accept",
                { try MyOrganizationRoutes(call: $0).acceptSuggestion() }
            ),
        ]
    }

    private static var organization: [Route] {
        let one = "/v1/organizations/{organization_id}"
        return [
            ("POST", "/v1/organizations", { try OrganizationRoutes(call: $0).create() }),
            ("GET", one, { try OrganizationRoutes(call: $0).get() }),
            ("PATCH", one, { try OrganizationRoutes(call: $0).update() }),
            ("DELETE", one, { try OrganizationRoutes(call: $0).delete() }),
            ("PUT", one + "/logo", { try OrganizationRoutes(call: $0).setLogo() }),
            ("DELETE", one + "/logo", { try OrganizationRoutes(call: $0).deleteLogo() }),
            ("GET", one + "/roles", { try OrganizationRoutes(call: $0).roles() }),
        ]
    }

    private static var members: [Route] {
        let one = "/v1/organizations/{organization_id}"
        let invitations = one + "/invitations"
        let requests = one + "/membership_requests"
        return [
            ("POST", one + "/memberships", { try MembershipRoutes(call: $0).create() }),
            ("GET", one + "/memberships", { try MembershipRoutes(call: $0).list() }),
            ("PATCH", one + "/memberships/{user_id}", { try MembershipRoutes(call: $0).update() }),
            ("DELETE", one + "/memberships/{user_id}", { try MembershipRoutes(call: $0).delete() }),
            ("GET", requests, { try MembershipRoutes(call: $0).requests() }),
            ("POST", requests + "/{request_id}/accept", { try MembershipRoutes(call: $0).acceptRequest() }),
            ("POST", requests + "/{request_id}/reject", { try MembershipRoutes(call: $0).rejectRequest() }),
            ("POST", invitations, { try OrganizationInvitationRoutes(call: $0).create() }),
            ("GET", invitations, { try OrganizationInvitationRoutes(call: $0).list() }),
            ("POST", invitations + "/bulk", { try OrganizationInvitationRoutes(call: $0).createAll() }),
            ("GET", invitations + "/pending", { try OrganizationInvitationRoutes(call: $0).listPending() }),
            ("POST", invitations + "/{invitation_id}/revoke", { try OrganizationInvitationRoutes(call: $0).revoke() }),
        ]
    }

    private static var organizationDomains: [Route] {
        let path = "/v1/organizations/{organization_id}/domains"
        let one = path + "/{domain_id}"
        return [
            ("POST", path, { try OrganizationDomainRoutes(call: $0).create() }),
            ("GET", path, { try OrganizationDomainRoutes(call: $0).list() }),
            ("POST", path + "/bulk", { try OrganizationDomainRoutes(call: $0).createAll() }),
            (
                "POST", path + "/prepare_ownership_verification/bulk",
                { try OrganizationDomainRoutes(call: $0).prepareAllOwnerships() }
            ),
            (
                "POST", path + "/attempt_ownership_verification/bulk",
                { try OrganizationDomainRoutes(call: $0).attemptAllOwnerships() }
            ),
            ("POST", one + "/prepare_ownership_verification", { try OrganizationDomainRoutes(call: $0).prepareOwnership() }),
            ("POST", one + "/attempt_ownership_verification", { try OrganizationDomainRoutes(call: $0).attemptOwnership() }),
            ("GET", one, { try OrganizationDomainRoutes(call: $0).get() }),
            ("DELETE", one, { try OrganizationDomainRoutes(call: $0).delete() }),
            ("POST", one + "/update_enrollment_mode", { try OrganizationDomainRoutes(call: $0).updateMode() }),
            ("POST", one + "/prepare_affiliation_verification", { try OrganizationDomainRoutes(call: $0).prepareAffiliation() }),
            ("POST", one + "/attempt_affiliation_verification", { try OrganizationDomainRoutes(call: $0).attemptAffiliation() }),
        ]
    }
}
