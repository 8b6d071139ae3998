internal import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/sign_in_tokens`, `/v1/actor_tokens`, `/v1/invitations` and `/v1/testing_tokens`.
struct AdminTicketRoutes {
    let context: RequestContext

    /// The members of ``createSignInToken()``.
    static let createSignInTokenBody: BodySchema = ["user_id": .text, "org_id": .text, "expires_in_seconds": .whole]

    /// The members of ``createActorToken()``.
    static let createActorTokenBody: BodySchema = [
        "user_id": .text, "actor": .object, "expires_in_seconds": .whole, "session_max_duration_in_seconds": .anything,
    ]

    /// The members of ``createInvitation()``.
    static let createInvitationBody: BodySchema = [
        "email_address": .text, "public_metadata": .object, "redirect_url": .text, "notify": .flag, "ignore_existing": .flag,
        "expires_in_days": .whole, "template_slug": .anything,
    ]

    /// Creates a token that signs a user in; with `org_id`, this organization of the user is active in the session.
    func createSignInToken() throws -> Answer {
        let user = try context.user(try context.fields.required("user_id"))
        let seconds = try context.fields.number("expires_in_seconds", 1...315_360_000) ?? 2_592_000
        var ticket = try make(.signInToken, userID: user.id, seconds: seconds)
        if let id = try context.fields.text("org_id") {
            try context.checkOrganizations()
            let organizations = context.organizations
            guard let organization = try organizations.find(id),
                try organizations.membership(of: user.id, in: organization.id) != nil
            else { throw ClerkError.notAMember }
            ticket.organizationID = organization.id
            try context.db.save(ticket)
        }
        return .resource(json(ticket))
    }

    func createActorToken() throws -> Answer {
        let user = try context.user(try context.fields.required("user_id"))
        guard let actor = try context.fields.members("actor") else { throw ClerkError.missing("actor") }
        guard actor["sub"]?.string != nil else { throw ClerkError.malformed("actor", "actor must name the acting user in sub.") }
        let seconds = try context.fields.number("expires_in_seconds", 1...315_360_000) ?? 3600
        return .resource(json(try make(.actorToken, userID: user.id, actor: .object(actor), seconds: seconds)))
    }

    func createInvitation() throws -> Answer { .resource(json(try createInvitation(context.fields))) }

    /// All of them or none.
    func createInvitations() throws -> Answer {
        guard !context.elements.isEmpty else { throw ClerkError.malformedBody("The body must be a list of invitations.") }
        guard context.elements.count <= 10 else { throw ClerkError.malformedBody("Give 10 invitations at most.") }
        return .resource(.array(try context.elements.map { json(try createInvitation($0)) }))
    }

    private func createInvitation(_ fields: Fields) throws -> TicketRecord {
        guard let address = EmailAddress(try fields.required("email_address"))?.text else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        if try fields.flag("ignore_existing") != true { try checkNew(address) }
        let redirectURL = try fields.text("redirect_url")
        if let redirectURL { try Redirects.check(redirectURL) }
        return try invite(
            address, metadata: try fields.metadata("public_metadata") ?? [:], redirectURL: redirectURL,
            days: try fields.number("expires_in_days", 1...365) ?? 30, isMailed: try fields.flag("notify") ?? true)
    }

    /// Rejects an address that a user already has, or that is already invited.
    func checkNew(_ address: String) throws {
        let isTaken = try context.users.claimed(.email, address) != nil
        let isInvited =
            try context.db.count(
                TicketRecord.self,
                "kind = 'invitation' AND status = 'pending' AND expire_at > \(context.now) AND email_address = \(address)") > 0
        guard isTaken || isInvited else { return }
        throw ClerkError(
            400, "duplicate_record", "duplicate invitation", "There are already pending invitations for \(address), or a user.")
    }

    /// Makes an invitation, and emails its link.
    func invite(
        _ address: String, metadata: JSONObject, redirectURL: String?, days: Int64, isMailed: Bool = true
    ) throws -> TicketRecord {
        let ticket = try make(
            .invitation, emailAddress: address, metadata: metadata, redirectURL: redirectURL, seconds: days * 86_400)
        if isMailed, EmailAddress(address)?.isTest != true {
            let url = Tickets.url(ticket, context)
            try context.mail(
                "invitation", to: address, subject: "You are invited to \(context.settings.applicationName)",
                text: "Open this link to join:\n\n\(url)", link: url)
        }
        try context.ticketJSON.announce(ticket, "created")
        return ticket
    }

    func listInvitations() throws -> Answer {
        var condition: SQL = "kind = 'invitation'"
        if let status = context.query.text("status") {
            guard ["pending", "accepted", "revoked", "expired"].contains(status) else {
                throw ClerkError.invalidValue("status", String(status.prefix(40)))
            }
            condition += try context.organizationInvitations.condition(status: status)
        }
        let (rows, total) = try context.page(of: TicketRecord.self, where: condition)
        return .resource(context.list(rows.map(json), total: total))
    }

    func revoke(_ kind: TicketRecord.Kind) throws -> Answer {
        var ticket = try context.tickets.find(context.piece("ticket_id"), kind)
        guard ticket.status == "pending" else {
            throw kind == .invitation && ticket.status == "revoked"
                ? ClerkError(400, "invitation_already_revoked", "Invitation is already revoked.")
                : ClerkError(
                    400, "\(kind.rawValue)_cannot_be_revoked_code", "cannot revoke",
                    "It cannot be revoked because its status is \(ticket.status). Only pending ones can be revoked.")
        }
        ticket.status = "revoked"
        ticket.updatedAt = context.now
        try context.db.save(ticket)
        try context.ticketJSON.announce(ticket, "revoked")
        return .resource(json(ticket))
    }

    func createTestingToken() throws -> Answer {
        let expiry = context.now + .seconds(3600)
        let nonce = NonceRecord(nonce: context.token(), kind: .testing, subject: nil, payload: [:], expireAt: expiry)
        try context.db.save(nonce)
        return .resource(["object": "testing_token", "token": .string(nonce.nonce), "expires_at": .int(expiry.seconds)])
    }

    private func make(
        _ kind: TicketRecord.Kind, userID: String? = nil, emailAddress: String? = nil, metadata: JSONObject = [:],
        redirectURL: String? = nil, actor: JSON? = nil, seconds: Int64
    ) throws -> TicketRecord {
        let id: IdentifierKind =
            switch kind {
            case .signInToken, .approvedLink: .signInToken
            case .invitation: .invitation
            case .actorToken: .actorToken
            case .organizationInvitation: .organizationInvitation
            }
        let ticket = TicketRecord(
            id: context.id(id), kind: kind, token: Tickets.newToken(context), status: "pending", userID: userID,
            emailAddress: emailAddress, publicMetadata: metadata, redirectURL: redirectURL, actor: actor,
            expireAt: context.now + .seconds(seconds), createdAt: context.now, updatedAt: context.now)
        try context.db.save(ticket)
        return ticket
    }

    private func json(_ ticket: TicketRecord) -> JSON { context.ticketJSON.ticket(ticket) }
}
