import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// The user's own memberships, invitations and suggestions, below `/v1/me`.
struct MyOrganizationRoutes {
    let context: RequestContext

    /// Returns a page of the memberships; a plain list if `paginated` is `false`.
    func memberships() throws -> Answer {
        let user = try context.user
        let (rows, total) = try context.page(of: MembershipRecord.self, where: "user_id = \(user.id)")
        let elements = try rows.map { try context.organizationJSON.membership($0) }
        return .resource(context.query["paginated"] == "false" ? .array(elements) : .page(elements, total: total))
    }

    /// The user leaves an organization.
    func leave() throws -> Answer {
        let (_, membership) = try context.ownOrganization()
        try context.organizations.remove(membership)
        return .resource(["object": "organization_membership", "id": .string(membership.id), "deleted": true])
    }

    func invitations() throws -> Answer {
        let user = try context.user
        try context.extensions.prepareOffers(for: user)
        let service = context.organizationInvitations
        var condition = try ownInvitations(user)
        condition += try service.condition(status: context.query.text("status") ?? "pending")
        let (rows, total) = try context.page(of: TicketRecord.self, where: condition)
        return .resource(
            .page(try rows.map { try context.organizationJSON.invitation($0, showsOrganization: true) }, total: total))
    }

    func acceptInvitation() throws -> Answer {
        let user = try context.user
        let id = context.piece("invitation_id")
        guard let ticket = try context.db.find(TicketRecord.self, "id = \(id) AND \(ownInvitations(user))") else {
            throw ClerkError.invitationMissing(id)
        }
        guard ticket.status(at: context.now) == "pending" else { throw ClerkError.invitationNotPending }
        try context.tickets.spend(ticket, for: user)
        guard let spent = try context.db.find(TicketRecord.self, "id = \(id)") else { throw ClerkError.invitationMissing(id) }
        return .resource(try context.organizationJSON.invitation(spent, showsOrganization: true))
    }

    func suggestions() throws -> Answer {
        let user = try context.user
        try context.extensions.prepareOffers(for: user)
        var condition: SQL = "kind = 'suggestion' AND user_id = \(user.id)"
        let statuses = context.query.list("status") + context.query.list("status[]")
        if !statuses.isEmpty { condition += " AND status IN (\(list: statuses))" }
        let (rows, total) = try context.page(of: EnrollmentRecord.self, where: condition)
        return .resource(.page(try rows.map(context.organizationJSON.suggestion), total: total))
    }

    /// Turns a suggestion into a request, to which the organization responds.
    func acceptSuggestion() throws -> Answer {
        let user = try context.user
        let id = context.piece("suggestion_id")
        guard
            var suggestion = try context.db.find(
                EnrollmentRecord.self, "id = \(id) AND kind = 'suggestion' AND user_id = \(user.id)")
        else { throw ClerkError.notFound(id) }
        guard suggestion.status == "pending" else { throw ClerkError.suggestionAccepted }
        suggestion.status = "accepted"
        suggestion.updatedAt = context.now
        try context.db.save(suggestion)
        try context.db.save(
            EnrollmentRecord(
                id: context.id(.membershipRequest), kind: .request, organizationID: suggestion.organizationID, userID: user.id,
                domainID: suggestion.domainID, status: "pending", createdAt: context.now, updatedAt: context.now))
        return .resource(try context.organizationJSON.suggestion(suggestion))
    }

    /// Returns the invitations to addresses that the user has verified.
    private func ownInvitations(_ user: UserRecord) throws -> SQL {
        let rows = try context.users.identifications(of: user)
        let addresses = rows.filter { $0.kind == .email && $0.isVerified }.map(\.value)
        guard !addresses.isEmpty else { return "1 = 0" }
        return "kind = 'organization_invitation' AND email_address IN (\(list: addresses))"
    }
}
