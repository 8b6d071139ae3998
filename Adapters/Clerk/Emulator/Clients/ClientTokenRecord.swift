import LockstepPrimitives

/// A token of a client: the current one, or a replaced one in its grace period.
struct ClientTokenRecord: StoredRecord {
    let token: String
    let clientID: String
    var retiredAt: Instant?

    static let table = "client_tokens"
    static let columns = ["token", "client_id", "retired_at"]
}

extension ClientTokenRecord {
    init(_ row: inout RowReader) {
        token = row.text()
        clientID = row.text()
        retiredAt = row.optionalTime()
    }

    var stored: [StoredValue] { [.text(token), .text(clientID), .time(retiredAt)] }
}
