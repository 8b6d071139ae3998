internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `POST /v1/waitlist`: adds an address to the waitlist of a closed instance.
struct WaitlistRoutes {
    let context: RequestContext

    /// A repeated request succeeds, and returns the same id.
    func join() throws -> Answer {
        guard context.settings.signUpMode == .waitlist else { throw ClerkError.waitlistClosed }
        guard let address = EmailAddress(try context.form.required("email_address")) else {
            throw ClerkError.malformed("email_address", "email_address must be a valid email address.")
        }
        try context.restrictions.checkNew([address.text], isInvited: true)
        // A visitor gets only the id of an entry.
        return .bare(["object": "waitlist_entry", "id": .string(try context.waitlist.add(address).id)])
    }
}

/// The waitlist: addresses that wait for an invitation.
struct Waitlist {
    let context: RequestContext

    /// Returns the entry of an address, and creates the entry if it does not exist.
    func add(_ address: EmailAddress) throws -> WaitlistRecord {
        if let known = try context.db.find(WaitlistRecord.self, "email_address = \(address.text)") { return known }
        let entry = WaitlistRecord(
            id: context.id(.waitlistEntry), emailAddress: address.text, createdAt: context.now, updatedAt: context.now)
        try context.db.save(entry)
        try context.emit("waitlistEntry.created", entry.id, entry.json)
        return entry
    }

    func set(_ entry: inout WaitlistRecord, _ status: WaitlistRecord.Status) throws {
        entry.status = status
        entry.updatedAt = context.now
        try context.db.save(entry)
        try context.emit("waitlistEntry.updated", entry.id, entry.json)
    }

    /// Marks the entry of an address as completed, because its user has signed up.
    func complete(_ address: String?) throws {
        guard let address, var entry = try context.db.find(WaitlistRecord.self, "email_address = \(address)") else { return }
        try set(&entry, .completed)
    }
}

/// An entry of the waitlist.
struct WaitlistRecord: Record {
    enum Status: String, ColumnValue {
        case pending, invited, rejected, completed
    }

    var id: String
    var emailAddress: String
    var status = Status.pending
    var invitationID: String?
    var createdAt: Instant
    var updatedAt: Instant

    /// The entry as both APIs show it.
    var json: JSON {
        [
            "object": "waitlist_entry", "id": .string(id), "email_address": .string(emailAddress),
            "status": .string(status.rawValue), "created_at": .time(createdAt), "updated_at": .time(updatedAt),
        ]
    }
}

extension WaitlistRecord {
    init() { self.init(id: "", emailAddress: "", createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<WaitlistRecord>(
        "waitlist",
        [
            Column("id", \.id, .key), Column("email_address", \.emailAddress, .unique),
            Column("status", \.status, .initially("'pending'")), Column("invitation_id", \.invitationID),
            Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ])
}
