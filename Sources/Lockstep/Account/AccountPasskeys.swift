public import LockstepPrimitives

/// The passkeys of the signed-in user.
///
/// ```swift
/// let passkeys = client.account.passkeys
/// for passkey in try await passkeys.all() { print(passkey.name ?? passkey.id) }
/// let step = try await passkeys.add()          // its challenge has the options for the system dialog
/// ```
public struct AccountPasskeys: Sendable {
    let flows: FlowCoordinator

    private func feature() throws(AuthError) -> any PasskeyManagement {
        guard let feature = flows.adapter.passkeys else { throw flows.context.unsupported(.passkeyManagement) }
        return feature
    }

    /// Loads the user's passkeys from the backend.
    ///
    /// - Returns: The passkeys.
    /// - Throws: `unsupported`, and the errors of ``AuthClient/accessToken()``.
    @concurrent
    public func all() async throws(AuthError) -> [Passkey] {
        let feature = try feature()
        return try await flows.sessions.list("account.passkeys.all") { session async throws(AuthError) in
            let (user, passkeys) = try await feature.all(of: session)
            return (user, passkeys)
        }
    }

    /// Starts to add a passkey on this device to the user's account.
    ///
    /// The call has the same effect as ``AccountClient/link(_:)`` with the credential `.passkey`. Show the system dialog
    /// with the options of the returned challenge, and respond with the dialog's result.
    ///
    /// - Returns: A step with a challenge that contains the options for the system dialog
    ///   (``Challenge/passkeyOptions``).
    /// - Throws: `unsupported`, `reauthenticationRequired`.
    @concurrent
    public func add() async throws(AuthError) -> AuthStep { try await AccountClient(flows: flows).link(.passkey) }

    /// Renames a passkey.
    ///
    /// The system dialog may still show a different name.
    ///
    /// ```swift
    /// if let passkey = try await client.account.passkeys.all().first {
    ///     try await client.account.passkeys.rename(passkey, to: "My laptop")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - passkey: The passkey.
    ///   - name: The new name.
    /// - Throws: `unsupported` if the adapter does not have the capability `passkeyRenaming`; `invalidInput` for an
    ///   empty name, or if the user does not have this passkey.
    @concurrent
    public func rename(_ passkey: Passkey, to name: String) async throws(AuthError) {
        guard let feature = flows.adapter.passkeys, feature.acceptsNames else {
            throw flows.context.unsupported(.passkeyRenaming)
        }
        let name = name.trimmingPlainSpace()
        guard !name.isEmpty else { throw AuthError(.invalidInput, "The passkey's name is empty. Ask the user for a name.") }
        try await flows.changes.change("account.passkeys.rename") { session async throws(AuthError) in
            try await feature.rename(passkey, to: name, of: session)
        }
    }

    /// Removes a passkey, so that the user can no longer sign in with it.
    ///
    /// The device keeps the passkey until the user removes it there.
    ///
    /// - Parameter passkey: The passkey.
    /// - Throws: `reauthenticationRequired`; `invalidInput` if the user does not have this passkey.
    @concurrent
    public func remove(_ passkey: Passkey) async throws(AuthError) {
        let feature = try feature()
        try await flows.changes.change("account.passkeys.remove") { session async throws(AuthError) in
            try await feature.remove(passkey, from: session)
        }
    }
}

/// A passkey of a user.
public struct Passkey: Sendable, Hashable, Identifiable {
    /// The provider's id for the passkey.
    public var id: String
    /// The display name; `nil` if the passkey has no name.
    public var name: String?
    /// The time when the user added the passkey, according to the backend's clock; `nil` if the backend does not return it.
    public var createdAt: Instant?
    /// The time of the last sign-in with this passkey, according to the backend's clock.
    ///
    /// The value is `nil` if the passkey has never been used, or if the backend does not return the time
    /// (``ProviderBehavior/passkeyUse``).
    public var lastUsedAt: Instant?

    /// Creates a passkey.
    ///
    /// - Parameters:
    ///   - id: The provider's id for the passkey.
    ///   - name: The display name.
    ///   - createdAt: The time when the user added the passkey.
    ///   - lastUsedAt: The time of the last sign-in with this passkey.
    public init(id: String, name: String? = nil, createdAt: Instant? = nil, lastUsedAt: Instant? = nil) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}
