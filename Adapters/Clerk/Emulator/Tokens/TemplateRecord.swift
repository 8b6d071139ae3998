internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A template for tokens with claims of the instance's own.
struct TemplateRecord: StoredRecord {
    let id: String
    var name: String
    var claims: JSONObject
    /// Seconds.
    var lifetime: Int
    /// Seconds that `nbf` lies before `iat`.
    var clockSkew: Int
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "templates"
    static let columns = ["id", "name", "claims", "lifetime", "clock_skew", "created_at", "updated_at"]
}

extension TemplateRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        name = try row["name"]
        claims = (try row["claims"] as StoredJSON).object
        lifetime = try row["lifetime"]
        clockSkew = try row["clock_skew"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [id, name, StoredJSON(.object(claims)), lifetime, clockSkew, createdAt, updatedAt]
    }
}
