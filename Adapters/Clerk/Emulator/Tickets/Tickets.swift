import LockstepPrimitives

/// Tickets of the Backend API: made, found and spent.
struct Tickets {
    let exchange: Exchange

    /// A text of three parts, as SDKs expect of a ticket; its meaning is in the database.
    static func newToken(_ exchange: Exchange) -> String {
        let header = Base64.encode(#"{"alg":"none","typ":"ticket"}"#.utf8, .url)
        return "\(header).\(Base64.encode(exchange.instance.randomness.bytes(24), .url)).\(exchange.token())"
    }

    /// The ticket, if it can be used now.
    ///
    /// - Throws: the reason why it cannot be used.
    func spendable(_ token: String) throws -> TicketRecord {
        guard let ticket = try exchange.store.find(TicketRecord.self, "token = ?", .text(token)) else {
            throw ClerkError.ticketInvalid
        }
        guard ticket.status == "pending" else { throw ClerkError.ticket(ticket.kind, is: ticket.status) }
        if ticket.expireAt <= exchange.now { throw ClerkError.ticketExpired }
        return ticket
    }

    func spend(_ ticket: TicketRecord) throws {
        var ticket = ticket
        ticket.status = "accepted"
        ticket.updatedAt = exchange.now
        try exchange.store.save(ticket)
    }

    func find(_ id: String, _ kind: TicketRecord.Kind) throws -> TicketRecord {
        guard let ticket = try exchange.store.find(TicketRecord.self, "id = ? AND kind = ?", .text(id), .text(kind.rawValue))
        else {
            throw ClerkError.notFound(id)
        }
        return ticket
    }
}
