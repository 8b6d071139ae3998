import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Creates, accepts and revokes invitations to organizations.
struct OrganizationInvitations {
    let context: RequestContext

    /// An invitation that a request contains.
    struct Draft {
        let address: String
        let role: RoleRecord
        var inviterID: String?
        var publicMetadata: JSONObject = [:]
        var privateMetadata: JSONObject = [:]
        var redirectURL: String?
        var days: Int64 = 30
        var isMailed = true
        var domainID: String?
    }

    /// Creates an invitation, and emails its link unless the draft forbids it.
    func make(_ draft: Draft, to organization: OrganizationRecord) throws -> TicketRecord {
        if try pending(draft.address, organization) != nil { throw ClerkError.invitationNotUnique }
        if let row = try context.users.provenEmail(draft.address),
            try context.organizations.membership(of: row.userID, in: organization.id) != nil
        {
            throw ClerkError.alreadyMember(draft.address)
        }
        try context.organizations.checkRoom(in: organization)
        var ticket = TicketRecord(
            id: context.id(.organizationInvitation), kind: .organizationInvitation, token: Tickets.newToken(context),
            status: "pending", userID: nil, emailAddress: draft.address, publicMetadata: draft.publicMetadata,
            redirectURL: draft.redirectURL, actor: nil, expireAt: context.now + .seconds(draft.days * 86_400),
            createdAt: context.now, updatedAt: context.now)
        ticket.organizationID = organization.id
        ticket.role = draft.role.key
        ticket.inviterID = draft.inviterID
        ticket.privateMetadata = draft.privateMetadata
        ticket.domainID = draft.domainID
        try context.db.save(ticket)
        if draft.isMailed, EmailAddress(draft.address)?.isTest != true {
            let url = Tickets.url(ticket, context)
            try context.mail(
                "organization_invitation", to: draft.address, subject: "You are invited to \(organization.name)",
                text: "Open this link to join \(organization.name):\n\n\(url)", link: url)
        }
        try announce(ticket, "created")
        return ticket
    }

    /// Queues a webhook event about a change of an invitation.
    func announce(_ ticket: TicketRecord, _ change: String) throws {
        try context.emit(
            "organizationInvitation.\(change)", ticket.id,
            try context.organizationJSON.invitation(ticket, isPrivate: true))
    }

    /// Makes a user a member, as the invitation specifies.
    func join(_ user: UserRecord, _ ticket: TicketRecord) throws -> MembershipRecord {
        guard let id = ticket.organizationID, let organization = try context.organizations.find(id) else {
            throw ClerkError.noSuchOrganization
        }
        try announce(ticket, "accepted")
        if let known = try context.organizations.membership(of: user.id, in: id) { return known }
        let role = try context.roles.role(named: ticket.role ?? "")
        return try context.organizations.add(
            user, to: organization, role: role, publicMetadata: ticket.publicMetadata, privateMetadata: ticket.privateMetadata,
            isInvited: true)
    }

    /// Returns the invitation of an organization, by its id.
    func find(_ id: String, of organization: OrganizationRecord) throws -> TicketRecord {
        guard
            let ticket = try context.db.find(
                TicketRecord.self, "id = \(id) AND kind = 'organization_invitation' AND organization_id = \(organization.id)")
        else { throw ClerkError.invitationMissing(id) }
        return ticket
    }

    func revoke(_ ticket: inout TicketRecord) throws {
        guard ticket.status(at: context.now) == "pending" else { throw ClerkError.invitationNotPending }
        ticket.status = "revoked"
        ticket.updatedAt = context.now
        try context.db.save(ticket)
        try announce(ticket, "revoked")
    }

    /// Returns the condition of a list for a status.
    func condition(status: String) throws -> SQL {
        switch status {
        case "pending": " AND status = 'pending' AND expire_at > \(context.now)"
        case "expired": " AND status = 'pending' AND expire_at <= \(context.now)"
        case "accepted", "revoked": " AND status = \(status)"
        case "completed", "invalid": " AND 1 = 0"
        default: throw ClerkError.invalidValue("status", String(status.prefix(40)))
        }
    }

    private func pending(_ address: String, _ organization: OrganizationRecord) throws -> TicketRecord? {
        try context.db.find(
            TicketRecord.self,
            """
            kind = 'organization_invitation' AND organization_id = \(organization.id) AND email_address = \(address) \
            AND status = 'pending' AND expire_at > \(context.now)
            """)
    }
}
