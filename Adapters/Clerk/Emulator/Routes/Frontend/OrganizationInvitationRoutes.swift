import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/organizations/{organization_id}/invitations`.
struct OrganizationInvitationRoutes {
    let context: RequestContext

    func list() throws -> Answer {
        let (organization, _) = try context.ownOrganization(.manageMemberships)
        var condition: SQL = "kind = 'organization_invitation' AND organization_id = \(organization.id)"
        let statuses = context.query.list("status") + context.query.list("status[]")
        if let status = statuses.first { condition += try context.organizationInvitations.condition(status: status) }
        let (rows, total) = try context.page(of: TicketRecord.self, where: condition)
        return .resource(.page(try rows.map { try context.organizationJSON.invitation($0) }, total: total))
    }

    func listPending() throws -> Answer {
        let (organization, _) = try context.ownOrganization(.manageMemberships)
        let condition: SQL = "kind = 'organization_invitation' AND organization_id = \(organization.id)"
        let rows = try context.page(
            of: TicketRecord.self, where: condition + context.organizationInvitations.condition(status: "pending")
        ).rows
        return .resource(.array(try rows.map { try context.organizationJSON.invitation($0) }))
    }

    func create() throws -> Answer {
        let (organization, membership) = try context.ownOrganization(.manageMemberships)
        let ticket = try make(try context.form.required("email_address"), organization, membership)
        return .resource(try context.organizationJSON.invitation(ticket))
    }

    /// All of them or none.
    func createAll() throws -> Answer {
        let (organization, membership) = try context.ownOrganization(.manageMemberships)
        let addresses = context.form.list("email_address")
        guard !addresses.isEmpty else { throw ClerkError.missing("email_address") }
        guard addresses.count <= 10 else { throw ClerkError.malformed("email_address", "Give 10 addresses at most.") }
        return .resource(
            .array(try addresses.map { try context.organizationJSON.invitation(try make($0, organization, membership)) }))
    }

    func revoke() throws -> Answer {
        let (organization, _) = try context.ownOrganization(.manageMemberships)
        var ticket = try context.organizationInvitations.find(context.piece("invitation_id"), of: organization)
        try context.organizationInvitations.revoke(&ticket)
        return .resource(try context.organizationJSON.invitation(ticket))
    }

    private func make(
        _ text: String, _ organization: OrganizationRecord, _ membership: MembershipRecord
    ) throws -> TicketRecord {
        guard let address = EmailAddress(text)?.text else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        let role = try context.roles.role(named: try context.form.required("role"), of: organization)
        return try context.organizationInvitations.make(
            .init(
                address: address, role: role, inviterID: membership.userID, isMailed: try context.form.flag("notify") ?? true),
            to: organization)
    }
}
