import LockstepPrimitives

/// `strategy=ticket` at sign-in: a token of the Backend API needs no other credential.
struct TicketSignIn {
    let call: FrontendCall

    func create() throws -> FrontendResponse {
        let service = SignInService(call: call)
        let context = call.context
        let ticket = try Tickets(context: context).spendable(try call.form.required("ticket"))
        guard ticket.kind != .invitation, let id = ticket.userID, var user = try UserRepository(context: context).find(id) else {
            throw ClerkError.ticketInvalid
        }
        try Lockout(context: context).check(user)
        try service.checkRoom(for: user)
        try Tickets(context: context).spend(ticket)
        var signIn = try service.make()
        signIn.userID = user.id
        signIn.first = .ticket(expireAt: ticket.expireAt)
        if ticket.actor != nil {
            try service.complete(&signIn, &user, actor: ticket.actor)
        } else {
            try service.advance(&signIn, &user)
        }
        return .resource(try SignInJSON(context: context).signIn(signIn))
    }
}

/// `GET /v1/tickets/accept`: a browser opened the link of an invitation.
struct TicketPage {
    let call: FrontendCall

    func accept() throws -> FrontendResponse {
        let text = try call.request.query.required("ticket")
        let ticket = try Tickets(context: call.context).spendable(text)
        if let target = ticket.redirectURL {
            let status = ticket.kind == .invitation ? "sign_up" : "sign_in"
            call.redirect = Redirects.adding([("__clerk_ticket", text), ("__clerk_status", status)], to: target)
        }
        return .page("The ticket is good. Open the app to go on.")
    }
}
