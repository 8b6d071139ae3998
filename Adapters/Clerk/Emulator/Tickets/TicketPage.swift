import LockstepPrimitives

/// `GET /v1/tickets/accept`: a browser opened the link of an invitation.
struct TicketPage {
    let call: FrontendCall

    func accept() throws -> FrontendAnswer {
        let text = try call.request.query.required("ticket")
        let ticket = try Tickets(exchange: call.exchange).spendable(text)
        if let target = ticket.redirectURL {
            let status = ticket.kind == .invitation ? "sign_up" : "sign_in"
            call.redirect = Redirects.adding([("__clerk_ticket", text), ("__clerk_status", status)], to: target)
        }
        return .page("The ticket is good. Open the app to go on.")
    }
}
