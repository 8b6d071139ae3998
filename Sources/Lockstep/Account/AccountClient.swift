public import LockstepPrimitives
internal import Synchronization

/// The account of the signed-in user.
///
/// If the backend requires a recent sign-in, a call throws `reauthenticationRequired`. In that case let the user sign
/// in again with ``reauthenticate(with:thenRetry:)``, which can also repeat the rejected call once.
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
    /// The backend keeps all values that you do not pass.
    ///
    /// - Parameters:
    ///   - displayName: The display name; `nil` keeps the current name.
    ///   - photoURL: The URL of a photo; `nil` keeps the current photo.
    ///   - metadata: Members of ``User/metadata``. A member replaces the stored member of the same name completely, and
    ///     `null` removes the stored member. Users can write any metadata, so a server must never grant rights based on
    ///     it.
    /// - Returns: The user with the new values.
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
    /// ```swift
    /// let current: Secret = "correct horse battery staple"
    /// try await client.account.changePassword(to: "a better password", current: current)
    /// ```
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - current: The current password, if the app asks for it. If you pass the current password, the client verifies
    ///     it on every backend. So a person who finds an unlocked phone cannot lock the owner out of the account. If it
    ///     is `nil`, the backend decides whether the session is sufficient.
    /// - Throws: `weakPassword`, `samePassword`, `reauthenticationRequired`; `invalidCredentials` if the current
    ///   password is wrong or the account has no password. The password is unchanged after an error.
    @concurrent
    public func changePassword(to new: Secret, current: Secret? = nil) async throws(AuthError) {
        try await flows.changes.changePassword(to: new, current: current)
    }

    /// Sets a new password that is passed as a string.
    ///
    /// The call wraps both passwords in a `Secret`.
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
    /// If the last sign-in is too old, the user must first enter a code.
    ///
    /// ```swift
    /// if case .verify(let challenge) = try await client.account.beginPasswordChange(to: "a better password") {
    ///     _ = try await client.respond(to: challenge.flow, with: .code("123456"))
    /// }
    /// ```
    ///
    /// - Parameter new: The new password.
    /// - Returns: The session if the backend has set the password; otherwise the step `verify`. When the user enters
    ///   the code, the client sets this password. The client keeps the password only in memory. If the app was
    ///   relaunched in between, the step `newPassword` follows the code, and the user enters the new password again.
    /// - Throws: The errors of ``changePassword(to:current:)``; `reauthenticationRequired` if the sign-in is too old
    ///   and the backend sends no codes.
    @concurrent
    public func beginPasswordChange(to new: Secret) async throws(AuthError) -> AuthStep {
        guard let feature = flows.adapter.passwordChange else { throw flows.context.unsupported(.passwordChange) }
        _ = try SensitiveCall.changePassword(to: new, current: nil).normalized()
        return try await flows.sessions.call("account.beginPasswordChange") { () async throws(AuthError) in
            try await flows.begin(.passwordChange, kind: .reauthentication, identifier: "") { memory async throws(AuthError) in
                try await feature.begin(to: new, of: try memory.userSession(), in: memory)
            }
        }
    }

    /// Sets a new password that is passed as a string, as ``beginPasswordChange(to:)-(Secret)`` does.
    ///
    /// The call wraps the password in a `Secret`.
    ///
    /// - Parameter new: The new password.
    /// - Returns: The result of ``beginPasswordChange(to:)-(Secret)``.
    /// - Throws: The errors of ``beginPasswordChange(to:)-(Secret)``.
    @concurrent
    public func beginPasswordChange(to new: String) async throws(AuthError) -> AuthStep {
        try await beginPasswordChange(to: Secret(new))
    }

    /// Starts a change of the email address: the backend sends a message to verify the new address.
    ///
    /// The old address stays valid until the user has verified the new address.
    ///
    /// ```swift
    /// if case .verify(let challenge) = try await client.account.changeEmail(to: "ada@example.org") {
    ///     print("sent to \(challenge.destination)")
    /// }
    /// ```
    ///
    /// - Parameter email: The new email address.
    /// - Returns: The next step.
    /// - Throws: `invalidEmail`, `emailAlreadyInUse`, `reauthenticationRequired`, `unsupported`, and others.
    @concurrent
    public func changeEmail(to email: String) async throws(AuthError) -> AuthStep {
        try await flows.changeEmail(to: email)
    }

    /// Adds a credential to the signed-in user.
    ///
    /// The user id stays the same.
    ///
    /// ```swift
    /// if case .redirect(let step) = try await client.account.link(.oauth(.google)) { print("open \(step.url)") }
    /// ```
    ///
    /// - Parameter credential: The credential to add.
    /// - Returns: The session or the next step; `identityConflict` if the credential belongs to another user. In that
    ///   case nothing has changed.
    /// - Throws: `notSignedIn`, `unsupported`, `reauthenticationRequired`, and others.
    @concurrent
    public func link<C: Credential>(_ credential: C) async throws(AuthError) -> AuthStep {
        guard flows.adapter.linking != nil || flows.adapter.capabilities.contains(.anonymous) else {
            throw flows.context.unsupported(.linking)
        }
        return try await flows.sessions.call("account.link") { () async throws(AuthError) in
            try await flows.submit(credential, to: .link)
        }
    }

    /// Removes an identity from the signed-in user, so that the user can no longer sign in with it.
    ///
    /// ```swift
    /// if let google = client.user?.identities.first(where: { $0.provider == .google }) {
    ///     try await client.account.unlink(google)
    /// }
    /// ```
    ///
    /// - Parameter identity: One of ``User/identities``.
    /// - Throws: `lastIdentity` if the user could no longer sign in.
    @concurrent
    public func unlink(_ identity: Identity) async throws(AuthError) {
        guard let feature = flows.adapter.linking else { throw flows.context.unsupported(.linking) }
        try await flows.changes.change("account.unlink") { session async throws(AuthError) in
            try await feature.unlink(identity, from: session)
        }
    }

    /// Signs the current user in again, because a sensitive call requires a recent sign-in.
    ///
    /// - Parameters:
    ///   - credential: A credential of the current user.
    ///   - retry: The sensitive call that the client repeats once after the sign-in. If the user must complete more
    ///     steps first (a code, a second factor, a link), the client repeats the call when
    ///     ``AuthClient/respond(to:with:)`` or ``AuthClient/handle(_:)`` completes the flow. That method then throws
    ///     the error of the repeated call. The client does not repeat the call if the flow was cancelled or replaced,
    ///     if it expired, or if the app was closed. Default: none.
    /// - Returns: The session, or the next step.
    /// - Throws: `invalidCredentials`; `userMismatch` if the credential belongs to another user. In both cases the
    ///   session is unchanged, and the sensitive call does not run. If the sensitive call itself fails, the
    ///   method throws the error of that call. The user has then signed in again, so the first element of
    ///   ``AuthError/completed`` is ``SensitiveCall/signIn``.
    @concurrent
    @discardableResult
    public func reauthenticate<C: Credential>(with credential: C, thenRetry retry: SensitiveCall? = nil) async throws(AuthError)
        -> AuthStep
    {
        guard flows.adapter.reauthentication != nil else { throw flows.context.unsupported(.reauthentication) }
        return try await flows.sessions.call("account.reauthenticate") { () async throws(AuthError) in
            let step = try await flows.submit(credential, to: .reauthentication)
            guard let retry else { return step }
            if let flow = step.flow { flows.bind(retry, to: flow) }
            guard case .complete = step else { return step }
            return try await flows.retry(retry, after: step)
        }
    }

    /// The ways to sign in that ``link(_:)`` can add to the signed-in user; empty if no user is signed in.
    public var linkMethods: [Capability] {
        guard let session = flows.context.state.withLock({ $0.session }),
            flows.adapter.linking != nil || flows.adapter.capabilities.contains(.anonymous)
        else { return [] }
        return flows.adapter.signIn.capabilities(for: .link(to: session))
    }

    /// The ways in which the signed-in user can sign in again for a sensitive call; empty if no user is signed in.
    public var reauthenticationMethods: [Capability] {
        guard let session = flows.context.state.withLock({ $0.session }) else { return [] }
        return flows.adapter.reauthentication?.ways(for: session) ?? []
    }

    /// Deletes the account on the backend, then the session on this device.
    ///
    /// If the backend does not delete the account, nothing changes on this device.
    ///
    /// - Throws: `reauthenticationRequired`, with a remedy that lists the ways to sign in again; `network`, and others.
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
/// An app can keep this value while the user signs in again.
///
/// ```swift
/// let call = SensitiveCall.changeEmail(to: "ada@example.org")
/// let credential = PasswordCredential(email: "ada@example.com", password: "correct horse battery staple")
/// try await client.account.reauthenticate(with: credential, thenRetry: call)
/// ```
public enum SensitiveCall: Sendable, Hashable {
    /// Deletes the account.
    case deleteAccount
    /// Sets a new password.
    case changePassword(to: Secret, current: Secret?)
    /// Changes the email address.
    case changeEmail(to: String)

    /// The name of the completed sign-in in ``AuthError/completed``.
    ///
    /// The name comes first in that list if the sign-in succeeded and the sensitive call then failed.
    public static let signIn = "signIn"

    /// Checks the values of the call and normalizes them.
    ///
    /// The client makes these checks before it calls an adapter. A screen can make these checks earlier, to decide
    /// whether its button is enabled.
    ///
    /// - Returns: The normalized call.
    /// - Throws: `invalidInput` if the password is empty; `invalidEmail` if the email address is invalid.
    public func normalized() throws(AuthError) -> SensitiveCall {
        switch self {
        case .deleteAccount: return self
        case .changePassword(let new, let current):
            guard !new.isEmpty else {
                throw AuthError(.invalidInput, "The new password is empty. Ask the user for a password before the call.")
            }
            guard current?.isEmpty != true else {
                throw AuthError(.invalidInput, "The current password is empty. Ask the user for it, or pass nil.")
            }
            return self
        case .changeEmail(let email): return .changeEmail(to: try EmailAddress(email).text)
        }
    }
}
