internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A user's passkeys, as answers show them.
struct PasskeyList {
    let userID: String

    func all(_ db: inout SQLiteConnection) throws -> [JSON] {
        try db.all("SELECT * FROM webauthn_credentials WHERE user_id = \(userID) ORDER BY row", Self.json)
    }

    func one(_ id: String?, _ db: inout SQLiteConnection) throws -> JSON {
        let found = try id.flatMap { id in
            try db.first("SELECT * FROM webauthn_credentials WHERE user_id = \(userID) AND id = \(id)", Self.json)
        }
        guard let found else { throw GoTrueError.notFound(.validationFailed, "Passkey not found") }
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

/// Answers `GET /passkeys`.
struct PasskeyListEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.askForPasskeys()
        return .go(.array(try PasskeyList(userID: turn.user().id).all(&db)))
    }
}

/// Answers `PATCH` and `DELETE /passkeys/{passkey_id}`.
struct PasskeyEndpoint: Endpoint {
    static let shape = BodyShape("PasskeyUpdateParams", [("friendly_name", .text)])

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.askForPasskeys()
        try turn.askForPasskeyRights()
        let list = PasskeyList(userID: try turn.user().id)
        let id = UUIDText.normal(turn.request[placeholder: "passkey_id"])
        guard turn.request.method == "PATCH" else {
            try list.delete(id, &db)
            return .empty()
        }
        let name = try Body(of: turn.request, as: Self.shape)[text: "friendly_name"]
        guard !name.isEmpty else { throw GoTrueError.invalid("friendly_name is required") }
        guard name.count <= 120 else { throw GoTrueError.invalid("friendly_name must be 120 characters or less") }
        _ = try list.one(id, &db)
        try db.run(
            "UPDATE webauthn_credentials SET friendly_name = \(name), updated_at = \(turn.now) WHERE id = \(id.sqliteValue)")
        return .go(try list.one(id, &db))
    }
}

/// Answers `GET /admin/users/{user_id}/passkeys` and `DELETE …/{passkey_id}`.
struct PasskeysByAdminEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        let list = PasskeyList(userID: try turn.userOfPath(&db).id)
        try turn.askForPasskeys()
        if turn.request.method == "GET" { return .go(.array(try list.all(&db))) }
        try list.delete(UUIDText.normal(turn.request[placeholder: "passkey_id"]), &db)
        return .empty()
    }
}
