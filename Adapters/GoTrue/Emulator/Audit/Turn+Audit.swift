internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    /// The newest entries that are kept: a log that grew for ever would be a leak.
    private static let capacity: Int64 = 10_000

    /// Writes an entry of the audit log.
    func audit(_ action: AuditAction, _ actor: User, _ db: inout SQLiteConnection, traits: JSONObject = [:]) throws {
        var payload: JSONObject = [
            "action": .string(action.rawValue), "actor_id": .string(actor.id),
            "actor_username": .string(actor.email.isEmpty ? actor.phone : actor.email), "actor_via_sso": .bool(actor.isSSO),
            "log_type": .string(action.kind),
        ]
        if !traits.isEmpty { payload["traits"] = .object(traits) }
        try db.run(
            "INSERT INTO audit_log_entries (id, payload, action, ip_address, created_at) VALUES (\(uuid()), \(StoredObject(payload)), \(action.rawValue), '', \(now))"
        )
        let newest = db.lastInsertedRow
        if newest % 100 == 0 { try db.run("DELETE FROM audit_log_entries WHERE row <= \(newest - Self.capacity)") }
    }
}
