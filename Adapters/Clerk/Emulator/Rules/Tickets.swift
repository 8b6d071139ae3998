internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Tickets of the Backend API: made, found and spent.
struct Tickets {
    let context: RequestContext

    /// A text of three parts, as SDKs expect of a ticket; its meaning is in the database.
    static func newToken(_ context: RequestContext) -> String {
        let header = Base64.encode(#"{"alg":"none","typ":"ticket"}"#.utf8, .url)
        return "\(header).\(Base64.encode(context.randomness.bytes(24), .url)).\(context.token())"
    }

    /// The address of a link that carries the ticket.
    static func url(_ ticket: TicketRecord, _ context: RequestContext) -> String {
        Redirects.adding([("ticket", ticket.token)], to: "\(context.state.base)/v1/tickets/accept")
    }

    /// The ticket, if it can be used now.
    ///
    /// - Throws: the reason why it cannot be used.
    func spendable(_ token: String) throws -> TicketRecord {
        guard let ticket = try context.db.find(TicketRecord.self, "token = \(token)") else {
            throw ClerkError.ticketInvalid
        }
        guard ticket.status == "pending" else { throw ClerkError.ticket(ticket.kind, is: ticket.status) }
        if ticket.expireAt <= context.now { throw ClerkError.ticketExpired }
        return ticket
    }

    /// The ticket of an attempt that is about to complete, which must still be open.
    ///
    /// - Parameter asksTime: whether its time must not be over; an attempt that it has proven already may end later.
    /// - Throws: the reason why it cannot be used any more.
    func open(id: String, asksTime: Bool) throws -> TicketRecord {
        guard let ticket = try context.db.find(TicketRecord.self, "id = \(id)") else { throw ClerkError.ticketInvalid }
        guard ticket.status == "pending" else { throw ClerkError.ticket(ticket.kind, is: ticket.status) }
        if asksTime, ticket.expireAt <= context.now { throw ClerkError.ticketExpired }
        return ticket
    }

    /// Marks a ticket as used; its user becomes a member where it invites to an organization.
    func spend(_ ticket: TicketRecord, for user: UserRecord? = nil) throws {
        var ticket = ticket
        ticket.status = "accepted"
        ticket.updatedAt = context.now
        try context.db.save(ticket)
        try context.ticketJSON.announce(ticket, "accepted")
        if let user, ticket.kind == .organizationInvitation {
            _ = try context.organizationInvitations.join(user, ticket)
        }
    }

    func find(_ id: String, _ kind: TicketRecord.Kind) throws -> TicketRecord {
        guard let ticket = try context.db.find(TicketRecord.self, "id = \(id) AND kind = \(kind.rawValue)")
        else {
            throw ClerkError.notFound(id)
        }
        return ticket
    }
}

/// A ticket that the Backend API gave out: it signs a user in, or permits a sign-up.
struct TicketRecord: Record {
    enum Kind: String, ColumnValue {
        case signInToken = "sign_in_token"
        case invitation
        case actorToken = "actor_token"
        /// What an app gets for a link that was opened: it stands for that link, and a second factor is asked for after it.
        case approvedLink = "approved_link"
        /// Makes its holder a member of an organization, after a sign-in or a sign-up.
        case organizationInvitation = "organization_invitation"
    }

    var id: String
    var kind: Kind
    var token: String
    /// `pending`, `accepted` or `revoked`.
    var status: String
    var userID: String?
    var emailAddress: String?
    var publicMetadata: JSONObject
    var redirectURL: String?
    var actor: JSON?
    var expireAt: Instant
    var createdAt: Instant
    var updatedAt: Instant

    // What invitations to an organization have besides.

    var organizationID: String?
    /// The key of the role that the member will have.
    var role: String?
    var inviterID: String?
    var privateMetadata: JSONObject = [:]
    /// The domain whose enrollment mode made it.
    var domainID: String?
}

extension TicketRecord {
    /// The status at `now`: an open ticket whose time is over is expired.
    func status(at now: Instant) -> String { status == "pending" && expireAt <= now ? "expired" : status }

    init() {
        self.init(
            id: "", kind: .signInToken, token: "", status: "", publicMetadata: [:], expireAt: .distantPast,
            createdAt: .distantPast, updatedAt: .distantPast)
    }

    static let table = Table<TicketRecord>(
        "tickets",
        [
            Column("id", \.id, .key), Column("kind", \.kind), Column("token", \.token, .unique), Column("status", \.status),
            Column("user_id", \.userID, .belongs(to: "users")), Column("email_address", \.emailAddress),
            Column("public_metadata", \.publicMetadata), Column("redirect_url", \.redirectURL), Column("actor", \.actor),
            Column("expire_at", \.expireAt), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
            Column("organization_id", \.organizationID, .belongs(to: "organizations")), Column("role", \.role),
            Column("inviter_id", \.inviterID), Column("private_metadata", \.privateMetadata), Column("domain_id", \.domainID),
        ],
        indexes: [Index("tickets_by_organization", on: "organization_id")])
}

/// Tickets as the Backend API shows them.
struct TicketJSON {
    let context: RequestContext

    /// Tells the webhook what has become of an invitation to the instance; of other tickets there are no events.
    func announce(_ record: TicketRecord, _ change: String) throws {
        guard record.kind == .invitation else { return }
        try context.emit("invitation.\(change)", record.id, ticket(record))
    }

    func ticket(_ ticket: TicketRecord) -> JSON {
        // Only invitations have the status "expired" in Clerk's document.
        let status = ticket.kind == .invitation ? ticket.status(at: context.now) : ticket.status
        var json: JSONObject = [
            "object": .string(ticket.kind.rawValue), "id": .string(ticket.id), "status": .string(status),
        ]
        switch ticket.kind {
        case .signInToken, .approvedLink: json["user_id"] = .optional(ticket.userID)
        case .actorToken:
            json["user_id"] = .optional(ticket.userID)
            json["actor"] = ticket.actor ?? .null
        case .invitation, .organizationInvitation:
            json["email_address"] = .optional(ticket.emailAddress)
            json["public_metadata"] = .object(ticket.publicMetadata)
            json["revoked"] = .bool(ticket.status == "revoked")
            json["expires_at"] = .time(ticket.expireAt)
        }
        if ticket.kind != .invitation, ticket.status == "pending" { json["token"] = .string(ticket.token) }
        if status == "pending" { json["url"] = .string(Tickets.url(ticket, context)) }
        json["created_at"] = .time(ticket.createdAt)
        json["updated_at"] = .time(ticket.updatedAt)
        return .object(json)
    }
}

/// `strategy=ticket` at sign-in: a token of the Backend API needs no other credential.
struct TicketSignIn {
    let context: RequestContext

    func create() throws -> Answer {
        let service = SignInService(context: context)
        let context = context
        let ticket = try context.tickets.spendable(try context.form.required("ticket"))
        var (user, row) = try holder(of: ticket)
        try context.lockout.check(user)
        try service.checkRoom(for: user)
        var signIn = try service.make()
        signIn.userID = user.id
        signIn.ticketID = ticket.id
        signIn.first = .ticket(expireAt: ticket.expireAt)
        // The user must still have that address when the sign-in completes.
        signIn.first?.target = row?.id
        if ticket.actor != nil {
            try service.complete(&signIn, &user, actor: ticket.actor)
        } else {
            try service.advance(&signIn, &user, isOfLink: ticket.kind == .approvedLink)
        }
        return .resource(try context.signInJSON.signIn(signIn))
    }

    /// The user whom a ticket names, or the one who has proven the address that an invitation to an organization went to; and the
    /// address that a message with it, or with the link that it stands for, went to.
    private func holder(of ticket: TicketRecord) throws -> (UserRecord, IdentificationRecord?) {
        let repository = context.users
        if ticket.kind == .organizationInvitation {
            guard let address = ticket.emailAddress, let row = try repository.provenEmail(address),
                let user = try repository.find(row.userID)
            else { throw ClerkError.invitedUserMissing }
            return (user, row)
        }
        guard ticket.kind != .invitation, let id = ticket.userID, let user = try repository.find(id) else {
            throw ClerkError.ticketInvalid
        }
        guard ticket.kind == .approvedLink else { return (user, nil) }
        guard let address = ticket.emailAddress, let row = try repository.identification(.email, address, of: user.id) else {
            throw ClerkError.ticketInvalid
        }
        return (user, row)
    }
}

/// `GET /v1/tickets/accept`: a browser opened the link of an invitation.
struct TicketPage {
    let context: RequestContext

    func accept() throws -> Answer {
        let text = try context.query.required("ticket")
        let ticket = try context.tickets.spendable(text)
        if let target = ticket.redirectURL {
            let status = try isForSignUp(ticket) ? "sign_up" : "sign_in"
            context.redirect = Redirects.adding([("__clerk_ticket", text), ("__clerk_status", status)], to: target)
        }
        return .page("The ticket is good. Open the app to go on.")
    }

    private func isForSignUp(_ ticket: TicketRecord) throws -> Bool {
        guard ticket.kind == .organizationInvitation, let address = ticket.emailAddress else { return ticket.kind == .invitation }
        return try context.users.provenEmail(address) == nil
    }
}
