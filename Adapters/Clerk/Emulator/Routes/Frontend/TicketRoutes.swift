internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /v1/tickets/accept`: handles the link of an invitation that a browser has opened.
struct TicketRoutes {
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
