public import LockstepPrimitives
internal import Synchronization

/// The account of the user who is signed in.
///
/// A call that the backend lets through only soon after a sign-in throws `reauthenticationRequired`; sign in again by
/// ``reauthenticate(with:thenRetry:)``, which can run the call right afterwards, once.
public struct AccountClient: Sendable {
    let flows: FlowCoordinator

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
        guard let feature = flows.adapter.profile else { throw flows.context.unsupported(.displayName) }
        if photoURL != nil, !feature.takesPhoto { throw flows.context.unsupported(.photo) }
        if metadata != nil, !feature.takesMetadata { throw flows.context.unsupported(.userMetadata) }
        let changes = ProfileChanges(displayName: displayName, photoURL: photoURL, metadata: metadata)
        return try await flows.sessions.call("account.update") { () async throws(AuthError) in
            try await flows.changes.update(changes).user
        }
    }

    /// Sets a new password.
    ///
    /// - Parameters:
    ///   - new: The new one.
    ///   - current: The current password, where the app asks for it: it is compared on every backend, so that a person who holds
    ///     an open phone cannot lock its owner out. `nil` leaves it to the backend whether the session is enough.
    /// - Throws: `weakPassword`, `samePassword`, `reauthenticationRequired`; `invalidCredentials` where the current password is
    ///   wrong, or the account has none: nothing has changed then.
    @concurrent
    public func changePassword(to new: Secret, current: Secret? = nil) async throws(AuthError) {
        try await flows.changes.changePassword(to: new, current: current)
    }

    /// Sets a new password; both are wrapped at once.
    ///
    /// - Throws: as ``changePassword(to:current:)-(Secret,_)``.
    @concurrent
    public func changePassword(to new: String, current: String? = nil) async throws(AuthError) {
        try await changePassword(to: Secret(new), current: current.map { Secret($0) })
    }

    /// Sets a new password; where the sign-in is too old for that, by a code that the backend sends.
    ///
    /// - Returns: the session; or `verify`, whose code sets this password, once. The password waits in memory and is never stored:
    ///   after a relaunch the code leads to `newPassword`, which asks for it again.
    /// - Throws: as ``changePassword(to:current:)``; `reauthenticationRequired` where the backend sends no such codes.
    @concurrent
    public func beginPasswordChange(to new: Secret) async throws(AuthError) -> SignInStep {
        guard let feature = flows.adapter.passwordChange else { throw flows.context.unsupported(.passwordChange) }
        _ = try SensitiveCall.changePassword(to: new, current: nil).normalized()
        return try await flows.sessions.call("account.beginPasswordChange") { () async throws(AuthError) in
            try await flows.beginUsersFlow(.passwordChange, kind: .reauthentication, identifier: "") {
                memory, session async throws(AuthError) in
                try await feature.begin(to: new, of: session, in: memory)
            }
        }
    }

    /// Sets a new password, which is wrapped at once, by a code where the sign-in is too old.
    ///
    /// - Returns: as ``beginPasswordChange(to:)-(Secret)``.
    @concurrent
    public func beginPasswordChange(to new: String) async throws(AuthError) -> SignInStep {
        try await beginPasswordChange(to: Secret(new))
    }

    /// Asks for the proof of a new address; until it is given the old one stays valid.
    @concurrent
    public func changeEmail(to email: String) async throws(AuthError) -> SignInStep {
        try await flows.changeEmail(to: email)
    }

    /// Adds a credential to the user, who keeps the user id.
    ///
    /// - Returns: the session, or `identityConflict` where the credential is another user's; nothing has changed then.
    @concurrent
    public func link<C: Credential>(_ credential: C) async throws(AuthError) -> SignInStep {
        guard flows.adapter.linking != nil || flows.adapter.capabilities.contains(.anonymous) else {
            throw flows.context.unsupported(.linking)
        }
        return try await flows.sessions.call("account.link") { () async throws(AuthError) in
            try await flows.begin(credential, kind: .linking) { .link(to: $0) }
        }
    }

    /// Removes an identity.
    ///
    /// - Throws: `lastIdentity`
    @concurrent
    public func unlink(_ identity: Identity) async throws(AuthError) {
        guard let feature = flows.adapter.linking else { throw flows.context.unsupported(.linking) }
        try await flows.changes.change("account.unlink") { session async throws(AuthError) in
            try await feature.unlink(identity, from: session)
        }
    }

    /// Signs the same user in again, for a sensitive call.
    ///
    /// - Parameters:
    ///   - credential: The credential to sign in with.
    ///   - retry: The call to run afterwards, once. Where the user has to complete more steps first (a code, a second factor, a
    ///     link), it is bound to that flow and runs when the flow is completed by ``AuthClient/respond(to:with:)`` or
    ///     ``AuthClient/handle(_:)``, which then throws the call's error. It is dropped when the flow is cancelled, abandoned or
    ///     expired, and when the app ends.
    /// - Throws: `invalidCredentials`, `userMismatch`: the session stays as it was, and the call is not run. The error of the call,
    ///   whose ``AuthError/completed`` begins with ``SensitiveCall/signIn``: the user is signed in again.
    @concurrent
    @discardableResult
    public func reauthenticate<C: Credential>(with credential: C, thenRetry retry: SensitiveCall? = nil) async throws(AuthError)
        -> SignInStep
    {
        guard flows.adapter.reauthentication != nil else { throw flows.context.unsupported(.reauthentication) }
        return try await flows.sessions.call("account.reauthenticate") { () async throws(AuthError) in
            let step = try await flows.begin(credential, kind: .reauthentication) { .reauthenticate($0) }
            guard let retry else { return step }
            if let flow = step.flow { flows.bind(retry, to: flow) }
            guard case .complete = step else { return step }
            return try await flows.run(retry, after: step)
        }
    }

    /// The ways that can be added to the user who is signed in, by ``link(_:)``; none where no user is signed in.
    public var waysToLink: [Capability] {
        guard let session = flows.context.state.withLock({ $0.session }),
            flows.adapter.linking != nil || flows.adapter.capabilities.contains(.anonymous)
        else { return [] }
        return flows.adapter.signIn.capabilities(taking: .link(to: session))
    }

    /// The ways in which the user who is signed in can sign in again for a sensitive call; none where no user is signed in.
    public var waysToReauthenticate: [Capability] {
        guard let session = flows.context.state.withLock({ $0.session }) else { return [] }
        return flows.adapter.reauthentication?.ways(for: session) ?? []
    }

    /// Deletes the account, at the backend first: a failure there leaves everything as it was.
    ///
    /// - Throws: `reauthenticationRequired`, with the ways as remedy; `network`…
    @concurrent
    public func delete() async throws(AuthError) { try await flows.changes.delete() }

    /// The user's second factors.
    public var factors: AccountFactors { AccountFactors(flows: flows) }

    /// The user's passkeys.
    public var passkeys: AccountPasskeys { AccountPasskeys(flows: flows) }

    /// The user's organizations.
    public var organizations: AccountOrganizations { AccountOrganizations(flows: flows) }
}

/// A call that a backend allows only soon after a sign-in, as a value: it can be kept while the user signs in again.
public enum SensitiveCall: Sendable, Hashable {
    /// Delete the account.
    case deleteAccount
    /// Set a new password.
    case changePassword(to: Secret, current: Secret?)
    /// Change the address.
    case changeEmail(to: String)

    /// The first of the completed parts (``AuthError/completed``) of a call that has failed after the user had signed in again.
    public static let signIn = "signIn"

    /// The call with its values in the form that every adapter gets: what a screen may ask before it lets the user send.
    ///
    /// - Throws: `invalidInput` for an empty password, `invalidEmail`.
    public func normalized() throws(AuthError) -> SensitiveCall {
        switch self {
        case .deleteAccount: return self
        case .changePassword(let new, let current):
            guard !new.isEmpty else {
                throw AuthError(.invalidInput, "The new password is empty. Ask the user for one before calling.")
            }
            guard current?.isEmpty != true else {
                throw AuthError(.invalidInput, "The current password is empty. Ask the user for it, or give none.")
            }
            return self
        case .changeEmail(let email): return .changeEmail(to: try EmailAddress(email).text)
        }
    }
}
