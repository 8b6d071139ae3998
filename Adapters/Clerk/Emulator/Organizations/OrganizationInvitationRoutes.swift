import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/organizations/{organization_id}/invitations`.
struct OrganizationInvitationRoutes {
    let call: FrontendCall

    private var context: RequestContext { call.context }

    func list() throws -> FrontendResponse {
        let (organization, _) = try call.organization(.manageMemberships)
        var condition: SQL = "kind = 'organization_invitation' AND organization_id = \(organization.id)"
        let statuses = call.request.query.list("status") + call.request.query.list("status[]")
        if let status = statuses.first { condition += try context.organizationInvitations.condition(status: status) }
        let (rows, total) = try context.page(of: TicketRecord.self, where: condition)
        return .resource(.page(try rows.map { try context.organizationJSON.invitation($0) }, total: total))
    }

    func listPending() throws -> FrontendResponse {
        let (organization, _) = try call.organization(.manageMemberships)
        let condition: SQL = "kind = 'organization_invitation' AND organization_id = \(organization.id)"
        let rows = try context.page(
            of: TicketRecord.self, where: condition + context.organizationInvitations.condition(status: "pending")
        ).rows
        return .resource(.array(try rows.map { try context.organizationJSON.invitation($0) }))
    }

    func create() throws -> FrontendResponse {
        try call.form.check(["email_address", "role", "notify"])
        let (organization, membership) = try call.organization(.manageMemberships)
        let ticket = try make(try call.form.required("email_address"), organization, membership)
        return .resource(try context.organizationJSON.invitation(ticket))
    }

    /// All of them or none.
    func createAll() throws -> FrontendResponse {
        try call.form.check(["email_address", "role", "notify"], lists: ["email_address"])
        let (organization, membership) = try call.organization(.manageMemberships)
        let addresses = call.form.list("email_address")
        guard !addresses.isEmpty else { throw ClerkError.missing("email_address") }
        guard addresses.count <= 10 else { throw ClerkError.malformed("email_address", "Give 10 addresses at most.") }
        return .resource(
            .array(try addresses.map { try context.organizationJSON.invitation(try make($0, organization, membership)) }))
    }

    func revoke() throws -> FrontendResponse {
        let (organization, _) = try call.organization(.manageMemberships)
        var ticket = try context.organizationInvitations.find(call.request.piece("invitation_id"), of: organization)
        try context.organizationInvitations.revoke(&ticket)
        return .resource(try context.organizationJSON.invitation(ticket))
    }

    private func make(
        _ text: String, _ organization: OrganizationRecord, _ membership: MembershipRecord
    ) throws -> TicketRecord {
        guard let address = EmailAddress(text)?.text else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        let role = try context.roles.role(named: try call.form.required("role"), of: organization)
        return try context.organizationInvitations.make(
            .init(
                address: address, role: role, inviterID: membership.userID, isMailed: try call.form.flag("notify") ?? true),
            to: organization)
    }
}
