internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A user's passkeys, as answers show them.
struct PasskeyList {
    let userID: String

    static let notFound = GoTrueError.notFound(.validationFailed, "Passkey not found")

    func all(_ db: inout SQLiteConnection) throws -> [JSON] {
        try db.all("SELECT * FROM webauthn_credentials WHERE user_id = \(userID) ORDER BY row", Self.json)
    }

    func one(_ id: String?, _ db: inout SQLiteConnection) throws -> JSON {
        let found = try id.flatMap { id in
            try db.first("SELECT * FROM webauthn_credentials WHERE user_id = \(userID) AND id = \(id)", Self.json)
        }
        guard let found else { throw Self.notFound }
        return found
    }

    func delete(_ id: String?, _ db: inout SQLiteConnection) throws {
        _ = try one(id, &db)
        try db.run("DELETE FROM webauthn_credentials WHERE id = \(id.sqliteValue)")
    }

    private static func json(_ row: borrowing SQLiteRow) throws(SQLiteError) -> JSON {
        var json: JSONObject = ["id": .string(try row["id"])]
        let name: String = try row["friendly_name"]
        if !name.isEmpty { json["friendly_name"] = .string(name) }
        json["created_at"] = Timestamp.json(try row["created_at"])
        json["last_used_at"] = (try row["last_used_at"] as Instant?).map(Timestamp.json)
        return .object(json)
    }
}
