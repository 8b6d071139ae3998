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
        case .anonymous: throw .guestIsNotEnough
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
        guard !user.isAnonymous else { throw .guestIsNotEnough }
        if requirements.contains(.secondFactor), assurance == .oneFactor {
            throw AuthError(.secondFactorRequired, "This needs a second factor. Ask for one.", remedies: [.secondFactor])
        }
    }
}

extension AuthError {
    fileprivate static let guestIsNotEnough = AuthError(
        .verificationRequired, "A guest cannot do this. Let the user link a way to sign in.", remedies: [.linkGuest])
}
