internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    private static let noBearer = GoTrueError(401, .noAuthorization, "This endpoint requires a valid Bearer token")

    /// `Bearer`, one space, one word.
    private static func bearer(_ request: EmulatorRequest) throws -> String {
        guard let value = request.headers["authorization"] else { throw noBearer }
        let units = value.utf8
        let scheme = zip(units, "bearer ".utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $1 != 0x20 }
        let token = Substring(units.dropFirst(7))
        guard scheme, !token.isEmpty, !token.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) else { throw noBearer }
        return String(token)
    }

    /// Reads the bearer and the user that it names.
    mutating func authenticate(_ db: inout SQLiteConnection) throws {
        let claims = try AccessTokenReader(keys: core.keys, verifiedTokens: core.verifiedTokens).read(
            try Self.bearer(request), at: now)
        guard !claims.subject.isEmpty else { throw GoTrueError.forbidden(.badJWT, "invalid claim: missing sub claim") }
        guard let id = UUIDText.normal(claims.subject) else {
            throw GoTrueError.bad(.badJWT, "invalid claim: sub claim must be a UUID")
        }
        guard let user = try db.user(id: id) else {
            throw GoTrueError.forbidden(.userNotFound, "User from sub claim in JWT does not exist")
        }
        var session: Session?
        if !claims.sessionID.isEmpty, claims.sessionID != "00000000-0000-0000-0000-000000000000" {
            guard let id = UUIDText.normal(claims.sessionID) else {
                throw GoTrueError.forbidden(.badJWT, "invalid claim: session_id claim must be a UUID")
            }
            session = try db.session(id: id)
            guard session != nil else {
                throw GoTrueError.forbidden(.sessionNotFound, "Session from session_id claim in JWT does not exist")
            }
        }
        if user.isBanned(at: now) { throw GoTrueError.banned }
        caller = Caller(claims: claims, user: user, session: session)
    }

    /// Reads the bearer and requires an administrator's role.
    mutating func authenticateAdmin() throws {
        let claims = try AccessTokenReader(keys: core.keys, verifiedTokens: core.verifiedTokens).read(
            try Self.bearer(request), at: now)
        guard settings.tokens.adminRoles.contains(claims.role) else {
            throw GoTrueError.forbidden(.notAdmin, "User not allowed")
        }
        caller = Caller(claims: claims)
    }

    /// The signed-in user.
    func user() throws -> User {
        guard let user = caller?.user else { throw GoTrueError.unhandled }
        return user
    }

    /// Anonymous users may not have factors and passkeys.
    func refuseAnonymous() throws {
        guard caller?.claims.all["is_anonymous"]?.bool != true else {
            throw GoTrueError.forbidden(.noAuthorization, "Anonymous user not allowed to perform these actions")
        }
    }

    static func mayBeBearer(_ request: EmulatorRequest) -> String? { try? bearer(request) }
}

extension Core {
    /// Whether a request comes with an administrator's bearer.
    func isAdmin(_ request: EmulatorRequest, at now: Instant) -> Bool {
        guard let token = Turn.mayBeBearer(request),
            let claims = try? AccessTokenReader(keys: keys, verifiedTokens: verifiedTokens).read(token, at: now)
        else {
            return false
        }
        return settings.tokens.adminRoles.contains(claims.role)
    }
}
