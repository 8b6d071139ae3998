import LockstepPrimitives

/// `POST /v1/waitlist`: adds an address to the waitlist of an instance that is closed.
struct WaitlistRoutes {
    let call: FrontendCall

    /// Repeats succeed with the same id.
    func join() throws -> FrontendAnswer {
        try call.form.check(["email_address"])
        guard call.settings.signUpMode == .waitlist else { throw ClerkError.waitlistClosed }
        guard let address = EmailAddress(try call.form.required("email_address")) else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        let new = WaitlistRecord(id: call.exchange.id(.waitlistEntry), emailAddress: address.text, createdAt: call.exchange.now)
        let entry = try call.store.find(WaitlistRecord.self, "email_address = ?", .text(address.text)) ?? new
        try call.store.save(entry)
        return .bare([
            "object": "waitlist_entry", "id": .string(entry.id), "email_address": .string(entry.emailAddress),
            "status": "pending",
            "created_at": .time(entry.createdAt), "updated_at": .time(entry.createdAt),
        ])
    }
}
