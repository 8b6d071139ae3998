internal import LockstepPrimitives

/// The state of a client, as far as this device knows it.
///
/// An app can read the state at any time.
///
/// ```swift
/// switch client.state {
/// case .signedIn(let session): print("signed in as \(session.user.id)")
/// case .anonymous: print("anonymous")
/// case .unverified(let account): print("verify the address of \(account.challenge.destination ?? "the account")")
/// case .signedOut(let reason): print("signed out: \(reason)")
/// case .restoring, .unavailable: print("not known")
/// }
/// ```
public enum AuthState: Sendable, Hashable {
    /// The store has not been read yet.
    case restoring
    /// No user is signed in, for the given reason.
    case signedOut(SignOutReason)
    /// An anonymous user is signed in.
    case anonymous(Session)
    /// The user has an account, but must first verify the email address.
    case unverified(PendingAccount)
    /// A user is signed in.
    case signedIn(Session)
    /// The store cannot be read, so the state is unknown.
    ///
    /// The next call reads the store again.
    case unavailable(StoreFailure)

    /// The session; `nil` if no user is signed in.
    ///
    /// An account with an unverified email address may have a session, too.
    public var session: Session? {
        switch self {
        case .anonymous(let session), .signedIn(let session): session
        case .unverified(let pending): pending.session
        case .restoring, .signedOut, .unavailable: nil
        }
    }
}

/// The state of a client together with the flow in progress, at one moment.
///
/// ```swift
/// for await snapshot in client.snapshots { print(snapshot.state.session == nil, snapshot.pending == nil) }
/// ```
public struct ClientSnapshot: Sendable, Hashable {
    /// The state.
    public var state: AuthState
    /// The step in progress; `nil` if no step is in progress.
    public var pending: AuthStep?
    /// The email address or phone number that the user entered for the flow in progress; `nil` if a user is signed in.
    ///
    /// The value survives a relaunch of the app.
    public var identifier: String?

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - pending: The step in progress.
    ///   - identifier: The email address or phone number that the user entered for the flow.
    public init(state: AuthState, pending: AuthStep? = nil, identifier: String? = nil) {
        self.state = state
        self.pending = pending
        self.identifier = identifier
    }
}

extension ClientSnapshot {
    /// Returns whether a screen would show both snapshots in the same way; see ``AuthState/looksLike(_:)``.
    func looksLike(_ other: ClientSnapshot) -> Bool {
        pending == other.pending && identifier == other.identifier && state.looksLike(other.state)
    }
}

extension AuthState {
    /// Returns whether a screen would show both states in the same way.
    ///
    /// Tokens, and values that change with them, are ignored.
    func looksLike(_ other: AuthState) -> Bool {
        switch (self, other) {
        case (.signedIn(let one), .signedIn(let two)), (.anonymous(let one), .anonymous(let two)): one.looksLike(two)
        case (.unverified(let one), .unverified(let two)):
            one.challenge == two.challenge
                && (one.session == two.session || one.session.flatMap { one in two.session.map(one.looksLike) } == true)
        default: self == other
        }
    }
}

extension Session {
    fileprivate func looksLike(_ other: Session) -> Bool {
        id == other.id && provider == other.provider && assurance == other.assurance && organizationID == other.organizationID
            && user.withoutTimes == other.user.withoutTimes
    }
}

extension User {
    /// The user without the provider's timestamps (`updated_at`, `lastRefreshAt`), because some change with every refresh.
    fileprivate var withoutTimes: User {
        var copy = self
        copy.fields = JSONObject(
            fields.filter { !$0.name.hasSuffix("_at") && !$0.name.hasSuffix("At") }.map { ($0.name, $0.value) })
        return copy
    }
}

/// An account whose email address the user must still verify.
///
/// ```swift
/// if case .unverified(let account) = client.state {
///     _ = try await client.respond(to: account.flow, with: .code("123456"))
/// }
/// ```
public struct PendingAccount: Sendable, Hashable {
    /// The challenge with which the user verifies the email address.
    public var challenge: Challenge
    /// The session with limited rights, if the provider creates one before the verification.
    public var session: Session?

    /// The flow to continue.
    public var flow: Flow { challenge.flow }

    /// Creates a pending account.
    ///
    /// - Parameters:
    ///   - challenge: The challenge with which the user verifies the email address.
    ///   - session: The session with limited rights; `nil` if the provider creates no such session.
    public init(challenge: Challenge, session: Session? = nil) {
        self.challenge = challenge
        self.session = session
    }
}

/// The reason why a store cannot be read.
public struct StoreFailure: Sendable, Hashable {
    /// The code of the store's error.
    public var code: StoreError.Code
    /// A message for developers that says what failed and what to do.
    public var message: String

    /// Creates a failure from a store's error.
    ///
    /// - Parameter error: The error that the store threw.
    public init(_ error: StoreError) {
        code = error.code
        message = error.message
    }
}

/// The reason why no user is signed in.
///
/// ```swift
/// if case .signedOut(let reason) = client.state, reason == .userDisabled { print("This account was disabled.") }
/// ```
public enum SignOutReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// No user has signed in yet.
    case neverSignedIn
    /// The user signed out.
    case requested
    /// The user ended the session on another device, or an administrator ended it.
    case revoked
    /// Another client used the same refresh token, so the backend ended the session.
    case refreshReuse
    /// The account was deleted.
    case userDeleted
    /// The account was disabled.
    case userDisabled
    /// The password or the email address changed.
    case credentialChanged
    /// The session expired.
    case expired
    /// The store contains a session of another backend, which this client does not use.
    case backendChanged
    /// The client could not decode the stored session.
    ///
    /// The store has quarantined it.
    case storeDamaged
    /// Another process on this device signed the user out.
    case endedElsewhere
}

extension AuthError.Code {
    /// The reason why a failed refresh ends the session; `nil` if the failure does not concern the session itself.
    ///
    /// This is the whole list: any other failure (no network, 429, 5xx, HTML, truncated JSON) keeps the session.
    var verdict: SignOutReason? {
        switch self {
        case .sessionRevoked, .refreshTokenUnknown: .revoked
        case .refreshTokenReused: .refreshReuse
        case .userDeleted: .userDeleted
        case .userDisabled: .userDisabled
        case .credentialChanged: .credentialChanged
        case .sessionExpired: .expired
        default: nil
        }
    }
}

/// A requirement that a session must meet before the app offers a feature.
///
/// ```swift
/// let session = try await client.session(requiring: .secondFactor)
/// print(session.assurance)
/// ```
public enum SessionRequirement: String, Sendable, Hashable, CaseIterable {
    /// Any user may use the feature, including an anonymous user.
    ///
    /// A user with an unverified email address may use it only with ``AuthClient/UnverifiedUsers/allowed``.
    case any
    /// The user must have a verified email address, or another verified identity.
    case verified
    /// The user must have signed in with a second factor.
    case secondFactor
}

extension AuthState {
    /// Throws an error for the first requirement that the state's user does not meet, and none if there is no user.
    ///
    /// An account that gets its session only after the verification meets no requirement. `unverified` says whether an
    /// account that gets it before meets any.
    func check(
        _ requirements: Set<SessionRequirement>, unverified: AuthClient.UnverifiedUsers
    ) throws(AuthError) {
        let isAnyEnough = requirements.isSubset(of: [.any])
        switch self {
        case .anonymous where !isAnyEnough: throw .anonymousIsNotEnough
        case .unverified(let pending) where !isAnyEnough || pending.session.map(unverified.take) != true:
            throw AuthError(
                .verificationRequired, "The address is not verified yet. Show the challenge.",
                remedies: [.verify(pending.challenge)])
        case .signedIn(let session): try session.check(requirements, unverified: unverified)
        default: break
        }
    }
}

extension Session {
    /// Throws an error if this session does not meet a requirement.
    ///
    /// The check uses the backend's data about the user, never the claims of the token.
    func check(_ requirements: Set<SessionRequirement>, unverified: AuthClient.UnverifiedUsers) throws(AuthError) {
        let isAnyEnough = requirements.isSubset(of: [.any])
        guard isAnyEnough ? unverified.take(self) : user.standing != .unverified else {
            throw AuthError(.verificationRequired, "The address is not verified yet. Show the challenge of the state.")
        }
        guard !isAnyEnough else { return }
        guard !user.isAnonymous else { throw .anonymousIsNotEnough }
        if requirements.contains(.secondFactor), assurance == .oneFactor {
            throw AuthError(
                .secondFactorRequired, "This call requires a second factor. Ask the user for a second factor.",
                remedies: [.secondFactor])
        }
    }
}

extension AuthError {
    fileprivate static let anonymousIsNotEnough = AuthError(
        .verificationRequired, "An anonymous user cannot do this. Let the user link a sign-in method.",
        remedies: [.linkAnonymousUser])
}
