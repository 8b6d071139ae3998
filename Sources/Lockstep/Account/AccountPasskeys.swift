public import LockstepPrimitives

/// The passkeys by which the user who is signed in signs in; one is added by ``add()``.
public struct AccountPasskeys: Sendable {
    let flows: FlowCoordinator

    private func feature() throws(AuthError) -> any PasskeyManagement {
        guard let feature = flows.adapter.passkeys else { throw flows.context.unsupported(.passkeyManagement) }
        return feature
    }

    /// The user's passkeys, as the backend has them now.
    @concurrent
    public func all() async throws(AuthError) -> [Passkey] {
        let feature = try feature()
        return try await flows.sessions.list("account.passkeys.all") { session async throws(AuthError) in
            let (user, passkeys) = try await feature.all(of: session)
            return (user, passkeys)
        }
    }

    /// Adds a passkey of this device to the user: the same as linking `.passkey`.
    ///
    /// - Returns: A step whose challenge has the options for the platform's sheet (``Challenge/passkeyOptions``).
    /// - Throws: `unsupported`, `reauthenticationRequired`.
    @concurrent
    public func add() async throws(AuthError) -> SignInStep { try await AccountClient(flows: flows).link(.passkey) }

    /// Gives a passkey another name; the platform's sheet may show another one.
    ///
    /// - Throws: `unsupported` where the adapter has not the capability `passkeyRenaming`; `invalidInput` for an empty name, and for a
    ///   passkey that the user has not got.
    @concurrent
    public func rename(_ passkey: Passkey, to name: String) async throws(AuthError) {
        guard let feature = flows.adapter.passkeys, feature.acceptsNames else {
            throw flows.context.unsupported(.passkeyRenaming)
        }
        let name = name.trimmingPlainSpace()
        guard !name.isEmpty else { throw AuthError(.invalidInput, "The passkey's name is empty. Ask the user for one.") }
        try await flows.changes.change("account.passkeys.rename") { session async throws(AuthError) in
            try await feature.rename(passkey, to: name, of: session)
        }
    }

    /// Removes a passkey, which signs in no more; the device still has it, until the user removes it there.
    ///
    /// - Throws: `reauthenticationRequired`; `invalidInput` for a passkey that the user has not got.
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
    /// The provider's id of it.
    public var id: String
    /// The name to show, where it has one.
    public var name: String?
    /// When it was added, by the backend's clock; `nil` where the backend does not tell.
    public var createdAt: Instant?
    /// When it last signed in, by the backend's clock; `nil` where it never did, and where the backend does not tell
    /// (``ProviderBehavior/passkeyUse``).
    public var lastUsedAt: Instant?

    /// A passkey.
    public init(id: String, name: String? = nil, createdAt: Instant? = nil, lastUsedAt: Instant? = nil) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}
