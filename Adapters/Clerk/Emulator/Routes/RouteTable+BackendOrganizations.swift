import LockstepEmulation
import LockstepPrimitives

/// The routes of organizations in the Backend API.
extension RouteTable.Backend {
    static var organizations: [Endpoint] { organization + organizationParts + instanceLists + roles }

    private static var organization: [Endpoint] {
        let one = "/organizations/{organization_id}"
        return [
            .get("/organizations", .server, .writes) { try BackendOrganizationRoutes(context: $0).list() },
            .post("/organizations", .server, body: BackendOrganizationRoutes.createBody) {
                try BackendOrganizationRoutes(context: $0).create()
            },
            .get(one, .server, .writes) { try BackendOrganizationRoutes(context: $0).get() },
            .patch(one, .server, body: BackendOrganizationRoutes.updateBody) {
                try BackendOrganizationRoutes(context: $0).update()
            },
            .delete(one, .server) { try BackendOrganizationRoutes(context: $0).delete() },
            .patch(one + "/metadata", .server, body: BackendOrganizationRoutes.metadataBody) {
                try BackendOrganizationRoutes(context: $0).mergeMetadata()
            },
            .put(one + "/metadata", .server, body: BackendOrganizationRoutes.metadataBody) {
                try BackendOrganizationRoutes(context: $0).replaceMetadata()
            },
            .put(one + "/logo", .server) { try BackendOrganizationRoutes(context: $0).setLogo() },
            .delete(one + "/logo", .server) { try BackendOrganizationRoutes(context: $0).deleteLogo() },
        ]
    }

    private static var organizationParts: [Endpoint] {
        let one = "/organizations/{organization_id}"
        let invitations = one + "/invitations"
        let members = one + "/memberships"
        return [
            .post(members, .server, body: BackendMembershipRoutes.createBody) {
                try BackendMembershipRoutes(context: $0).create()
            },
            .get(members, .server, .writes) { try BackendMembershipRoutes(context: $0).list() },
            .patch(members + "/{user_id}", .server, body: ["role": .text]) { try BackendMembershipRoutes(context: $0).update() },
            .delete(members + "/{user_id}", .server) { try BackendMembershipRoutes(context: $0).delete() },
            .patch(members + "/{user_id}/metadata", .server, body: ["public_metadata": .object, "private_metadata": .object]) {
                try BackendMembershipRoutes(context: $0).mergeMetadata()
            },
            .post(invitations, .server, body: BackendOrganizationInvitationRoutes.createBody) {
                try BackendOrganizationInvitationRoutes(context: $0).create()
            },
            .get(invitations, .server, .writes) { try BackendOrganizationInvitationRoutes(context: $0).list() },
            .post(invitations + "/bulk", .server, body: BackendOrganizationInvitationRoutes.createBody) {
                try BackendOrganizationInvitationRoutes(context: $0).createAll()
            },
            .get(invitations + "/pending", .server, .writes) {
                try BackendOrganizationInvitationRoutes(context: $0).listPending()
            },
            .get(invitations + "/{invitation_id}", .server, .writes) {
                try BackendOrganizationInvitationRoutes(context: $0).get()
            },
            .post(invitations + "/{invitation_id}/revoke", .server, body: ["requesting_user_id": .anything]) {
                try BackendOrganizationInvitationRoutes(context: $0).revoke()
            },
        ]
    }

    private static var instanceLists: [Endpoint] {
        [
            .get("/organization_memberships", .server, .writes) { try BackendMembershipRoutes(context: $0).all() },
            .get("/organization_invitations", .server, .writes) { try BackendOrganizationInvitationRoutes(context: $0).all() },
            .get("/users/{user_id}/organization_memberships", .server, .writes) {
                try BackendMembershipRoutes(context: $0).ofUser()
            },
            .get("/users/{user_id}/organization_invitations", .server, .writes) {
                try BackendOrganizationInvitationRoutes(context: $0).ofUser()
            },
        ]
    }

    private static var roles: [Endpoint] {
        let role = "/organization_roles/{organization_role_id}"
        let permission = "/organization_permissions/{permission_id}"
        return [
            .get("/organization_roles", .server, .writes) { try BackendRoleRoutes(context: $0).list() },
            .post("/organization_roles", .server, body: BackendRoleRoutes.createBody) {
                try BackendRoleRoutes(context: $0).create()
            },
            .get(role, .server, .writes) { try BackendRoleRoutes(context: $0).get() },
            .patch(role, .server, body: BackendRoleRoutes.updateBody) { try BackendRoleRoutes(context: $0).update() },
            .delete(role, .server) { try BackendRoleRoutes(context: $0).delete() },
            .post(role + "/permissions/{permission_id}", .server) { try BackendRoleRoutes(context: $0).assign() },
            .delete(role + "/permissions/{permission_id}", .server) { try BackendRoleRoutes(context: $0).withdraw() },
            .get("/organization_permissions", .server, .writes) { try BackendPermissionRoutes(context: $0).list() },
            .post("/organization_permissions", .server, body: ["name": .text, "key": .text, "description": .text]) {
                try BackendPermissionRoutes(context: $0).create()
            },
            .get(permission, .server, .writes) { try BackendPermissionRoutes(context: $0).get() },
            .patch(permission, .server, body: ["name": .text, "key": .text, "description": .text]) {
                try BackendPermissionRoutes(context: $0).update()
            },
            .delete(permission, .server) { try BackendPermissionRoutes(context: $0).delete() },
        ]
    }
}
