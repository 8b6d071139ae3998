internal import Lockstep
internal import LockstepPrimitives

struct InMemoryReset: PasswordReset {
    let link: InMemoryLink

    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let proof = try await link.asking(in: flow) { () async throws(AuthError) in
            try await link.backend.sendResetMessage(to: email, captcha: flow.takeCaptcha())
        }
        let step = link.verify(proof, flow, accepts: link.settings.resetsOnWebPage ? [] : link.resetResponses)
        guard case .verify(var challenge) = step, link.settings.resetsOnWebPage else { return step }
        challenge.ending = .webPage
        return .verify(challenge)
    }
}

struct InMemoryEmailChange: EmailChange {
    let link: InMemoryLink

    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let proof = try await link.asking(in: flow) { () async throws(AuthError) in
            try await link.backend.changeEmail(session.accessToken, to: email)
        }
        return link.verify(proof, flow, accepts: link.resetResponses)
    }
}

struct InMemoryProfile: ProfileUpdate {
    let link: InMemoryLink
    let acceptsPhoto: Bool
    let acceptsMetadata: Bool

    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.update(session.accessToken, changes))
    }
}

struct InMemoryAccount: PasswordChange, IdentityLinking, Reauthentication, AccountDeletion {
    let link: InMemoryLink

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.changePassword(session.accessToken, to: new, current: current))
    }

    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.unlink(identity.id, from: session.accessToken))
    }

    func ways(for session: Session) -> [Capability] {
        var ways: [Capability] = []
        if session.user.identities.contains(where: { $0.provider == .email }) {
            ways.append(.password)
            if link.settings.capabilities.contains(.emailCodeSignIn) { ways.append(.emailCodeSignIn) }
        }
        if session.user.identities.contains(where: { $0.provider != .email }) { ways.append(.idToken) }
        return ways
    }

    func delete(_ session: Session) async throws(AuthError) {
        try await link.backend.deleteAccount(session.accessToken)
    }
}

struct InMemoryPhoto: PhotoUpload {
    let link: InMemoryLink

    func set(_ photo: Photo?, of session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.set(photo, session.accessToken))
    }
}

struct InMemoryOrganizations: OrganizationSwitching {
    let link: InMemoryLink

    func all(of session: Session) async throws(AuthError) -> (user: String?, organizations: [Organization]) {
        let (user, organizations) = try await link.backend.organizations(session.accessToken)
        return (user, organizations)
    }

    func activate(_ organization: Organization?, in session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.activate(organization?.id, session.accessToken))
    }
}

struct InMemorySessions: SessionAuthority {
    let link: InMemoryLink

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        link.session(
            try await deciding(about: session) { () async throws(AuthError) in
                try await link.backend.refresh(session.refreshToken)
            })
    }

    func reload(_ session: Session) async throws(AuthError) -> Session {
        let fresh = link.session(
            try await deciding(about: session) { () async throws(AuthError) in
                try await link.backend.reload(session.accessToken)
            })
        // The user has not changed, so the token's claims are current.
        return fresh.user == session.user ? session : fresh
    }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        try await link.backend.signOut(session.accessToken, scope: scope)
    }

    /// Sends a request, and asks the backend about the session if it rejects the request and the settings allow the question.
    private func deciding(
        about session: Session, _ request: () async throws(AuthError) -> InMemoryGrant
    ) async throws(AuthError) -> InMemoryGrant {
        do throws(AuthError) {
            return try await request()
        } catch  where error.code == .sessionRevoked && link.settings.behavior.refusedCredential == .asksBackend {
            guard try await link.backend.hasSession(session.refreshToken) else { throw error }
            throw AuthError(
                .serverUnavailable, "The backend rejected the request, but the session is still active. Try again.", retry: .now,
                provider: error.provider)
        }
    }
}
