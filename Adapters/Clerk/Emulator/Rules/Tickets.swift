internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Creates, finds and uses up tickets of the Backend API.
struct Tickets {
    let context: RequestContext

    /// Returns a text of three parts, as SDKs expect a ticket; its meaning is in the database.
    static func newToken(_ context: RequestContext) -> String {
        let header = Base64.encode(#"{"alg":"none","typ":"ticket"}"#.utf8, .url)
        return "\(header).\(Base64.encode(context.randomness.bytes(24), .url)).\(context.token())"
    }

    /// Returns the URL of a link that contains the ticket.
    static func url(_ ticket: TicketRecord, _ context: RequestContext) -> String {
        Redirects.adding([("ticket", ticket.token)], to: "\(context.state.base)/v1/tickets/accept")
    }

    /// Returns the ticket, if it can be used now.
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

    /// Returns the ticket of an attempt that is about to complete, which must still be open.
    ///
    /// - Parameters:
    ///   - asksTime: Whether the ticket must not have expired; an attempt that it has already verified may end later.
    /// - Throws: The reason why the ticket can no longer be used.
    func open(id: String, asksTime: Bool) throws -> TicketRecord {
        guard let ticket = try context.db.find(TicketRecord.self, "id = \(id)") else { throw ClerkError.ticketInvalid }
        guard ticket.status == "pending" else { throw ClerkError.ticket(ticket.kind, is: ticket.status) }
        if asksTime, ticket.expireAt <= context.now { throw ClerkError.ticketExpired }
        return ticket
    }

    /// Marks a ticket as used; if it invites to an organization, its user becomes a member.
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

/// `strategy=ticket` at sign-in: a token of the Backend API needs no other credential.
struct TicketSignIn {
    let context: RequestContext

    func create() throws -> Answer {
        let service = context.signIns
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

    /// Returns the user of a ticket, and the address to which its message was sent.
    ///
    /// If an invitation to an organization names no user, the result is the user who has verified its address.
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
