import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Invitations to organizations: of one, of a user, of the whole instance.
struct BackendOrganizationInvitationRoutes {
    let call: BackendCall

    private var context: RequestContext { call.context }
    private let kind: SQL = "kind = 'organization_invitation'"

    func list() throws -> BackendResponse {
        let organization = try call.organization()
        var condition = kind + " AND organization_id = \(organization.id)" + (try status())
        if let address = call.query.text("email_address") { condition += " AND email_address = \(address.lowercased())" }
        return try call.page(TicketRecord.self, condition, order: try order()) { try json($0) }
    }

    func listPending() throws -> BackendResponse {
        let organization = try call.organization()
        let condition =
            kind + " AND organization_id = \(organization.id)"
            + (try context.organizationInvitations.condition(status: "pending"))
        return try call.page(TicketRecord.self, condition) { try json($0) }
    }

    func all() throws -> BackendResponse {
        try call.checkOrganizations()
        var condition = kind + (try status())
        if let text = call.query.text("query") {
            condition += " AND (id = \(text) OR email_address LIKE \(UserSearch.pattern(text)) ESCAPE '!')"
        }
        return try call.page(TicketRecord.self, condition, order: try order()) { try json($0, showsOrganization: true) }
    }

    /// The invitations to addresses that a user has proven.
    func ofUser() throws -> BackendResponse {
        let user = try call.user()
        let rows = try context.users.identifications(of: user)
        let addresses = rows.filter { $0.kind == .email && $0.isVerified }.map(\.value)
        let own: SQL = addresses.isEmpty ? " AND 1 = 0" : " AND email_address IN (\(list: addresses))"
        return try call.page(TicketRecord.self, kind + own + (try status())) { try json($0, showsOrganization: true) }
    }

    func create() throws -> BackendResponse {
        .resource(try json(try make(call.fields, call.organization())))
    }

    /// All of them or none; the answer is a list with its length.
    func createAll() throws -> BackendResponse {
        let organization = try call.organization()
        guard !call.elements.isEmpty else {
            throw ClerkError.malformedBody("The body must be a list of context.organizationInvitations.")
        }
        guard call.elements.count <= 10 else { throw ClerkError.malformedBody("Give 10 invitations at most.") }
        let made = try call.elements.map { try json(try make($0, organization)) }
        return .resource(.page(made, total: made.count))
    }

    func get() throws -> BackendResponse { .resource(try json(try invitation())) }

    func revoke() throws -> BackendResponse {
        try call.fields.check(["requesting_user_id"])
        var ticket = try invitation()
        try context.organizationInvitations.revoke(&ticket)
        return .resource(try json(ticket))
    }

    private func make(_ fields: Fields, _ organization: OrganizationRecord) throws -> TicketRecord {
        try fields.check([
            "email_address", "inviter_user_id", "role", "public_metadata", "private_metadata", "redirect_url", "expires_in_days",
            "notify",
        ])
        guard let address = EmailAddress(try fields.required("email_address"))?.text else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        let role = try context.roles.role(named: try fields.required("role"), of: organization)
        var draft = OrganizationInvitations.Draft(address: address, role: role)
        if let id = try fields.text("inviter_user_id") {
            draft.inviterID = try call.user(id).id
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
        try context.organizationInvitations.find(call.piece("invitation_id"), of: try call.organization())
    }

    private func status() throws -> SQL {
        try call.query.text("status").map { try context.organizationInvitations.condition(status: $0) } ?? ""
    }

    private func order() throws -> SQL { try call.order(["created_at", "email_address"]) }

    private func json(_ ticket: TicketRecord, showsOrganization: Bool = false) throws -> JSON {
        try context.organizationJSON.invitation(ticket, isPrivate: true, showsOrganization: showsOrganization)
    }
}
