public import LockstepPrimitives

/// The account of the user who is signed in.
///
/// A call that the backend lets through only soon after a sign-in throws `reauthenticationRequired`; sign in again by
/// ``reauthenticate(with:thenRetry:)``, which can run the call right afterwards, once.
public struct AccountClient: Sendable {
    let client: AuthClient

    /// Changes the name, the photo, or members of the user's own metadata; what is not given stays as it is.
    ///
    /// - Parameters:
    ///   - displayName: The name to show.
    ///   - photoURL: The address of a photo.
    ///   - metadata: Members of ``User/metadata``: each takes the place of the one of its name, whole, and `null` removes it. Any
    ///     user can write them for themselves, so that a server must never grant anything by them.
    /// - Throws: `unsupported` where the backend keeps no photo, or no metadata that users may change, before any request.
    @concurrent
    @discardableResult
    public func update(
        displayName: String? = nil, photoURL: String? = nil, metadata: JSONObject? = nil
    ) async throws(AuthError) -> User {
        guard let power = client.adapter.profile else { throw client.unsupported(.displayName) }
        if photoURL != nil, !power.takesPhoto { throw client.unsupported(.photo) }
        if metadata != nil, !power.takesMetadata { throw client.unsupported(.userMetadata) }
        let changes = ProfileChanges(displayName: displayName, photoURL: photoURL, metadata: metadata)
        return try await client.call("account.update") { () async throws(AuthError) in try await updated(changes).user }
    }

    func updated(_ changes: ProfileChanges) async throws(AuthError) -> Session {
        guard let power = client.adapter.profile else { throw client.unsupported(.displayName) }
        return try await changed { session async throws(AuthError) in try await power.update(changes, of: session) }
    }

    /// Sets a new password.
    ///
    /// - Parameters:
    ///   - new: The new one.
    ///   - current: The one that counts until now, where the app asks for it: it is compared on every backend, so that whoever
    ///     holds an open phone cannot lock its owner out. `nil` leaves it to the backend whether the session is enough.
    /// - Throws: `weakPassword`, `samePassword`, `reauthenticationRequired`; `invalidCredentials` where the current password is
    ///   wrong, or the account has none: nothing has changed then.
    @concurrent
    public func changePassword(to new: Secret, current: Secret? = nil) async throws(AuthError) {
        guard let power = client.adapter.passwordChange else { throw client.unsupported(.passwordChange) }
        guard !new.isEmpty else {
            throw AuthError(.invalidInput, "The new password is empty. Ask the user for one before calling.")
        }
        guard current?.isEmpty != true else {
            throw AuthError(.invalidInput, "The current password is empty. Ask the user for it, or give none.")
        }
        try await client.call("account.changePassword") { () async throws(AuthError) in
            _ = try await changed { session async throws(AuthError) in
                try await power.change(to: new, current: current, of: session)
            }
        }
    }

    /// Sets a new password, where the sign-in is too old for that by a code that the backend sends.
    ///
    /// - Returns: the session; or `verify`, whose code sets this password, once. It is kept with the flow until then, and goes
    ///   with it.
    /// - Throws: as ``changePassword(to:current:)``; `reauthenticationRequired` where the backend sends no such codes.
    @concurrent
    public func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep {
        guard let power = client.adapter.passwordChange else { throw client.unsupported(.passwordChange) }
        guard !new.isEmpty else {
            throw AuthError(.invalidInput, "The new password is empty. Ask the user for one before calling.")
        }
        return try await client.call("account.beginPasswordChange") { () async throws(AuthError) in
            let session = try await client.validSession()
            do throws(AuthError) {
                return try await client.beginAccountFlow(
                    .passwordChange, kind: .reauthentication, identifier: session.user.id
                ) { memory async throws(AuthError) in
                    try await power.begin(to: new, of: session, in: memory)
                }
            } catch {
                throw remedied(error, session)
            }
        }
    }

    /// Asks for the proof of a new address; until it is given the old one counts.
    @concurrent
    public func changeEmail(to email: String) async throws(AuthError) -> SignInStep {
        guard let power = client.adapter.emailChange else { throw client.unsupported(.emailChange) }
        let address = try EmailAddress(email).text
        return try await client.call("account.changeEmail") { () async throws(AuthError) in
            let session = try await client.validSession()
            return try await client.beginAccountFlow(.emailChange, kind: .emailChange, identifier: address) {
                memory async throws(AuthError) in
                try await power.begin(email: address, of: session, in: memory)
            }
        }
    }

    /// Adds a credential to the user, who keeps the user id.
    ///
    /// - Returns: the session, or `identityConflict` where the credential is another user's; nothing has changed then.
    @concurrent
    public func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep {
        guard client.adapter.linking != nil || client.capabilities.contains(.anonymous) else {
            throw client.unsupported(.linking)
        }
        return try await client.call("account.link") { () async throws(AuthError) in
            let session = try await client.validSession()
            return try await client.begin(credential, for: .link(to: session), kind: .linking)
        }
    }

    /// Removes an identity.
    ///
    /// - Throws: `lastIdentity`
    @concurrent
    public func unlink(_ identity: Identity) async throws(AuthError) {
        guard let power = client.adapter.linking else { throw client.unsupported(.linking) }
        try await client.call("account.unlink") { () async throws(AuthError) in
            _ = try await changed { session async throws(AuthError) in try await power.unlink(identity, from: session) }
        }
    }

    /// Signs the same user in again, for a sensitive call.
    ///
    /// - Parameters:
    ///   - credential: What the user shows.
    ///   - retry: The call to run afterwards, once.
    /// - Throws: `invalidCredentials`, `userMismatch`: the session stays as it was, and the call is not run.
    @concurrent
    @discardableResult
    public func reauthenticate<C: Credential>(with credential: C, thenRetry retry: SensitiveCall? = nil) async throws(AuthError)
        -> SignInStep
    {
        guard client.adapter.reauthentication != nil else { throw client.unsupported(.reauthentication) }
        return try await client.call("account.reauthenticate") { () async throws(AuthError) in
            let session = try await client.validSession()
            let step = try await client.begin(credential, for: .reauthenticate(session), kind: .reauthentication)
            guard case .complete = step, let retry else { return step }
            switch retry {
            case .deleteAccount: try await delete()
            case .changePassword(let new, let current): try await changePassword(to: new, current: current)
            case .changeEmail(let email): return try await changeEmail(to: email)
            }
            return step
        }
    }

    /// Deletes the account, at the backend first: what fails there leaves everything as it was.
    ///
    /// - Throws: `reauthenticationRequired`, with the ways as remedy; `network`…
    @concurrent
    public func delete() async throws(AuthError) {
        guard let power = client.adapter.accountDeletion else { throw client.unsupported(.accountDeletion) }
        try await client.call("account.delete") { () async throws(AuthError) in
            let (session, generation) = try await client.validSessionAndGeneration()
            try await sensitive(session) { () async throws(AuthError) in try await power.delete(session) }
            let now = client.change { core in
                if core.generation == generation { core.signOut(because: .userDeleted) }
                return core.generation
            }
            _ = await client.run(SessionErrand(.leave, in: now))
            try? await client.store.remove(client.key(.flow))
        }
    }

    /// The user's second factors.
    public var factors: AccountFactors { AccountFactors(client: client) }

    func changed(
        _ power: @escaping @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let (session, generation) = try await client.validSessionAndGeneration()
        let fresh = try await sensitive(session) { () async throws(AuthError) in try await power(session) }
        return try await client.keep(fresh, insteadOf: session, in: generation)
    }

    /// Names the ways to sign in again where the backend asks for that.
    private func sensitive<Answer: Sendable>(
        _ session: Session, _ power: @escaping @Sendable () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        do throws(AuthError) {
            return try await client.ask(power)
        } catch {
            throw remedied(error, session)
        }
    }

    private func remedied(_ error: AuthError, _ session: Session) -> AuthError {
        guard error.code == .reauthenticationRequired, error.remedies.isEmpty,
            let reauthentication = client.adapter.reauthentication
        else { return error }
        var error = error
        error.remedies = [.reauthenticate(reauthentication.ways(for: session))]
        return error
    }
}
