public import Lockstep
internal import LockstepPrimitives

/// Calls about the passkeys of the signed-in user.
extension ClientCalls {
    static let passkeys: [any UserCall.Type] = [
        Passkeys.self, RenamePasskey.self, RemovePasskey.self,
    ]
}

struct Passkeys: UserCall {
    static let name = "account.passkeys.all"

    var capability: Capability? { .passkeyManagement }

    static func sample(of person: Person, and other: Person) -> Self { Self() }

    func perform(on client: AuthClient) async throws(AuthError) -> [Passkey] { try await client.account.passkeys.all() }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> [Passkey]? { try await faulty.onPasskeys?(faulty.base) }
}

struct RenamePasskey: UserCall {
    static let name = "account.passkeys.rename"
    let passkey: Passkey
    let newName: String

    var capability: Capability? { .passkeyRenaming }

    static func sample(of person: Person, and other: Person) -> Self { Self(passkey: Passkey(id: "none"), newName: "My key") }

    func perform(on client: AuthClient) async throws(AuthError) { try await client.account.passkeys.rename(passkey, to: newName) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Void? {
        try await faulty.onRenamePasskey?(faulty.base, passkey, newName)
    }
}

struct RemovePasskey: UserCall {
    static let name = "account.passkeys.remove"
    static let refusalsIfDone: Set<AuthError.Code> = [.invalidInput]
    let passkey: Passkey

    var capability: Capability? { .passkeyManagement }

    static func sample(of person: Person, and other: Person) -> Self { Self(passkey: Passkey(id: "none")) }

    func perform(on client: AuthClient) async throws(AuthError) { try await client.account.passkeys.remove(passkey) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Void? {
        try await faulty.onRemovePasskey?(faulty.base, passkey)
    }
}

extension PortableClient {
    /// Returns the passkeys of the user.
    ///
    /// - Throws: The error that the client throws.
    public func passkeys() async throws(AuthError) -> [Passkey] { try await perform(Passkeys()) }

    /// Renames a passkey.
    ///
    /// - Throws: The error that the client throws.
    public func renamePasskey(_ passkey: Passkey, to name: String) async throws(AuthError) {
        try await perform(RenamePasskey(passkey: passkey, newName: name))
    }

    /// Removes a passkey.
    ///
    /// - Throws: The error that the client throws.
    public func removePasskey(_ passkey: Passkey) async throws(AuthError) { try await perform(RemovePasskey(passkey: passkey)) }
}
