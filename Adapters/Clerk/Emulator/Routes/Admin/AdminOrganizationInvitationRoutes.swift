import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Invitations to organizations: of an organization, of a user, and of the whole instance.
struct AdminOrganizationInvitationRoutes {
    let context: RequestContext

    /// The members of ``create()``, and of each element of ``createAll()``.
    static let createBody: BodySchema = [
        "email_address": .text, "inviter_user_id": .text, "role": .text, "public_metadata": .object, "private_metadata": .object,
        "redirect_url": .text, "expires_in_days": .whole, "notify": .flag,
    ]

    private let kind: SQL = "kind = 'organization_invitation'"

    func list() throws -> Answer {
        let organization = try context.namedOrganization()
        var condition = kind + " AND organization_id = \(organization.id)" + (try status())
        if let address = context.query.text("email_address") { condition += " AND email_address = \(address.lowercased())" }
        return try context.page(TicketRecord.self, condition, order: try order()) { try json($0) }
    }

    func listPending() throws -> Answer {
        let organization = try context.namedOrganization()
        let condition =
            kind + " AND organization_id = \(organization.id)"
            + (try context.organizationInvitations.condition(status: "pending"))
        return try context.page(TicketRecord.self, condition) { try json($0) }
    }

    func all() throws -> Answer {
        try context.checkOrganizations()
        var condition = kind + (try status())
        if let text = context.query.text("query") {
            condition += " AND (id = \(text) OR \(SQL.contains(text, in: "email_address")))"
        }
        return try context.page(TicketRecord.self, condition, order: try order()) { try json($0, showsOrganization: true) }
    }

    /// Returns the invitations to addresses that a user has verified.
    func ofUser() throws -> Answer {
        let user = try context.namedUser()
        let rows = try context.users.identifications(of: user)
        let addresses = rows.filter { $0.kind == .email && $0.isVerified }.map(\.value)
        let own: SQL = addresses.isEmpty ? " AND 1 = 0" : " AND email_address IN (\(list: addresses))"
        return try context.page(TicketRecord.self, kind + own + (try status())) { try json($0, showsOrganization: true) }
    }

    func create() throws -> Answer {
        .resource(try json(try make(context.fields, context.namedOrganization())))
    }

    /// Creates all invitations or none; the response is a list with its length.
    func createAll() throws -> Answer {
        let organization = try context.namedOrganization()
        guard !context.elements.isEmpty else {
            throw ClerkError.malformedBody("The body must be a list of invitations.")
        }
        guard context.elements.count <= 10 else { throw ClerkError.malformedBody("Give 10 invitations at most.") }
        let made = try context.elements.map { try json(try make($0, organization)) }
        return .resource(.page(made, total: made.count))
    }

    func get() throws -> Answer { .resource(try json(try invitation())) }

    func revoke() throws -> Answer {
        var ticket = try invitation()
        try context.organizationInvitations.revoke(&ticket)
        return .resource(try json(ticket))
    }

    private func make(_ fields: Fields, _ organization: OrganizationRecord) throws -> TicketRecord {
        guard let address = EmailAddress(try fields.required("email_address"))?.text else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        let role = try context.roles.role(named: try fields.required("role"), of: organization)
        var draft = OrganizationInvitations.Draft(address: address, role: role)
        if let id = try fields.text("inviter_user_id") {
            draft.inviterID = try context.user(id).id
        }
        draft.publicMetadata = try fields.metadata("public_metadata") ?? [:]
        draft.privateMetadata = try fields.metadata("private_metadata") ?? [:]
        draft.redirectURL = try fields.text("redirect_url")
        if let url = draft.redirectURL { try Redirects.check(url) }
        draft.days = try fields.number("expires_in_days", 1...365) ?? 30
        draft.isMailed = try fields.flag("notify") ?? true
        return try context.organizationInvitations.make(draft, to: organization)
    }

    private func invitation() throws -> TicketRecord {
        try context.organizationInvitations.find(context.piece("invitation_id"), of: try context.namedOrganization())
    }

    private func status() throws -> SQL {
        try context.query.text("status").map { try context.organizationInvitations.condition(status: $0) } ?? ""
    }

    private func order() throws -> SQL { try context.order(["created_at", "email_address"]) }

    private func json(_ ticket: TicketRecord, showsOrganization: Bool = false) throws -> JSON {
        try context.organizationJSON.invitation(ticket, isPrivate: true, showsOrganization: showsOrganization)
    }
}
