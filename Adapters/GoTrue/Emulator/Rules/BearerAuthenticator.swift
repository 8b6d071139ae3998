internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Checks the bearer token of a request: a signed-in user's, or an administrator's.
struct BearerAuthenticator {
    let context: RequestContext

    /// The token of the request, as the gateway passes it on: `Bearer`, one space, one word.
    var token: String? {
        guard let value = Gateway(state: context.state).authorization(of: context.request) else { return nil }
        // The bytes are in an array, because a token is long and iterating over a string is slow.
        let units = Array(value.utf8)
        let scheme = zip(units, "bearer ".utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $1 != 0x20 }
        let token = units.dropFirst(7)
        guard scheme, !token.isEmpty, token.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        return String(decoding: token, as: UTF8.self)
    }

    /// Whether the request contains an administrator's bearer token.
    var isAdministrator: Bool {
        (try? claims()).map { context.settings.tokens.adminRoles.contains($0.role) } ?? false
    }

    private func claims() throws(GoTrueError) -> AccessClaims {
        guard let token else { throw GoTrueError.noBearer }
        return try AccessTokenReader(keys: context.state.keys, verifiedTokens: context.state.verifiedTokens)
            .read(token, at: context.now)
    }

    /// Checks that the caller may use an endpoint.
    func admit(_ access: ServerState.Access) throws {
        switch access {
        case .anyone: break
        case .user: try requireUser()
        case .permanentUser:
            try requireUser()
            try refuseAnonymous()
        case .administrator: try requireAdministrator()
        case .passkeys(let access):
            try context.passkeys.requireEnabled()
            try admit(access)
        }
    }

    /// Returns the user of the bearer token.
    @discardableResult
    func requireUser() throws -> User {
        let claims = try claims()
        guard !claims.subject.isEmpty else { throw GoTrueError.noSubject }
        guard let id = UUIDText.normal(claims.subject) else { throw GoTrueError.malformedSubject }
        guard let user = try context.db.user(id: id) else { throw GoTrueError.unknownSubject }
        var session: Session?
        if !claims.sessionID.isEmpty, claims.sessionID != "00000000-0000-0000-0000-000000000000" {
            guard let id = UUIDText.normal(claims.sessionID) else { throw GoTrueError.malformedSessionID }
            session = try context.db.session(id: id)
            guard session != nil else { throw GoTrueError.unknownSession }
        }
        if user.isBanned(at: context.now) { throw GoTrueError.banned }
        context.call.claims = claims
        context.call.user = user
        context.userID = user.id
        context.call.session = session
        return user
    }

    /// Checks that the bearer token has an administrator's role.
    func requireAdministrator() throws(GoTrueError) {
        let claims = try claims()
        guard context.settings.tokens.adminRoles.contains(claims.role) else { throw GoTrueError.notAdministrator }
        context.call.claims = claims
    }

    /// Anonymous users cannot have factors and passkeys.
    func refuseAnonymous() throws(GoTrueError) {
        guard context.call.claims?.all["is_anonymous"]?.bool != true else { throw GoTrueError.anonymousUser }
    }
}

/// The claims of a verified access token.
struct AccessClaims: Sendable {
    var subject: String
    var audience: String
    var role: String
    var sessionID: String
    /// All of them.
    var all: JSONObject

    init(_ claims: JSONObject) {
        all = claims
        subject = claims["sub"]?.string ?? ""
        audience = claims["aud"]?.string ?? claims["aud"]?.array?.first?.string ?? ""
        role = claims["role"]?.string ?? ""
        sessionID = claims["session_id"]?.string ?? ""
    }
}
