internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `POST /v1/waitlist`: adds an address to the waitlist of an instance that is closed.
struct WaitlistRoutes {
    let call: FrontendCall

    /// Repeats succeed with the same id.
    func join() throws -> FrontendResponse {
        try call.form.check(["email_address"])
        guard call.settings.signUpMode == .waitlist else { throw ClerkError.waitlistClosed }
        guard let address = EmailAddress(try call.form.required("email_address")) else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        let new = WaitlistRecord(id: call.context.id(.waitlistEntry), emailAddress: address.text, createdAt: call.context.now)
        let entry = try call.context.db.find(WaitlistRecord.self, "email_address = \(address.text)") ?? new
        try call.context.db.save(entry)
        return .bare([
            "object": "waitlist_entry", "id": .string(entry.id), "email_address": .string(entry.emailAddress),
            "status": "pending",
            "created_at": .time(entry.createdAt), "updated_at": .time(entry.createdAt),
        ])
    }
}

/// An entry of the waitlist.
struct WaitlistRecord: StoredRecord {
    let id: String
    let emailAddress: String
    let createdAt: Instant

    static let table = "waitlist"
    static let columns = ["id", "email_address", "created_at"]
}

extension WaitlistRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        emailAddress = try row["email_address"]
        createdAt = try row["created_at"]
    }

    var stored: [any SQLiteConvertible] { [id, emailAddress, createdAt] }
}
