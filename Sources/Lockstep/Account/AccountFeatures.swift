public import LockstepPrimitives

/// Adapter methods that change the name, the photo and the user's own metadata.
public protocol ProfileUpdate: Sendable {
    /// Whether the backend stores the URL of a photo.
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
    /// Default: `false`.
    ///
    /// The backend stores no metadata that users can change.
    public var acceptsMetadata: Bool { false }
}

/// The changes to a user's profile.
///
/// A value that is `nil` stays unchanged.
public struct ProfileChanges: Sendable, Hashable {
    /// The new display name; `nil` keeps the current name.
    public var displayName: String?
    /// The URL of a new photo; `nil` keeps the current photo.
    public var photoURL: String?
    /// Members of the user's own metadata.
    ///
    /// Each member replaces the stored member of the same name completely, and `null` removes the stored member. All
    /// other members stay.
    public var metadata: JSONObject?

    /// Creates changes.
    ///
    /// - Parameters:
    ///   - displayName: The new display name; `nil` keeps the current name.
    ///   - photoURL: The URL of a new photo; `nil` keeps the current photo.
    ///   - metadata: Changed members of the user's own metadata; `nil` changes none.
    public init(displayName: String? = nil, photoURL: String? = nil, metadata: JSONObject? = nil) {
        self.displayName = displayName
        self.photoURL = photoURL
        self.metadata = metadata
    }
}

/// Adapter methods that change the password of the signed-in user.
public protocol PasswordChange: Sendable {
    /// Sets a new password.
    ///
    /// If the caller passes the current password, the change succeeds only if that password is correct. If the backend
    /// cannot check it in the same call, the adapter verifies it first with a sign-in. The adapter then discards the
    /// tokens of that sign-in and ends its session.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - current: The current password; `nil` if the app does not ask for it.
    ///   - session: The session of the user.
    /// - Returns: The session that continues.
    /// - Throws: `weakPassword`, `samePassword`, `invalidCredentials` (the current password is wrong),
    ///   `reauthenticationRequired`.
    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session

    /// Sets a new password, or starts a flow in which the user first enters a code.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - session: The session of the user.
    ///   - flow: The flow's memory, which keeps notes between the steps.
    /// - Returns: The session, or the next step.
    /// - Throws: The errors of ``change(to:current:of:)``.
    func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep
}

extension PasswordChange {
    /// Default: sets the new password without a code.
    ///
    /// - Parameters:
    ///   - new: The new password.
    ///   - session: The session of the user.
    ///   - flow: The flow's memory, which keeps notes between the steps.
    /// - Returns: The session.
    /// - Throws: The errors of ``change(to:current:of:)``.
    public func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        .complete(try await change(to: new, current: nil, of: session))
    }
}

/// Adapter methods that replace a forgotten password.
public protocol PasswordReset: Sendable {
    /// Requests the message that resets the password.
    ///
    /// The adapter's verification strategies handle the next steps: first the verification, then the new password. The
    /// last step returns the session.
    ///
    /// - Parameters:
    ///   - email: The email address of the account.
    ///   - flow: The flow's memory, which keeps notes between the steps.
    /// - Returns: The next step.
    /// - Throws: An `AuthError` of the adapter's error table.
    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep
}

/// Adapter methods that change the email address of the signed-in user.
public protocol EmailChange: Sendable {
    /// Starts a change of the email address: the backend sends a message to verify the new address.
    ///
    /// The old address stays valid until the user has verified the new one.
    ///
    /// - Parameters:
    ///   - email: The new email address.
    ///   - session: The session of the user.
    ///   - flow: The flow's memory, which keeps notes between the steps.
    /// - Returns: The session, or the next step.
    /// - Throws: An `AuthError` of the adapter's error table.
    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep
}

/// Adapter methods for the identities of the signed-in user.
///
/// To add an identity, the client calls a sign-in strategy with the purpose `link`.
public protocol IdentityLinking: Sendable {
    /// Removes an identity of the user.
    ///
    /// - Parameters:
    ///   - identity: The identity to remove.
    ///   - session: The session of the user.
    /// - Returns: The session that continues.
    /// - Throws: `lastIdentity` if the user could no longer sign in.
    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session
}

/// Adapter methods that add and remove second factors of the signed-in user.
public protocol SecondFactors: Sendable {
    /// The kinds of factors that users can add.
    ///
    /// The client rejects every other kind before it sends a request.
    var kinds: Set<FactorChoice.Kind> { get }

    /// Loads the user's active factors from the backend.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The user id in the response, and the factors.
    /// - Throws: An `AuthError` of the adapter's error table.
    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice])

    /// Starts to add a factor.
    ///
    /// The adapter's verification strategies handle the next steps. The first correct response makes the factor active
    /// and completes the flow. The flow returns the user's session.
    ///
    /// - Parameters:
    ///   - factor: The factor to add.
    ///   - session: The session of the user.
    ///   - flow: The flow's memory, which keeps notes between the steps.
    /// - Returns: The data that the user needs for the first code.
    /// - Throws: `secondFactorRequired` if the user must first sign in with a factor that is already active.
    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment

    /// Removes a factor.
    ///
    /// - Parameters:
    ///   - factor: The factor to remove.
    ///   - session: The session of the user.
    /// - Returns: The session that continues.
    /// - Throws: `secondFactorRequired` if the user signed in without a second factor.
    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session

    /// Whether users can create backup codes.
    var makesBackupCodes: Bool { get }

    /// Creates new backup codes, and makes the previous ones invalid.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The codes.
    /// - Throws: `secondFactorRequired` if the user has no second factor.
    func renewBackupCodes(of session: Session) async throws(AuthError) -> [Secret]
}

extension SecondFactors {
    /// Default: `false`.
    ///
    /// Users cannot create backup codes.
    public var makesBackupCodes: Bool { false }

    /// Default: throws `unsupported`.
    ///
    /// The client does not call this method if ``makesBackupCodes`` is `false`.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: This implementation never returns.
    /// - Throws: `unsupported`.
    public func renewBackupCodes(of session: Session) async throws(AuthError) -> [Secret] {
        throw AuthError(.unsupported, "The adapter cannot renew backup codes.")
    }
}

/// Adapter methods that list, remove and rename the passkeys of the signed-in user.
///
/// To add a passkey, the client calls a sign-in strategy with the purpose `link`.
public protocol PasskeyManagement: Sendable {
    /// Loads the user's passkeys from the backend.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The user id if the response contains it, and the passkeys.
    /// - Throws: An `AuthError` of the adapter's error table.
    func all(of session: Session) async throws(AuthError) -> (user: String?, passkeys: [Passkey])

    /// Removes a passkey.
    ///
    /// - Parameters:
    ///   - passkey: The passkey to remove.
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
    ///
    /// Users cannot rename passkeys.
    public var acceptsNames: Bool { false }

    /// Default: throws `unsupported`.
    ///
    /// The client does not call this method if ``acceptsNames`` is `false`.
    ///
    /// - Parameters:
    ///   - passkey: The passkey.
    ///   - name: The new name.
    ///   - session: The session of the user.
    /// - Returns: This implementation never returns.
    /// - Throws: `unsupported`.
    public func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session {
        throw AuthError(.unsupported, "The adapter cannot rename passkeys.")
    }
}

/// Adapter methods that list the user's organizations and set the active organization of a session.
public protocol OrganizationSwitching: Sendable {
    /// Loads the user's organizations from the backend.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The user id if the response contains it, and the organizations.
    /// - Throws: An `AuthError` of the adapter's error table.
    func all(of session: Session) async throws(AuthError) -> (user: String?, organizations: [Organization])

    /// Sets the active organization of a session.
    ///
    /// The organization must stay active after every later refresh.
    ///
    /// - Parameters:
    ///   - organization: The organization; `nil` for no active organization.
    ///   - session: The session of the user.
    /// - Returns: The session with a new access token, whose claims contain the organization
    ///   (``Session/organizationID``).
    /// - Throws: `invalidInput` if the user is not a member of the organization.
    func activate(_ organization: Organization?, in session: Session) async throws(AuthError) -> Session
}

/// Support of an adapter for a repeated sign-in before a sensitive call.
///
/// To sign the user in again, the client calls a sign-in strategy with the purpose `reauthenticate`.
public protocol Reauthentication: Sendable {
    /// Returns the methods with which this user can sign in again.
    ///
    /// - Parameter session: The session of the user.
    /// - Returns: The ways to sign in.
    func ways(for session: Session) -> [Capability]
}

/// The adapter method that deletes the account of the signed-in user.
public protocol AccountDeletion: Sendable {
    /// Deletes the account on the backend.
    ///
    /// - Parameter session: The session of the user.
    /// - Throws: `reauthenticationRequired` if the sign-in is too old.
    func delete(_ session: Session) async throws(AuthError)
}
