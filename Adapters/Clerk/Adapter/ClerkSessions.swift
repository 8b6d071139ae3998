internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Clerk's sessions: the client's token creates access tokens that are valid for a minute.
struct ClerkSessions: SessionAuthority {
    let api: ClerkAPI

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        guard let id = session.id else { throw ErrorMapping.incomplete("the session's id") }
        return try await api.session(id, user: session.user, client: session.refreshToken)
    }

    func reload(_ session: Session) async throws(AuthError) -> Session {
        let response = try await api.deciding(about: session.id, client: session.refreshToken) { () async throws(AuthError) in
            try await api.call(.get, "/me", client: session.refreshToken, session: session.id)
        }
        guard let id = session.id else { throw ErrorMapping.incomplete("the session's id") }
        let user = try User(clerk: try response.resource())
        let client = response.client ?? session.refreshToken
        guard user.hasNews(since: session.user) else {
            // The user has not changed, so the token's claims are still current, even if the client has a new token.
            var copy = session
            copy.user = user
            copy.refreshToken = client
            return copy
        }
        return try await api.session(id, user: user, client: client)
    }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        if scope != .local {
            let response = try await api.about(session, .get, "/me/sessions/active")
            // A response that is not the list, such as a proxy's, says nothing about the other sessions.
            guard let others = response.json.array else { throw ErrorMapping.incomplete("the list of sessions") }
            for other in others {
                guard let id = other["id"]?.filled, id.exact != session.id?.exact else { continue }
                do {
                    _ = try await api.about(session, .post, "/me/sessions/\(id)/revoke")
                } catch  where ["resource_not_found", "invalid_action_for_session"].contains(error.provider?.code) {
                    // The session has ended in the meantime.
                }
            }
        }
        guard scope != .others, let id = session.id else { return }
        do throws(AuthError) {
            let response = try await api.call(.post, "/client/sessions/\(id)/remove", client: session.refreshToken)
            guard try response.resource()["status"]?.string == "removed" else {
                throw ErrorMapping.incomplete("a confirmation of the sign-out")
            }
        } catch  where error.provider?.code != nil && [401, 404].contains(error.provider?.status) {
            // A proxy's rejection has no code, and says nothing about the session.
            let verdict = await api.verdict(on: id, client: session.refreshToken, after: error)
            guard verdict.code == .sessionRevoked else { throw verdict }
        }
    }
}

extension ClerkAPI {
    /// Sends a request that is about a session and nothing else, and lets the client object decide if Clerk rejects it.
    func deciding(
        about id: String?, client: Secret, _ request: () async throws(AuthError) -> ClerkResponse
    ) async throws(AuthError) -> ClerkResponse {
        do throws(AuthError) {
            return try await request()
        } catch  where [.flowNotFound, .sessionRevoked].contains(error.code) {
            throw await verdict(on: id, client: client, after: error)
        }
    }

    /// Returns the error for a request about a session whose credential Clerk has rejected.
    ///
    /// Such a rejection is about one request. Only the client object says whether the session has ended, so Clerk's own SDKs load it
    /// before they sign a user out (clerk-js after a 401; ClerkKit after `authentication_invalid` and `resource_not_found`).
    ///
    /// - Returns: `sessionRevoked` if the client no longer has the session, or if Clerk does not know the client;
    ///   `serverUnavailable` if the client still has the session; otherwise the error of the request for the client.
    func verdict(on id: String?, client: Secret, after refusal: AuthError) async -> AuthError {
        var verdict = refusal
        (verdict.code, verdict.message) = (.sessionRevoked, "The session has ended on the backend.")
        verdict.remedies = [.signIn]
        do {
            guard try await call(.get, "/client", client: client).isListed(id) else { return verdict }
        } catch {
            return error.code == .sessionRevoked ? verdict : error
        }
        (verdict.code, verdict.retry, verdict.remedies) = (.serverUnavailable, .now, [])
        verdict.message = "Clerk rejected the request, but the session is still active. Try again."
        return verdict
    }
}

extension ClerkAPI {
    /// Sends a request about the signed-in user.
    ///
    /// If Clerk rejects the client's token, the client object decides whether the session has ended.
    func about(
        _ session: Session, _ method: HTTPMethod, _ path: BackendPath, _ form: [(name: String, value: String)] = [],
        query: [(name: String, value: String)] = [], file: HTTPBody? = nil
    ) async throws(AuthError) -> ClerkResponse {
        do {
            return try await call(method, path, form, client: session.refreshToken, session: session.id, query: query, file: file)
        } catch  where error.code == .flowNotFound {
            // A 404 is about the call's resource; a missing session is a 401.
            var missing = error
            missing.code = .invalidInput
            missing.message = "The backend does not have this resource. It may already be deleted. Refresh the user."
            missing.remedies = []
            throw missing
        } catch  where error.code == .sessionRevoked {
            throw await verdict(on: session.id, client: session.refreshToken, after: error)
        }
    }

    /// Returns the session with the user of a response.
    func session(_ session: Session, with response: ClerkResponse) throws(AuthError) -> Session {
        var copy = session
        copy.user = try User(clerk: try response.resource())
        if let client = response.client { copy.refreshToken = client }
        return copy
    }
}

extension User {
    /// Whether anything except times of activity and the rest of a lockout, which changes every second, differs from an
    /// earlier version of the user.
    ///
    /// Otherwise each recorded request would require a new token on some instances.
    fileprivate func hasNews(since former: User) -> Bool {
        var (now, before) = (self, former)
        for name in ["last_active_at", "last_sign_in_at", "updated_at", "lockout_expires_in_seconds"] {
            now.fields[name] = nil
            before.fields[name] = nil
        }
        return now != before
    }
}
