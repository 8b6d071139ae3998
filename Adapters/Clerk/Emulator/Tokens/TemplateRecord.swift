import LockstepPrimitives

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
    init(_ row: inout RowReader) {
        id = row.text()
        name = row.text()
        claims = row.object()
        lifetime = row.number()
        clockSkew = row.number()
        createdAt = row.time()
        updatedAt = row.time()
    }

    var stored: [StoredValue] {
        [.text(id), .text(name), .object(claims), .number(lifetime), .number(clockSkew), .time(createdAt), .time(updatedAt)]
    }
}
