import LockstepEmulation
import LockstepPrimitives

/// The routes of organizations in the Backend API.
extension RouteTable.Backend {
    static var organizations: [Endpoint] { organization + organizationParts + instanceLists + roles }

    private static var organization: [Endpoint] {
        let one = "/organizations/{organization_id}"
        return [
            .get("/organizations", .server, .writes) { try AdminOrganizationRoutes(context: $0).list() },
            .post("/organizations", .server, body: AdminOrganizationRoutes.createBody) {
                try AdminOrganizationRoutes(context: $0).create()
            },
            .get(one, .server, .writes) { try AdminOrganizationRoutes(context: $0).get() },
            .patch(one, .server, body: AdminOrganizationRoutes.updateBody) { try AdminOrganizationRoutes(context: $0).update() },
            .delete(one, .server) { try AdminOrganizationRoutes(context: $0).delete() },
            .patch(one + "/metadata", .server, body: AdminOrganizationRoutes.metadataBody) {
                try AdminOrganizationRoutes(context: $0).mergeMetadata()
            },
            .put(one + "/metadata", .server, body: AdminOrganizationRoutes.metadataBody) {
                try AdminOrganizationRoutes(context: $0).replaceMetadata()
            },
            .put(one + "/logo", .server) { try AdminOrganizationRoutes(context: $0).setLogo() },
            .delete(one + "/logo", .server) { try AdminOrganizationRoutes(context: $0).deleteLogo() },
        ]
    }

    private static var organizationParts: [Endpoint] {
        let one = "/organizations/{organization_id}"
        let invitations = one + "/invitations"
        let members = one + "/memberships"
        return [
            .post(members, .server, body: AdminMembershipRoutes.createBody) { try AdminMembershipRoutes(context: $0).create() },
            .get(members, .server, .writes) { try AdminMembershipRoutes(context: $0).list() },
            .patch(members + "/{user_id}", .server, body: ["role": .text]) { try AdminMembershipRoutes(context: $0).update() },
            .delete(members + "/{user_id}", .server) { try AdminMembershipRoutes(context: $0).delete() },
            .patch(members + "/{user_id}/metadata", .server, body: ["public_metadata": .object, "private_metadata": .object]) {
                try AdminMembershipRoutes(context: $0).mergeMetadata()
            },
            .post(invitations, .server, body: AdminOrganizationInvitationRoutes.createBody) {
                try AdminOrganizationInvitationRoutes(context: $0).create()
            },
            .get(invitations, .server, .writes) { try AdminOrganizationInvitationRoutes(context: $0).list() },
            .post(invitations + "/bulk", .server, body: AdminOrganizationInvitationRoutes.createBody) {
                try AdminOrganizationInvitationRoutes(context: $0).createAll()
            },
            .get(invitations + "/pending", .server, .writes) { try AdminOrganizationInvitationRoutes(context: $0).listPending() },
            .get(invitations + "/{invitation_id}", .server, .writes) { try AdminOrganizationInvitationRoutes(context: $0).get() },
            .post(invitations + "/{invitation_id}/revoke", .server, body: ["requesting_user_id": .anything]) {
                try AdminOrganizationInvitationRoutes(context: $0).revoke()
            },
        ]
    }

    private static var instanceLists: [Endpoint] {
        [
            .get("/organization_memberships", .server, .writes) { try AdminMembershipRoutes(context: $0).all() },
            .get("/organization_invitations", .server, .writes) { try AdminOrganizationInvitationRoutes(context: $0).all() },
            .get("/users/{user_id}/organization_memberships", .server, .writes) {
                try AdminMembershipRoutes(context: $0).ofUser()
            },
            .get("/users/{user_id}/organization_invitations", .server, .writes) {
                try AdminOrganizationInvitationRoutes(context: $0).ofUser()
            },
        ]
    }

    private static var roles: [Endpoint] {
        let role = "/organization_roles/{organization_role_id}"
        let permission = "/organization_permissions/{permission_id}"
        return [
            .get("/organization_roles", .server, .writes) { try AdminRoleRoutes(context: $0).list() },
            .post("/organization_roles", .server, body: AdminRoleRoutes.createBody) { try AdminRoleRoutes(context: $0).create() },
            .get(role, .server, .writes) { try AdminRoleRoutes(context: $0).get() },
            .patch(role, .server, body: AdminRoleRoutes.updateBody) { try AdminRoleRoutes(context: $0).update() },
            .delete(role, .server) { try AdminRoleRoutes(context: $0).delete() },
            .post(role + "/permissions/{permission_id}", .server) { try AdminRoleRoutes(context: $0).assign() },
            .delete(role + "/permissions/{permission_id}", .server) { try AdminRoleRoutes(context: $0).withdraw() },
            .get("/organization_permissions", .server, .writes) { try AdminPermissionRoutes(context: $0).list() },
            .post("/organization_permissions", .server, body: ["name": .text, "key": .text, "description": .text]) {
                try AdminPermissionRoutes(context: $0).create()
            },
            .get(permission, .server, .writes) { try AdminPermissionRoutes(context: $0).get() },
            .patch(permission, .server, body: ["name": .text, "key": .text, "description": .text]) {
                try AdminPermissionRoutes(context: $0).update()
            },
            .delete(permission, .server) { try AdminPermissionRoutes(context: $0).delete() },
        ]
    }
}
