internal import LockstepPrimitives

/// The session of a refresh token.
struct Session: Sendable {
    let project: String
    let tenant: String?
    let localID: String
    let grant: Grant
    /// `nil` where the token does not contain it, as that of Firebase's emulator.
    let createdAt: Instant?
}

extension Session {
    /// The session of a refresh token; `nil` where it is unknown.
    static func find(_ token: String, _ context: RequestContext) throws -> Session? {
        switch context.settings.mode {
        case .emulator: OpenToken.session(ofRefresh: token)
        case .strict: try context.db.session(token)
        }
    }
}
