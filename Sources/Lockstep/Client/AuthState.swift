internal import LockstepPrimitives

/// The state of a client, as far as this device knows: a snapshot that can be read at any time.
public enum AuthState: Sendable, Hashable {
    /// The store has not been read yet.
    case restoring
    /// No user is signed in, for this reason.
    case signedOut(SignOutReason)
    /// A guest.
    case anonymous(Session)
    /// An account whose address has not been proven yet.
    case unverified(PendingAccount)
    /// A user.
    case signedIn(Session)
    /// The store cannot be read, so the state is unknown; the next call reads it again.
    case unavailable(StoreFailure)

    /// The session, also a limited one.
    public var session: Session? {
        switch self {
        case .anonymous(let session), .signedIn(let session): session
        case .unverified(let pending): pending.session
        case .restoring, .signedOut, .unavailable: nil
        }
    }
}

/// What a client knows at one moment: its state, and the flow in progress.
public struct ClientSnapshot: Sendable, Hashable {
    /// The state.
    public var state: AuthState
    /// The step in progress; `nil` where there is none.
    public var pending: SignInStep?
    /// The address or number that the flow in progress was begun with, by a user who is not signed in; a relaunch finds it.
    public var identifier: String?

    /// A snapshot.
    public init(state: AuthState, pending: SignInStep? = nil, identifier: String? = nil) {
        self.state = state
        self.pending = pending
        self.identifier = identifier
    }
}

extension ClientSnapshot {
    /// Whether a screen would show the same; see ``AuthState/looksLike(_:)``.
    func looksLike(_ other: ClientSnapshot) -> Bool {
        pending == other.pending && identifier == other.identifier && state.looksLike(other.state)
    }
}

extension AuthState {
    /// Whether a screen would show the same: the tokens, and what comes with each of them, do not count.
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
    /// The user without the provider's own points in time (`updated_at`, `lastRefreshAt`), some of which move with every refresh.
    fileprivate var withoutTimes: User {
        var copy = self
        copy.fields = JSONObject(
            fields.filter { !$0.name.hasSuffix("_at") && !$0.name.hasSuffix("At") }.map { ($0.name, $0.value) })
        return copy
    }
}

/// An account that waits for the proof of its address.
public struct PendingAccount: Sendable, Hashable {
    /// What has to be proven, and how.
    public var challenge: Challenge
    /// The limited session, where the provider gives one before the proof.
    public var session: Session?

    /// The flow to answer.
    public var flow: Flow { challenge.flow }

    /// An account that waits.
    public init(challenge: Challenge, session: Session? = nil) {
        self.challenge = challenge
        self.session = session
    }
}

/// Why a store cannot be read.
public struct StoreFailure: Sendable, Hashable {
    /// The store's own word for it.
    public var code: StoreError.Code
    /// What was wrong and what to do.
    public var message: String

    /// The failure from a store's error.
    public init(_ error: StoreError) {
        code = error.code
        message = error.message
    }
}

/// Why no user is signed in.
public enum SignOutReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// No user has signed in yet.
    case neverSignedIn
    /// The user asked for it.
    case requested
    /// The session was ended elsewhere: by the user on another device, or by an administrator.
    case revoked
    /// The refresh token was used a second time, by another client.
    case refreshReuse
    /// The account is gone.
    case userDeleted
    /// The account was disabled.
    case userDisabled
    /// Password or address changed.
    case credentialChanged
    /// The session ended by age.
    case expired
    /// The store holds a session of another backend.
    case backendChanged
    /// What was stored could not be decoded; it is quarantined.
    case storeDamaged
    /// Another process on this device signed out.
    case endedElsewhere
}

extension AuthError.Code {
    /// The reason why a failed refresh ends the session; `nil` for a failure that says nothing about the session.
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

/// What an app asks of a session before it opens a feature.
public enum SessionRequirement: String, Sendable, Hashable, CaseIterable {
    /// Any user, a guest too.
    case any
    /// A user whose address is proven, or who came in by another proof.
    case verified
    /// A user who gave a second factor.
    case secondFactor
}

extension AuthState {
    /// Throws for the first requirement that the user of this state does not meet; a state without a user meets all of them.
    func check(_ requirements: Set<SessionRequirement>) throws(AuthError) {
        guard !requirements.isSubset(of: [.any]) else { return }
        switch self {
        case .anonymous: throw .anonymousIsNotEnough
        case .unverified(let pending):
            throw AuthError(
                .verificationRequired, "The address has not been proven yet. Show the challenge.",
                remedies: [.verify(pending.challenge)])
        case .signedIn(let session): try session.check(requirements)
        default: break
        }
    }
}

extension Session {
    /// Refuses a requirement that this session does not meet, by what the backend says of its user and never by the claims of its
    /// token.
    func check(_ requirements: Set<SessionRequirement>) throws(AuthError) {
        guard !requirements.isSubset(of: [.any]) else { return }
        guard !user.isAnonymous else { throw .anonymousIsNotEnough }
        guard user.standing != .unverified else {
            throw AuthError(.verificationRequired, "The address has not been proven yet. Show the challenge of the state.")
        }
        if requirements.contains(.secondFactor), assurance == .oneFactor {
            throw AuthError(.secondFactorRequired, "This needs a second factor. Ask for one.", remedies: [.secondFactor])
        }
    }
}

extension AuthError {
    fileprivate static let anonymousIsNotEnough = AuthError(
        .verificationRequired, "An anonymous user cannot do this. Let the user link a way to sign in.", remedies: [.linkAnonymousUser])
}
