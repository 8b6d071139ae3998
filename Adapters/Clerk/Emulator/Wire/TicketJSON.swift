internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Tickets as the Backend API shows them.
struct TicketJSON {
    let context: RequestContext

    /// Queues a webhook event about a change of an invitation to the instance; other tickets have no events.
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
        case .signInToken, .approvedLink: json["user_id"] = .text(ticket.userID)
        case .actorToken:
            json["user_id"] = .text(ticket.userID)
            json["actor"] = ticket.actor ?? .null
        case .invitation, .organizationInvitation:
            json["email_address"] = .text(ticket.emailAddress)
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
