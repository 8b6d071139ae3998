import LockstepPrimitives

/// The routes of organizations in the Backend API.
extension BackendRoutes {
    static var organizations: [Route] { organization + organizationParts + instanceLists + roles }

    private static var organization: [Route] {
        let one = "/organizations/{organization_id}"
        return [
            ("GET", "/organizations", { try BackendOrganizationRoutes(call: $0).list() }),
            ("POST", "/organizations", { try BackendOrganizationRoutes(call: $0).create() }),
            ("GET", one, { try BackendOrganizationRoutes(call: $0).get() }),
            ("PATCH", one, { try BackendOrganizationRoutes(call: $0).update() }),
            ("DELETE", one, { try BackendOrganizationRoutes(call: $0).delete() }),
            ("PATCH", one + "/metadata", { try BackendOrganizationRoutes(call: $0).mergeMetadata() }),
            ("PUT", one + "/metadata", { try BackendOrganizationRoutes(call: $0).replaceMetadata() }),
            ("PUT", one + "/logo", { try BackendOrganizationRoutes(call: $0).setLogo() }),
            ("DELETE", one + "/logo", { try BackendOrganizationRoutes(call: $0).deleteLogo() }),
        ]
    }

    private static var organizationParts: [Route] {
        let one = "/organizations/{organization_id}"
        let invitations = one + "/invitations"
        let members = one + "/memberships"
        return [
            ("POST", members, { try BackendMembershipRoutes(call: $0).create() }),
            ("GET", members, { try BackendMembershipRoutes(call: $0).list() }),
            ("PATCH", members + "/{user_id}", { try BackendMembershipRoutes(call: $0).update() }),
            ("DELETE", members + "/{user_id}", { try BackendMembershipRoutes(call: $0).delete() }),
            ("PATCH", members + "/{user_id}/metadata", { try BackendMembershipRoutes(call: $0).mergeMetadata() }),
            ("POST", invitations, { try BackendOrganizationInvitationRoutes(call: $0).create() }),
            ("GET", invitations, { try BackendOrganizationInvitationRoutes(call: $0).list() }),
            ("POST", invitations + "/bulk", { try BackendOrganizationInvitationRoutes(call: $0).createAll() }),
            ("GET", invitations + "/pending", { try BackendOrganizationInvitationRoutes(call: $0).listPending() }),
            ("GET", invitations + "/{invitation_id}", { try BackendOrganizationInvitationRoutes(call: $0).get() }),
            ("POST", invitations + "/{invitation_id}/revoke", { try BackendOrganizationInvitationRoutes(call: $0).revoke() }),
            ("POST", one + "/domains", { try BackendOrganizationDomainRoutes(call: $0).create() }),
            ("GET", one + "/domains", { try BackendOrganizationDomainRoutes(call: $0).list() }),
            ("PATCH", one + "/domains/{domain_id}", { try BackendOrganizationDomainRoutes(call: $0).update() }),
            ("POST", one + "/domains/{domain_id}/verify_ownership", { try BackendOrganizationDomainRoutes(call: $0).verify() }),
            ("DELETE", one + "/domains/{domain_id}", { try BackendOrganizationDomainRoutes(call: $0).delete() }),
        ]
    }

    private static var instanceLists: [Route] {
        [
            ("GET", "/organization_domains", { try BackendOrganizationDomainRoutes(call: $0).all() }),
            ("GET", "/organization_memberships", { try BackendMembershipRoutes(call: $0).all() }),
            ("GET", "/organization_invitations", { try BackendOrganizationInvitationRoutes(call: $0).all() }),
            ("GET", "/users/{user_id}/organization_memberships", { try BackendMembershipRoutes(call: $0).ofUser() }),
            ("GET", "/users/{user_id}/organization_invitations", { try BackendOrganizationInvitationRoutes(call: $0).ofUser() }),
        ]
    }

    private static var roles: [Route] {
        let role = "/organization_roles/{organization_role_id}"
        let permission = "/organization_permissions/{permission_id}"
        let set = "/role_sets/{role_set_key_or_id}"
        return [
            ("GET", "/organization_roles", { try BackendRoleRoutes(call: $0).list() }),
            ("POST", "/organization_roles", { try BackendRoleRoutes(call: $0).create() }),
            ("GET", role, { try BackendRoleRoutes(call: $0).get() }),
            ("PATCH", role, { try BackendRoleRoutes(call: $0).update() }),
            ("DELETE", role, { try BackendRoleRoutes(call: $0).delete() }),
            ("POST", role + "/permissions/{permission_id}", { try BackendRoleRoutes(call: $0).assign() }),
            ("DELETE", role + "/permissions/{permission_id}", { try BackendRoleRoutes(call: $0).withdraw() }),
            ("GET", "/organization_permissions", { try BackendPermissionRoutes(call: $0).list() }),
            ("POST", "/organization_permissions", { try BackendPermissionRoutes(call: $0).create() }),
            ("GET", permission, { try BackendPermissionRoutes(call: $0).get() }),
            ("PATCH", permission, { try BackendPermissionRoutes(call: $0).update() }),
            ("DELETE", permission, { try BackendPermissionRoutes(call: $0).delete() }),
            ("GET", "/role_sets", { try BackendRoleSetRoutes(call: $0).list() }),
            ("POST", "/role_sets", { try BackendRoleSetRoutes(call: $0).create() }),
            ("GET", set, { try BackendRoleSetRoutes(call: $0).get() }),
            ("PATCH", set, { try BackendRoleSetRoutes(call: $0).update() }),
            ("POST", set + "/replace", { try BackendRoleSetRoutes(call: $0).replace() }),
            ("POST", set + "/roles", { try BackendRoleSetRoutes(call: $0).addRoles() }),
            ("POST", set + "/roles/replace", { try BackendRoleSetRoutes(call: $0).replaceRole() }),
        ]
    }
}
