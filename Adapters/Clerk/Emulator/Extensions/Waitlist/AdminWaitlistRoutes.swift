import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/waitlist_entries`.
struct AdminWaitlistRoutes {
    let context: RequestContext

    func list() throws -> Answer {
        var condition: SQL = "1 = 1"
        if let text = context.query.text("query") {
            condition += " AND (id = \(text) OR \(SQL.contains(text, in: "email_address")))"
        }
        if let text = context.query.text("status") {
            guard let status = WaitlistRecord.Status(rawValue: text) else {
                throw ClerkError.invalidValue("status", String(text.prefix(40)))
            }
            condition += " AND status = \(status.rawValue)"
        }
        let order = try context.order(["created_at", "email_address"])
        return try context.page(WaitlistRecord.self, condition, order: order, json)
    }

    func create() throws -> Answer { .resource(try json(try add(context.fields))) }

    func createAll() throws -> Answer {
        guard !context.elements.isEmpty else { throw ClerkError.malformedBody("The body must be a list of entries.") }
        guard context.elements.count <= 50 else { throw ClerkError.malformedBody("Give 50 entries at most.") }
        return .resource(.array(try context.elements.map { try json(try add($0)) }))
    }

    func delete() throws -> Answer {
        let entry = try entry()
        guard entry.status == .pending else { throw ClerkError.waitlisted(entry.status) }
        try context.db.run("DELETE FROM waitlist WHERE id = \(entry.id)")
        return .resource(["object": "waitlist_entry", "id": .string(entry.id), "deleted": true])
    }

    /// Emails an invitation to the entry's address.
    func invite() throws -> Answer {
        var entry = try entry()
        guard entry.status == .pending || entry.status == .rejected else { throw ClerkError.waitlisted(entry.status) }
        let tickets = AdminTicketRoutes(context: context)
        if try context.fields.flag("ignore_existing") != true { try tickets.checkNew(entry.emailAddress) }
        let ticket = try tickets.invite(entry.emailAddress, metadata: [:], redirectURL: nil, days: 30)
        entry.invitationID = ticket.id
        try context.waitlist.set(&entry, .invited)
        return .resource(try json(entry))
    }

    func reject() throws -> Answer {
        var entry = try entry()
        guard entry.status == .pending || entry.status == .invited else { throw ClerkError.waitlisted(entry.status) }
        if let id = entry.invitationID, var ticket = try context.db.find(TicketRecord.self, "id = \(id) AND status = 'pending'") {
            ticket.status = "revoked"
            ticket.updatedAt = context.now
            try context.db.save(ticket)
            try context.ticketJSON.announce(ticket, "revoked")
        }
        entry.invitationID = nil
        try context.waitlist.set(&entry, .rejected)
        return .resource(try json(entry))
    }

    private func add(_ fields: Fields) throws -> WaitlistRecord {
        guard let address = EmailAddress(try fields.required("email_address")) else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        _ = try fields.flag("notify")
        return try context.waitlist.add(address)
    }

    private func entry() throws -> WaitlistRecord {
        try context.named("waitlist_entry_id") { try context.db.find(WaitlistRecord.self, "id = \($0)") }
    }

    private func json(_ entry: WaitlistRecord) throws -> JSON {
        var json = entry.json.object ?? [:]
        json["is_locked"] = false
        let ticket = try entry.invitationID.flatMap { try context.db.find(TicketRecord.self, "id = \($0)") }
        json["invitation"] = ticket.map { context.ticketJSON.ticket($0) } ?? .null
        return .object(json)
    }
}
