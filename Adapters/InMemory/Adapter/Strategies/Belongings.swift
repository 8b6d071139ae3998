internal import Lockstep
internal import LockstepPrimitives

/// The user's own passkeys, organizations and photo.
struct InMemoryBelongings: PasskeyManagement, OrganizationSwitching, PhotoUpload {
    let link: InMemoryLink

    func all(of session: Session) async throws(AuthError) -> (user: String?, passkeys: [Passkey]) {
        let (user, passkeys) = try await link.backend.passkeys(session.accessToken)
        return (user, passkeys)
    }

    func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.change(passkey: passkey.id, to: name, of: session.accessToken))
    }

    func remove(_ passkey: Passkey, from session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.change(passkey: passkey.id, to: nil, of: session.accessToken))
    }

    func all(of session: Session) async throws(AuthError) -> (user: String?, organizations: [Organization]) {
        let (user, organizations) = try await link.backend.organizations(session.accessToken)
        return (user, organizations)
    }

    func activate(_ organization: Organization?, in session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.activate(organization?.id, session.accessToken))
    }

    func set(_ photo: Photo?, of session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.set(photo, session.accessToken))
    }
}
