import LockstepEmulation
import LockstepPrimitives

/// The routes of organizations in the Frontend API.
extension RouteTable.Frontend {
    static var organizations: [Endpoint] { ownOrganizations + organization + members }

    private static var ownOrganizations: [Endpoint] {
        [
            .get("/v1/me/organization_creation_defaults", .user, .repeats) {
                try OrganizationRoutes(context: $0).creationDefaults()
            },
            .get("/v1/me/organization_memberships", .user, .repeats) { try MyOrganizationRoutes(context: $0).memberships() },
            .delete("/v1/me/organization_memberships/{organization_id}", .user, .repeats) {
                try MyOrganizationRoutes(context: $0).leave()
            },
            .get("/v1/me/organization_invitations", .user, .repeats) { try MyOrganizationRoutes(context: $0).invitations() },
            .post("/v1/me/organization_invitations/{invitation_id}/accept", .user, .repeats) {
                try MyOrganizationRoutes(context: $0).acceptInvitation()
            },
            .get("/v1/me/organization_suggestions", .user, .repeats) { try MyOrganizationRoutes(context: $0).suggestions() },
            .post("/v1/me/organization_suggestions/{suggestion_id}/accept", .user, .repeats) {
                try MyOrganizationRoutes(context: $0).acceptSuggestion()
            },
        ]
    }

    private static var organization: [Endpoint] {
        let one = "/v1/organizations/{organization_id}"
        return [
            .post("/v1/organizations", .user, body: .form("name", "slug"), .repeats) {
                try OrganizationRoutes(context: $0).create()
            },
            .get(one, .user, .repeats) { try OrganizationRoutes(context: $0).get() },
            .patch(one, .user, body: .form("name", "slug"), .repeats) { try OrganizationRoutes(context: $0).update() },
            .delete(one, .user, .repeats) { try OrganizationRoutes(context: $0).delete() },
            .put(one + "/logo", .user, .repeats) { try OrganizationRoutes(context: $0).setLogo() },
            .delete(one + "/logo", .user, .repeats) { try OrganizationRoutes(context: $0).deleteLogo() },
            .get(one + "/roles", .user, .repeats) { try OrganizationRoutes(context: $0).roles() },
        ]
    }

    private static var members: [Endpoint] {
        let one = "/v1/organizations/{organization_id}"
        let invitations = one + "/invitations"
        let requests = one + "/membership_requests"
        return [
            .post(one + "/memberships", .user, body: .form("user_id", "role"), .repeats) {
                try MembershipRoutes(context: $0).create()
            },
            .get(one + "/memberships", .user, .repeats) { try MembershipRoutes(context: $0).list() },
            .patch(one + "/memberships/{user_id}", .user, body: .form("role"), .repeats) {
                try MembershipRoutes(context: $0).update()
            },
            .delete(one + "/memberships/{user_id}", .user, .repeats) { try MembershipRoutes(context: $0).delete() },
            .get(requests, .user, .repeats) { try MembershipRoutes(context: $0).requests() },
            .post(requests + "/{request_id}/accept", .user, .repeats) { try MembershipRoutes(context: $0).acceptRequest() },
            .post(requests + "/{request_id}/reject", .user, .repeats) { try MembershipRoutes(context: $0).rejectRequest() },
            .post(invitations, .user, body: .form("email_address", "role", "notify"), .repeats) {
                try OrganizationInvitationRoutes(context: $0).create()
            },
            .get(invitations, .user, .repeats) { try OrganizationInvitationRoutes(context: $0).list() },
            .post(invitations + "/bulk", .user, body: .form("role", "notify", lists: ["email_address"]), .repeats) {
                try OrganizationInvitationRoutes(context: $0).createAll()
            },
            .get(invitations + "/pending", .user, .repeats) { try OrganizationInvitationRoutes(context: $0).listPending() },
            .post(invitations + "/{invitation_id}/revoke", .user, .repeats) {
                try OrganizationInvitationRoutes(context: $0).revoke()
            },
        ]
    }

}
