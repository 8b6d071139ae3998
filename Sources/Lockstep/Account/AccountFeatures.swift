public import LockstepPrimitives

/// Changes the name, the photo and the user's own metadata.
public protocol ProfileUpdate: Sendable {
    /// Whether a photo can be set.
    var acceptsPhoto: Bool { get }

    /// Whether the backend stores metadata that users can change.
    var acceptsMetadata: Bool { get }

    /// Changes the given values and keeps all others.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - session: The session of the user.
    /// - Returns: The session with the changed user.
    /// - Throws: An `AuthError` of the adapter's error table.
    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session
}

extension ProfileUpdate {
    /// Default: `false`, the backend stores none.
    public var acceptsMetadata: Bool { false }
}

/// The changes of a profile.
///
/// `nil` keeps a value.
public struct ProfileChanges: Sendable, Hashable {
    /// The display name.
    public var displayName: String?
    /// The URL of a photo.
    public var photoURL: String?
    /// Members of the user's own metadata.
    ///
    /// Each replaces the member of the same name completely, `null` removes it, and all others stay.
    public var metadata: JSONObject?

    /// Creates changes.
    ///
    /// - Parameters:
    ///   - displayName: The display name.
    ///   - photoURL: The URL of a photo.
    ///   - metadata: Members of the user's own metadata.
    public init(displayName: String? = nil, photoURL: String? = nil, metadata: JSONObject? = nil) {
        self.displayName = displayName
        self.photoURL = photoURL
        self.metadata = metadata
    }
}

/// Changes the password of the signed-in user.
public protocol PasswordChange: Sendable {
    /// Sets a new password.
    ///
    /// If a current password is given, the change succeeds only if it is correct. If the backend does not check it in the
    /// same call, the adapter verifies it first with a sign-in, discards its tokens and ends its session.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - current: The current password.
    ///   - session: The session of the user.
    /// - Returns: The session that continues.
    /// - Throws: `weakPassword`, `samePassword`, `invalidCredentials` (the current password is wrong),
    ///   `reauthenticationRequired`.
    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session

    /// Sets a new password.
    ///
    /// If the backend requires a code and sends it, the code completes the flow.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - session: The session of the user.
    ///   - flow: The memory of the flow.
    /// - Returns: The session, or the next step.
    /// - Throws: The errors of ``change(to:current:of:)``.
    func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

extension PasswordChange {
    /// Default: sets the new password; the backend sends no code for it.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - session: The session of the user.
    ///   - flow: The memory of the flow.
    /// - Returns: The session.
    /// - Throws: The errors of ``change(to:current:of:)``.
    public func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        .complete(try await change(to: new, current: nil, of: session))
    }
}

/// Replaces a forgotten password.
public protocol PasswordReset: Sendable {
    /// Requests the message.
    ///
    /// The adapter's verification strategies handle the next steps: the verification, then the new password, then the
    /// session.
    ///
    /// - Parameters:
    ///   - email: The email address of the account.
    ///   - flow: The memory of the flow.
    /// - Returns: The next step.
    /// - Throws: An `AuthError` of the adapter's error table.
    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

/// Changes the email address of the signed-in user.
public protocol EmailChange: Sendable {
    /// Requests the verification of a new email address.
    ///
    /// Until it is completed, the old address stays valid.
    ///
    /// - Parameters:
    ///   - email: The new email address.
    ///   - session: The session of the user.
    ///   - flow: The memory of the flow.
    /// - Returns: The session, or the next step.
    /// - Throws: An `AuthError` of the adapter's error table.
    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

/// Adds and removes identities of the signed-in user.
///
/// To add one, the client uses the sign-in strategies with the purpose `link`.
public protocol IdentityLinking: Sendable {
    /// Removes an identity.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - session: The session of the user.
    /// - Returns: The session that continues.
    /// - Throws: `lastIdentity` if the user could no longer sign in.
    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session
}

/// Adds and removes second factors of the signed-in user.
public protocol SecondFactors: Sendable {
    /// The kinds of factors that users can add.
    ///
    /// The client rejects every other kind before it sends a request.
    var kinds: Set<FactorChoice.Kind> { get }

    /// Returns the user's active factors from the backend, and the id of the user in the response.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The user id and the factors.
    /// - Throws: An `AuthError` of the adapter's error table.
    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice])

    /// Starts to add a factor.
    ///
    /// The adapter's verification strategies handle the next steps. The first correct response activates the factor, and
    /// completes the flow with the session that continues.
    ///
    /// - Parameters:
    ///   - factor: The factor.
    ///   - session: The session of the user.
    ///   - flow: The memory of the flow.
    /// - Returns: The data for the user's first response.
    /// - Throws: `secondFactorRequired` if the user must first complete an existing factor.
    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment

    /// Removes a factor.
    ///
    /// - Parameters:
    ///   - factor: The factor.
    ///   - session: The session of the user.
    /// - Returns: The session that continues.
    /// - Throws: `secondFactorRequired` if the user signed in without it.
    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session

    /// Whether users can create backup codes.
    var makesBackupCodes: Bool { get }

    /// Creates new backup codes.
    ///
    /// The previous codes become invalid.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The codes.
    /// - Throws: `secondFactorRequired` if the user has no second factor that the codes could replace.
    func renewBackupCodes(of session: Session) async throws(AuthError) -> [Secret]
}

extension SecondFactors {
    /// Default: `false`.
    public var makesBackupCodes: Bool { false }

    /// Default: not supported.
    ///
    /// The client does not call it.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: Nothing.
    /// - Throws: `unsupported`.
    public func renewBackupCodes(of session: Session) async throws(AuthError) -> [Secret] {
        throw AuthError(.unsupported, "The adapter makes no backup codes.")
    }
}

/// Lists, removes and renames the passkeys of the signed-in user.
///
/// To add one, the client uses the sign-in strategies with the purpose `link`.
public protocol PasskeyManagement: Sendable {
    /// Returns the user's passkeys from the backend, and the id of the user if the response contains it.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The user id and the passkeys.
    /// - Throws: An `AuthError` of the adapter's error table.
    func all(of session: Session) async throws(AuthError) -> (user: String?, passkeys: [Passkey])

    /// Removes a passkey.
    ///
    /// - Parameters:
    ///   - passkey: The passkey.
    ///   - session: The session of the user.
    /// - Returns: The session that continues.
    /// - Throws: `invalidInput` if the user does not have this passkey.
    func remove(_ passkey: Passkey, from session: Session) async throws(AuthError) -> Session

    /// Whether users can rename a passkey.
    var acceptsNames: Bool { get }

    /// Renames a passkey.
    ///
    /// - Parameters:
    ///   - passkey: The passkey.
    ///   - name: The new name. It is not empty.
    ///   - session: The session of the user.
    /// - Returns: The session that continues.
    /// - Throws: `invalidInput` if the user does not have this passkey.
    func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session
}

extension PasskeyManagement {
    /// Default: `false`.
    public var acceptsNames: Bool { false }

    /// Default: not supported.
    ///
    /// The client does not call it.
    ///
    /// - Parameters:
    ///   - passkey: The passkey.
    ///   - name: The new name.
    ///   - session: The session of the user.
    /// - Returns: Nothing.
    /// - Throws: `unsupported`.
    public func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session {
        throw AuthError(.unsupported, "The adapter renames no passkeys.")
    }
}

/// Lists the organizations of the signed-in user, and sets the session's active one.
public protocol OrganizationSwitching: Sendable {
    /// Returns the user's organizations from the backend, and the id of the user if the response contains it.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The user id and the organizations.
    /// - Throws: An `AuthError` of the adapter's error table.
    func all(of session: Session) async throws(AuthError) -> (user: String?, organizations: [Organization])

    /// Sets the session's active organization.
    ///
    /// Every later refresh must keep it.
    ///
    /// - Parameters:
    ///   - organization: The organization; `nil` for none.
    ///   - session: The session of the user.
    /// - Returns: The session with a new access token, whose claims contain the organization
    ///   (``Session/organizationID``).
    /// - Throws: `invalidInput` if the user is not a member of it.
    func activate(_ organization: Organization?, in session: Session) async throws(AuthError) -> Session
}

/// Renews the sign-in of the signed-in user, for a sensitive call.
///
/// The client uses the sign-in strategies with the purpose `reauthenticate`.
public protocol Reauthentication: Sendable {
    /// Returns the ways in which this user can sign in again.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The ways to sign in.
    func ways(for session: Session) -> [Capability]
}

/// Deletes the account of the signed-in user.
public protocol AccountDeletion: Sendable {
    /// Deletes the account at the backend.
    ///
    /// - Parameter session: The session of the user.
    /// - Throws: `reauthenticationRequired` if the sign-in is too old.
    func delete(_ session: Session) async throws(AuthError)
}
