public import LockstepPrimitives

/// Changing the name, the photo and the user's own metadata.
public protocol ProfileUpdate: Sendable {
    /// Whether a photo can be set.
    var takesPhoto: Bool { get }

    /// Whether the backend keeps metadata that a user may change.
    var takesMetadata: Bool { get }

    /// Changes what is given and leaves the rest.
    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session
}

extension ProfileUpdate {
    /// The backend keeps none.
    public var takesMetadata: Bool { false }
}

/// What to change of a profile; `nil` leaves a value as it is.
public struct ProfileChanges: Sendable, Hashable {
    /// The name to show.
    public var displayName: String?
    /// The address of a photo.
    public var photoURL: String?
    /// Members of the user's own metadata: each one given takes the place of the one of its name, whole, `null` removes it, and
    /// all others stay.
    public var metadata: JSONObject?

    /// Changes.
    public init(displayName: String? = nil, photoURL: String? = nil, metadata: JSONObject? = nil) {
        self.displayName = displayName
        self.photoURL = photoURL
        self.metadata = metadata
    }
}

/// Changing the password of the user who is signed in.
public protocol PasswordChange: Sendable {
    /// Sets the new password, and returns the session that continues.
    ///
    /// A current password that is given is the user's own, or nothing changes: where the backend does not compare it in the same
    /// call, the adapter verifies it first, by a sign-in whose tokens are discarded and whose session is ended.
    ///
    /// - Throws: `weakPassword`, `samePassword`, `invalidCredentials` (the current one is wrong), `reauthenticationRequired`.
    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session

    /// Sets the new password, and asks for a proof where the backend wants one and sends it itself: a code that completes the
    /// flow.
    func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

extension PasswordChange {
    /// Sets the new password; the backend sends no proof for it.
    public func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        .complete(try await change(to: new, current: nil, of: session))
    }
}

/// Replacing a forgotten password.
public protocol PasswordReset: Sendable {
    /// Asks for the message.
    ///
    /// What follows is answered by the adapter's verification strategies: the proof, then the new password, then the session.
    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

/// Changing the address of the user who is signed in.
public protocol EmailChange: Sendable {
    /// Asks for the proof of the new address; until it is given the old one stays valid.
    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

/// Adding and removing identities of the user who is signed in.
///
/// Adding goes through the sign-in strategies, with the purpose `link`.
public protocol IdentityLinking: Sendable {
    /// Removes an identity.
    ///
    /// - Throws: `lastIdentity` where the user could not sign in any more.
    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session
}

/// Adding and removing second factors of the user who is signed in.
public protocol SecondFactors: Sendable {
    /// The kinds that users can add; the client refuses every other one before a request.
    var kinds: Set<FactorChoice.Kind> { get }

    /// The user's active factors, as the backend has them now, and the id of the user that the answer is about.
    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice])

    /// Begins to add a factor.
    ///
    /// What follows is answered by the adapter's verification strategies; the factor is active after the first right answer,
    /// which completes the flow with the session that continues.
    ///
    /// - Throws: `secondFactorRequired` where another factor has to be given first.
    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment

    /// Removes a factor, and returns the session that continues.
    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session

    /// Whether users can have backup codes made.
    var makesBackupCodes: Bool { get }

    /// Makes new backup codes; the former ones count no more.
    ///
    /// - Throws: `secondFactorRequired` where the user has no second factor that they could stand in for.
    func renewBackupCodes(of session: Session) async throws(AuthError) -> [Secret]
}

extension SecondFactors {
    /// Users have none made.
    public var makesBackupCodes: Bool { false }

    /// Users have none made: the client does not ask.
    public func renewBackupCodes(of session: Session) async throws(AuthError) -> [Secret] {
        throw AuthError(.unsupported, "The adapter makes no backup codes.")
    }
}

/// The passkeys by which the user who is signed in signs in.
///
/// Adding one goes through the sign-in strategies, with the purpose `link`.
public protocol PasskeyManagement: Sendable {
    /// The user's passkeys, as the backend has them now, and the id of the user where the answer names it.
    func all(of session: Session) async throws(AuthError) -> (user: String?, passkeys: [Passkey])

    /// Removes a passkey, and returns the session that continues.
    ///
    /// - Throws: `invalidInput` for a passkey that the user has not got.
    func remove(_ passkey: Passkey, from session: Session) async throws(AuthError) -> Session

    /// Whether users can give a passkey another name.
    var acceptsNames: Bool { get }

    /// Gives a passkey another name, which is not empty, and returns the session that continues.
    ///
    /// - Throws: `invalidInput` for a passkey that the user has not got.
    func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session
}

extension PasskeyManagement {
    /// A passkey keeps the name that it was made with.
    public var acceptsNames: Bool { false }

    /// A passkey keeps the name that it was made with: the client does not ask.
    public func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session {
        throw AuthError(.unsupported, "The adapter renames no passkeys.")
    }
}

/// The organizations of the user who is signed in, and which of them is active in a session.
public protocol OrganizationSwitching: Sendable {
    /// Those that the user is a member of, as the backend has them now, and the id of the user where the answer names it.
    func all(of session: Session) async throws(AuthError) -> (user: String?, organizations: [Organization])

    /// Makes one the session's active organization, or none where it is `nil`, and returns the session with a new access token, in
    /// whose claims it stands (``Session/organizationID``).
    ///
    /// Every later refresh must keep it.
    ///
    /// - Throws: `invalidInput` where the user is no member of it.
    func activate(_ organization: Organization?, in session: Session) async throws(AuthError) -> Session
}

/// Renewing the sign-in of the user who is signed in, for a sensitive call.
///
/// It goes through the sign-in strategies, with the purpose `reauthenticate`.
public protocol Reauthentication: Sendable {
    /// The ways that this user has.
    func ways(for session: Session) -> [Capability]
}

/// Deleting the account of the user who is signed in.
public protocol AccountDeletion: Sendable {
    /// Deletes the account at the backend.
    ///
    /// - Throws: `reauthenticationRequired` where the sign-in is too old.
    func delete(_ session: Session) async throws(AuthError)
}
