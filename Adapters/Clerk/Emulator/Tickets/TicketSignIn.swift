import LockstepPrimitives

/// `strategy=ticket` at sign-in: a token of the Backend API needs no other credential.
struct TicketSignIn {
    let call: FrontendCall

    func create() throws -> FrontendAnswer {
        let desk = SignInDesk(call: call)
        let exchange = call.exchange
        let ticket = try Tickets(exchange: exchange).spendable(try call.form.required("ticket"))
        guard ticket.kind != .invitation, let id = ticket.userID, var user = try UserDirectory(exchange: exchange).find(id) else {
            throw ClerkError.ticketInvalid
        }
        try Lockout(exchange: exchange).check(user)
        try desk.checkRoom(for: user)
        try Tickets(exchange: exchange).spend(ticket)
        var signIn = try desk.make()
        signIn.userID = user.id
        signIn.first = .ticket(expireAt: ticket.expireAt)
        if ticket.actor != nil {
            try desk.complete(&signIn, &user, actor: ticket.actor)
        } else {
            try desk.advance(&signIn, &user)
        }
        return .resource(try SignInJSON(exchange: exchange).signIn(signIn))
    }
}
