internal import Lockstep
internal import LockstepPrimitives

extension InMemoryBackend {
    func newSession(for userID: String, _ assurance: Session.Assurance = .oneFactor) throws(AuthError) -> InMemoryGrant {
        let session = InMemorySessionRecord(
            id: "s-" + randomness.text(12), userID: userID, refreshToken: secret(), signedInAt: clock.now, assurance: assurance)
        sessions[session.id] = session
        return try grant(session.id)
    }

    /// Returns a session with a new token.
    func grant(_ sessionID: String) throws(AuthError) -> InMemoryGrant {
        guard var session = sessions[sessionID], let account = accounts[session.userID] else { throw gone }
        let token = secret()
        session.accessTokens = session.accessTokens.filter { $0.value > clock.now }
        session.accessTokens[token] = clock.now + settings.tokenLife
        sessions[sessionID] = session
        return InMemoryGrant(
            sessionID: session.id, user: account.user, accessToken: token, refreshToken: session.refreshToken,
            life: settings.tokenLife, date: clock.now, signedInAt: session.signedInAt, assurance: session.assurance,
            organizationID: session.organizationID)
    }

    var gone: AuthError {
        AuthError(
            .userDeleted, "The account no longer exists.", remedies: [.startAgain],
            provider: ProviderDetail(code: "user_not_found", status: 404))
    }

    /// Returns the session of an access token that has not expired.
    func session(of access: Secret) throws(AuthError) -> InMemorySessionRecord {
        guard let session = sessions.values.first(where: { $0.accessTokens[access] ?? clock.now > clock.now }) else {
            throw AuthError(
                .accessTokenRefused, "The access token is unknown, or has expired.",
                provider: ProviderDetail(code: "bad_token", status: 401))
        }
        guard let account = accounts[session.userID] else { throw ended(settings.behavior.sessionOfDeletedUser) }
        guard !account.isDisabled else { throw ended(settings.behavior.sessionOfDisabledUser) }
        let outlives = settings.behavior.accessTokenAfterSignOut != .dies
        guard session.ending == nil, !session.isOver || outlives else {
            throw AuthError(
                .sessionRevoked, "The session has ended on the backend.",
                provider: ProviderDetail(code: "session_over", status: 401))
        }
        return session
    }

    /// Returns the error of a rejected refresh.
    private func ended(_ ending: ProviderBehavior.NextRefresh) -> AuthError {
        switch ending {
        case .userDeleted: gone
        case .userDisabled: disabled
        case .refreshReuse: reused
        case .credentialChanged:
            AuthError(
                .credentialChanged, "The password was changed.",
                provider: ProviderDetail(code: "credential_changed", status: 401))
        default:
            AuthError(
                .sessionRevoked, "The session has ended on the backend.",
                provider: ProviderDetail(code: "session_over", status: 401))
        }
    }

    private var reused: AuthError {
        AuthError(
            .refreshTokenReused, "The refresh token was already used.",
            provider: ProviderDetail(code: "refresh_token_already_used", status: 400))
    }

    /// Ends the session of a refresh token that was spent before, as declared.
    ///
    /// A client whose last response was lost, or that shares its store, sends the token that was spent last.
    func punishReplay(of token: Secret, in session: InMemorySessionRecord) {
        guard settings.behavior.sessionAfterReplay != .goesOn, session.spentTokens.contains(token),
            token != session.previousToken
        else { return }
        sessions[session.id]?.ending = settings.behavior.sessionAfterReplay
    }

    var disabled: AuthError {
        AuthError(
            .userDisabled, "An administrator has disabled this account.",
            provider: ProviderDetail(code: "user_disabled", status: 403))
    }

    func refresh(_ token: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.refresh) { backend throws(AuthError) in
            let match = backend.sessions.values.first { $0.refreshToken == token || $0.spentTokens.contains(token) }
            guard var session = match else {
                throw AuthError(
                    .refreshTokenUnknown, "The refresh token is unknown.",
                    provider: ProviderDetail(code: "refresh_token_not_found", status: 400))
            }
            let behavior = backend.settings.behavior
            guard let account = backend.accounts[session.userID] else { throw backend.ended(behavior.sessionOfDeletedUser) }
            guard !account.isDisabled else { throw backend.ended(behavior.sessionOfDisabledUser) }
            if let ending = session.ending { throw backend.ended(ending) }
            guard !session.isOver || backend.settings.behavior.refreshTokenAfterSignOut == .lives else {
                throw AuthError(
                    .sessionRevoked, "The session has ended on the backend.",
                    provider: ProviderDetail(code: "session_over", status: 400))
            }
            guard session.refreshToken == token else {
                backend.punishReplay(of: token, in: session)
                throw backend.reused
            }
            if backend.settings.rotatesRefreshTokens {
                session.spentTokens.insert(token)
                session.previousToken = token
                session.refreshToken = backend.secret()
                backend.sessions[session.id] = session
            }
            return try backend.grant(session.id)
        }
    }

    func reload(_ access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.user) { backend throws(AuthError) in try backend.grant(try backend.session(of: access).id) }
    }

    /// Returns whether the session of a refresh token is active.
    func hasSession(_ token: Secret) async throws(AuthError) -> Bool {
        try await exchange(.other) { backend throws(AuthError) in
            backend.sessions.values.contains { $0.refreshToken == token && !$0.isOver && $0.ending == nil }
        }
    }

    /// Returns whether an access token belongs to a deleted user.
    private func isOfNoUser(_ access: Secret) -> Bool {
        sessions.values.contains { $0.accessTokens[access] != nil && accounts[$0.userID] == nil }
    }

    /// Ends sessions with the access token of an active session; sessions that have already ended are ignored.
    func signOut(_ access: Secret, scope: SignOutScope) async throws(AuthError) {
        try await exchange(.signOut) { backend throws(AuthError) in
            let session: InMemorySessionRecord
            do throws(AuthError) {
                session = try backend.session(of: access)
            } catch  where backend.isOfNoUser(access) || scope == .local && error.code == .sessionRevoked {
                return
            }
            for other in backend.sessions.values where other.userID == session.userID {
                let isThis = other.id == session.id
                if scope == .everywhere || (scope == .local) == isThis { backend.sessions[other.id]?.isOver = true }
            }
        }
    }
}
