public import Lockstep
internal import LockstepPrimitives

/// Calls that change the account of the signed-in user.
extension ClientCalls {
    static let account: [any UserCall.Type] = [
        UpdateProfile.self, UpdateMetadata.self, ChangePassword.self, BeginPasswordChange.self, ChangeEmail.self, Unlink.self,
        Link.self, Reauthenticate.self, SetPhoto.self, DeleteAccount.self,
    ]
}

struct UpdateProfile: UserCall {
    static let name = "account.update"
    let displayName: String?
    let photoURL: String?

    var capability: Capability? { displayName == nil ? .photo : .displayName }

    static func sample(of person: Person, and other: Person) -> Self { Self(displayName: "Grace", photoURL: nil) }

    func perform(on client: AuthClient) async throws(AuthError) -> User {
        try await client.account.update(displayName: displayName, photoURL: photoURL)
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> User? {
        try await faulty.onUpdate?(faulty.base, displayName, photoURL)
    }
}

struct UpdateMetadata: UserCall {
    static let name = "account.update"
    let metadata: JSONObject

    var capability: Capability? { .userMetadata }

    static func sample(of person: Person, and other: Person) -> Self { Self(metadata: ["lockstep": 1]) }

    func perform(on client: AuthClient) async throws(AuthError) -> User { try await client.account.update(metadata: metadata) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> User? {
        try await faulty.onMetadata?(faulty.base, metadata)
    }
}

struct ChangePassword: UserCall {
    static let name = "account.changePassword"
    static let refusalsIfDone: Set<AuthError.Code> = [.invalidCredentials, .samePassword, .sessionRevoked]
    let new: Secret
    let current: Secret?

    var capability: Capability? { .passwordChange }
    var effect: CallEffect { .ends }
    var secrets: [CallSecret] { [.value(new, "a new password")] + (current.map { [.value($0, "a password")] } ?? []) }

    static func sample(of person: Person, and other: Person) -> Self { Self(new: other.password, current: person.password) }

    func perform(on client: AuthClient) async throws(AuthError) {
        try await client.account.changePassword(to: new, current: current)
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Void? {
        try await faulty.onChangePassword?(faulty.base, new, current)
    }
}

struct BeginPasswordChange: UserCall {
    static let name = "account.beginPasswordChange"
    static let refusalsIfDone: Set<AuthError.Code> = [.samePassword, .sessionRevoked]
    let new: Secret

    var capability: Capability? { .passwordChange }
    var effect: CallEffect { .ends }
    var secrets: [CallSecret] { [.value(new, "a new password")] }

    static func sample(of person: Person, and other: Person) -> Self { Self(new: other.password) }

    func perform(on client: AuthClient) async throws(AuthError) -> AuthStep {
        try await client.account.beginPasswordChange(to: new)
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> AuthStep? {
        try await faulty.onBeginPasswordChange?(faulty.base, new)
    }
}

struct ChangeEmail: UserCall {
    static let name = "account.changeEmail"
    let email: String

    var capability: Capability? { .emailChange }
    var effect: CallEffect { .ends }

    static func sample(of person: Person, and other: Person) -> Self { Self(email: other.email) }

    func perform(on client: AuthClient) async throws(AuthError) -> AuthStep { try await client.account.changeEmail(to: email) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> AuthStep? {
        try await faulty.onChangeEmail?(faulty.base, email)
    }
}

struct Unlink: UserCall {
    static let name = "account.unlink"
    static let refusalsIfDone: Set<AuthError.Code> = [.invalidInput, .lastIdentity]
    let identity: Identity

    var capability: Capability? { .linking }
    var effect: CallEffect { .ends }

    static func sample(of person: Person, and other: Person) -> Self { Self(identity: Identity(id: "none", provider: .apple)) }

    func perform(on client: AuthClient) async throws(AuthError) { try await client.account.unlink(identity) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Void? { try await faulty.onUnlink?(faulty.base, identity) }
}

struct Link: UserCall {
    static let name = "account.link"
    let credential: any Credential

    var capability: Capability? { .linking }
    var effect: CallEffect { .ends }
    var secrets: [CallSecret] { credential.secrets }

    static func sample(of person: Person, and other: Person) -> Self { Self(credential: other.credential) }

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        guard let call = try await sampleOfAMember(on: client, in: world) else { return nil }
        // If the provider cannot add a password with this call, the call sends no request.
        return client.linkMethods.contains(.password) ? call : nil
    }

    func perform(on client: AuthClient) async throws(AuthError) -> AuthStep { try await client.account.link(credential) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> AuthStep? {
        try await faulty.onLink?(faulty.base, credential)
    }
}

struct Reauthenticate: UserCall {
    static let name = "account.reauthenticate"
    let credential: any Credential
    let retry: SensitiveCall?

    var capability: Capability? { .reauthentication }
    var effect: CallEffect { .ends }
    var secrets: [CallSecret] { credential.secrets }

    static func sample(of person: Person, and other: Person) -> Self { Self(credential: person.credential, retry: nil) }

    func perform(on client: AuthClient) async throws(AuthError) -> AuthStep {
        try await client.account.reauthenticate(with: credential, thenRetry: retry)
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> AuthStep? {
        try await faulty.onReauthenticate?(faulty.base, credential, retry)
    }
}

struct SetPhoto: UserCall {
    static let name = "account.setPhoto"
    let photo: Photo?

    var capability: Capability? { .photoUpload }

    static func sample(of person: Person, and other: Person) -> Self { Self(photo: .pixel) }

    func perform(on client: AuthClient) async throws(AuthError) -> User { try await client.account.setPhoto(photo) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> User? { try await faulty.onSetPhoto?(faulty.base, photo) }
}

struct DeleteAccount: UserCall {
    static let name = "account.delete"

    var capability: Capability? { .accountDeletion }
    var effect: CallEffect { .ends }

    static func sample(of person: Person, and other: Person) -> Self { Self() }

    func perform(on client: AuthClient) async throws(AuthError) { try await client.account.delete() }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Void? { try await faulty.onDelete?(faulty.base) }
}

extension PortableClient {
    /// Changes the display name or the photo.
    ///
    /// - Parameters:
    ///   - displayName: The display name; `nil` to keep it.
    ///   - photoURL: The URL of the photo; `nil` to keep it.
    /// - Throws: The error that the client throws.
    public func update(displayName: String?, photoURL: String?) async throws(AuthError) -> User {
        try await perform(UpdateProfile(displayName: displayName, photoURL: photoURL))
    }

    /// Changes members of the metadata that users can edit themselves.
    ///
    /// - Parameter metadata: The members to set.
    /// - Throws: The error that the client throws.
    public func update(metadata: JSONObject) async throws(AuthError) -> User {
        try await perform(UpdateMetadata(metadata: metadata))
    }

    /// Sets a new password.
    ///
    /// - Parameters:
    ///   - current: The current password; `nil` if the backend does not need it.
    /// - Throws: The error that the client throws.
    public func changePassword(to new: Secret, current: Secret?) async throws(AuthError) {
        try await perform(ChangePassword(new: new, current: current))
    }

    /// Begins a password change, which may require a code.
    ///
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func beginPasswordChange(to new: Secret) async throws(AuthError) -> AuthStep {
        try await perform(BeginPasswordChange(new: new))
    }

    /// Begins to change the email address.
    ///
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func changeEmail(to email: String) async throws(AuthError) -> AuthStep {
        try await perform(ChangeEmail(email: email))
    }

    /// Adds a credential to the user.
    ///
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func link<C: Credential>(_ credential: C) async throws(AuthError) -> AuthStep {
        try await perform(Link(credential: credential))
    }

    /// Removes a way to sign in.
    ///
    /// - Throws: The error that the client throws.
    public func unlink(_ identity: Identity) async throws(AuthError) { try await perform(Unlink(identity: identity)) }

    /// Lets the same user sign in again.
    ///
    /// - Parameters:
    ///   - retry: The call to retry after the sign-in; `nil` for none.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func reauthenticate<C: Credential>(with credential: C, thenRetry retry: SensitiveCall? = nil) async throws(AuthError)
        -> AuthStep
    { try await perform(Reauthenticate(credential: credential, retry: retry)) }

    /// Uploads a photo of the user, or removes the current photo.
    ///
    /// - Parameter photo: The photo; `nil` to remove the current photo.
    /// - Returns: The changed user.
    /// - Throws: The error that the client throws.
    public func setPhoto(_ photo: Photo?) async throws(AuthError) -> User { try await perform(SetPhoto(photo: photo)) }

    /// Deletes the account of the user.
    ///
    /// - Throws: The error that the client throws.
    public func deleteAccount() async throws(AuthError) { try await perform(DeleteAccount()) }
}
