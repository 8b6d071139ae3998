internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The session of a refresh token.
struct Session: Sendable {
    let project: String
    let tenant: String?
    let localID: String
    let grant: Grant
    /// `nil` if the token does not contain it, as in Firebase's emulator.
    let createdAt: Instant?
}

extension Session {
    /// Returns the session of a refresh token; `nil` if it is unknown.
    static func find(_ token: String, _ context: RequestContext) throws -> Session? {
        switch context.settings.mode {
        case .emulator: OpenToken.session(ofRefresh: token)
        case .strict: try kept(token, context)
        }
    }

    private static func kept(_ token: String, _ context: RequestContext) throws -> Session? {
        guard let row = try context.db.find(SessionRow.self, "token = \(token)"),
            let space = try context.db.find(Space.self, "id = \(row.space)")
        else { return nil }
        return Session(
            project: space.project, tenant: space.tenant.isEmpty ? nil : space.tenant, localID: row.localID, grant: row.grant,
            createdAt: row.createdAt)
    }
}

/// A session under its refresh token.
///
/// It is kept after its user only so that a request gets the right error.
struct SessionRow: Record {
    var token = ""
    var space: Int64 = 0
    var localID = ""
    var provider = ""
    var claims: JSONObject = [:]
    var factorID: String?
    var factorKind: String?
    var authTime: Int64 = 0
    var createdAt = Instant(seconds: 0)

    static let table = Table<SessionRow>(
        "sessions",
        [
            Column("token", \.token, .key), Column("space", \.space, .belongs(to: "spaces (id)")), Column("local_id", \.localID),
            Column("provider", \.provider), Column("claims", \.claims), Column("factor_id", \.factorID),
            Column("factor_kind", \.factorKind), Column("auth_time", \.authTime), Column("created_at", \.createdAt),
        ], indexes: [Index("sessions_by_user", on: "space, local_id")], isKeyed: true)

    /// The content of its tokens.
    var grant: Grant {
        var factor: Grant.SecondFactor?
        if let factorID, let factorKind { factor = Grant.SecondFactor(id: factorID, kind: factorKind) }
        return Grant(provider: provider, claims: claims, secondFactor: factor, authTime: authTime)
    }
}
