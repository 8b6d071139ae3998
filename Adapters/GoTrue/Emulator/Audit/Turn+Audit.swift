internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    /// The maximum number of entries: a log that grows forever would be a leak.
    private static let capacity: Int64 = 10_000

    /// Writes an entry of the audit log about what a user did.
    func audit(_ action: AuditAction, _ actor: User, _ db: inout SQLiteConnection, traits: JSONObject = [:]) throws {
        var payload: JSONObject = [
            "action": .string(action.rawValue), "actor_id": .string(actor.id),
            "actor_username": .string(actor.phone.isEmpty ? actor.email : actor.phone), "actor_via_sso": .bool(actor.isSSO),
            "log_type": .string(action.kind),
        ]
        payload["actor_name"] = actor.userMetadata?["full_name"]
        if !traits.isEmpty { payload["traits"] = .object(traits.sorted()) }
        let address = action.hasAddress ? callerAddress : ""
        try db.run(
            "INSERT INTO audit_log_entries (id, payload, action, ip_address, created_at) VALUES (\(uuid()), \(StoredObject(payload.sorted())), \(action.rawValue), \(address), \(now))"
        )
        let newest = db.lastInsertedRow
        if newest % 100 == 0 { try db.run("DELETE FROM audit_log_entries WHERE row <= \(newest - Self.capacity)") }
    }

    /// Writes an entry about what an administrator did to a user: the actor has a role, and no id.
    func auditAdministrator(
        _ action: AuditAction, of user: User, _ db: inout SQLiteConnection, traits: JSONObject = [:]
    ) throws {
        let role = caller?.claims.role ?? ""
        var actor = User(id: "00000000-0000-0000-0000-000000000000", audience: "", role: role, at: now)
        actor.email = role
        var traits = traits
        traits["user_id"] = .string(user.id)
        try audit(action, actor, &db, traits: traits)
    }
}

extension User {
    /// The addresses in the audit log's form.
    var auditTraits: JSONObject { ["user_email": .string(email), "user_phone": .string(phone)] }
}
