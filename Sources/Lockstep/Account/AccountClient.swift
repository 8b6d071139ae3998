public import LockstepPrimitives
internal import Synchronization

/// The account of the signed-in user.
///
/// If the backend requires a recent sign-in, a call throws `reauthenticationRequired`. Then call
/// ``reauthenticate(with:thenRetry:)``, which can also repeat the call, once.
///
/// ```swift
/// try await client.account.update(displayName: "Ada")
/// do {
///     try await client.account.delete()
/// } catch {
///     guard error.code == .reauthenticationRequired else { throw error }
///     let credential = PasswordCredential(email: "ada@example.com", password: "correct horse battery staple")
///     try await client.account.reauthenticate(with: credential, thenRetry: .deleteAccount)
/// }
/// ```
public struct AccountClient: Sendable {
    let flows: FlowCoordinator

    /// Changes the name, the photo, or members of the user's own metadata.
    ///
    /// All other values stay.
    ///
    /// - Parameters:
    ///   - displayName: The display name; `nil` keeps the current one.
    ///   - photoURL: The URL of a photo; `nil` keeps the current one.
    ///   - metadata: Members of ``User/metadata``. Each replaces the member of the same name completely, and `null`
    ///     removes it. Users can write any metadata, so a server must never grant anything based on it.
    /// - Returns: The user.
    /// - Throws: `unsupported` before any request, if the backend stores no photo or no metadata that users can change.
    @concurrent
    @discardableResult
    public func update(
        displayName: String? = nil, photoURL: String? = nil, metadata: JSONObject? = nil
    ) async throws(AuthError) -> User {
        guard let feature = flows.adapter.profile else { throw flows.context.unsupported(.displayName) }
        if photoURL != nil, !feature.acceptsPhoto { throw flows.context.unsupported(.photo) }
        if metadata != nil, !feature.acceptsMetadata { throw flows.context.unsupported(.userMetadata) }
        let changes = ProfileChanges(displayName: displayName, photoURL: photoURL, metadata: metadata)
        return try await flows.sessions.call("account.update") { () async throws(AuthError) in
            try await flows.changes.update(changes).user
        }
    }

    /// Sets a new password.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - current: The current password, if the app asks for it. It is verified on every backend, so someone who holds
    ///     an unlocked phone cannot lock its owner out. With `nil`, the backend decides whether the session is
    ///     sufficient.
    /// - Throws: `weakPassword`, `samePassword`, `reauthenticationRequired`; `invalidCredentials` if the current password
    ///   is wrong or the account has none. Then nothing has changed.
    @concurrent
    public func changePassword(to new: Secret, current: Secret? = nil) async throws(AuthError) {
        try await flows.changes.changePassword(to: new, current: current)
    }

    /// Sets a new password, and wraps both passwords in a `Secret`.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - current: The current password, if the app asks for it.
    /// - Throws: The errors of ``changePassword(to:current:)-(Secret,_)``.
    @concurrent
    public func changePassword(to new: String, current: String? = nil) async throws(AuthError) {
        try await changePassword(to: Secret(new), current: current.map { Secret($0) })
    }

    /// Sets a new password.
    ///
    /// If the sign-in is too old, the backend sends a code first.
    ///
    /// - Parameter new: The new password.
    /// - Returns: The session; or `verify`, whose code sets this password, once. The password stays in memory and is
    ///   never stored. After a relaunch, the code leads to `newPassword`, which asks for it again.
    /// - Throws: The errors of ``changePassword(to:current:)``; `reauthenticationRequired` if the backend sends no such
    ///   codes.
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

    /// Sets a new password, and wraps it in a `Secret`.
    ///
    /// If the sign-in is too old, the backend sends a code first.
    ///
    /// - Parameter new: The new password.
    /// - Returns: The result of ``beginPasswordChange(to:)-(Secret)``.
    /// - Throws: The errors of ``beginPasswordChange(to:)-(Secret)``.
    @concurrent
    public func beginPasswordChange(to new: String) async throws(AuthError) -> SignInStep {
        try await beginPasswordChange(to: Secret(new))
    }

    /// Requests the verification of a new email address.
    ///
    /// Until it is completed, the old address stays valid.
    ///
    /// - Parameter email: The new email address.
    /// - Returns: The next step.
    /// - Throws: `invalidEmail`, `emailAlreadyInUse`, `reauthenticationRequired`, `unsupported`, and others.
    @concurrent
    public func changeEmail(to email: String) async throws(AuthError) -> SignInStep {
        try await flows.changeEmail(to: email)
    }

    /// Adds a credential to the user, who keeps the user id.
    ///
    /// - Parameter credential: The credential.
    /// - Returns: The session or the next step; `identityConflict` if the credential belongs to another user. Then
    ///   nothing has changed.
    /// - Throws: `notSignedIn`, `unsupported`, `reauthenticationRequired`, and others.
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
    /// - Parameter identity: The identity.
    /// - Throws: `lastIdentity` if it is the last way to sign in.
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
    ///   - credential: The credential.
    ///   - retry: The call to run afterwards, once. If the user must complete more steps first (a code, a second factor,
    ///     a link), the call runs when ``AuthClient/respond(to:with:)`` or ``AuthClient/handle(_:)`` completes the flow,
    ///     which then throws the call's error. It is dropped when the flow is cancelled, replaced or expired, and when
    ///     the app ends.
    /// - Returns: The session, or the next step.
    /// - Throws: `invalidCredentials`, `userMismatch`: the session is unchanged, and the call does not run. Also the
    ///   error of the call, whose ``AuthError/completed`` begins with ``SensitiveCall/signIn``: then the user has signed
    ///   in again.
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

    /// The ways to sign in that can be added to the signed-in user with ``link(_:)``; empty if no user is signed in.
    public var waysToLink: [Capability] {
        guard let session = flows.context.state.withLock({ $0.session }),
            flows.adapter.linking != nil || flows.adapter.capabilities.contains(.anonymous)
        else { return [] }
        return flows.adapter.signIn.capabilities(taking: .link(to: session))
    }

    /// The ways in which the signed-in user can sign in again for a sensitive call; empty if no user is signed in.
    public var waysToReauthenticate: [Capability] {
        guard let session = flows.context.state.withLock({ $0.session }) else { return [] }
        return flows.adapter.reauthentication?.ways(for: session) ?? []
    }

    /// Deletes the account, first at the backend.
    ///
    /// If that fails, nothing has changed.
    ///
    /// - Throws: `reauthenticationRequired`, with the ways to sign in again as its remedy; `network`, and others.
    @concurrent
    public func delete() async throws(AuthError) { try await flows.changes.delete() }

    /// The user's second factors.
    public var factors: AccountFactors { AccountFactors(flows: flows) }

    /// The user's passkeys.
    public var passkeys: AccountPasskeys { AccountPasskeys(flows: flows) }

    /// The user's organizations.
    public var organizations: AccountOrganizations { AccountOrganizations(flows: flows) }
}

/// A call that a backend allows only after a recent sign-in.
///
/// As a value, it can be kept while the user signs in again.
public enum SensitiveCall: Sendable, Hashable {
    /// Deletes the account.
    case deleteAccount
    /// Sets a new password.
    case changePassword(to: Secret, current: Secret?)
    /// Changes the email address.
    case changeEmail(to: String)

    /// The first completed part (``AuthError/completed``) if the call failed after the user signed in again.
    public static let signIn = "signIn"

    /// Returns the call with its values in the form that every adapter gets.
    ///
    /// A screen can call it before it enables its button.
    ///
    /// - Returns: The normalized call.
    /// - Throws: `invalidInput` for an empty password, `invalidEmail` for an invalid email address.
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
