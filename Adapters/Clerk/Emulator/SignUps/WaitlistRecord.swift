import LockstepPrimitives

/// An entry of the waitlist.
struct WaitlistRecord: StoredRecord {
    let id: String
    let emailAddress: String
    let createdAt: Instant

    static let table = "waitlist"
    static let columns = ["id", "email_address", "created_at"]
}

extension WaitlistRecord {
    init(_ row: inout RowReader) {
        id = row.text()
        emailAddress = row.text()
        createdAt = row.time()
    }

    var stored: [StoredValue] { [.text(id), .text(emailAddress), .time(createdAt)] }
}
