internal import LockstepEmulation
internal import LockstepPrimitives

/// An entry of the audit log.
struct AuditEntry: Record {
    var id = ""
    var payload: JSONObject = [:]
    var action = ""
    /// The caller's address; empty for most actions.
    var address = ""
    var createdAt = Instant.distantPast

    static let table = Table<AuditEntry>(
        "audit_log_entries",
        [
            Column("id", \.id), Column("payload", \.payload), Column("action", \.action), Column("ip_address", \.address),
            Column("created_at", \.createdAt),
        ], numbered: "row")

    /// The entry in a response.
    var json: JSON {
        [
            "id": .string(id), "payload": .object(payload), "created_at": Timestamp.json(createdAt),
            "ip_address": .string(address),
        ]
    }
}
