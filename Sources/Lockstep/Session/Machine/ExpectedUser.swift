/// The user whose session an answer may bring: the one place where user, token and request are compared before anything of it is
/// kept.
///
/// A cache that mixes up the answers to two users, or a backend that does, must not make one of them the other.
package struct ExpectedUser: Sendable, Hashable {
    /// The user who was asked about; `nil` where none was known yet.
    package var id: String?
    /// The address or number that was named; `nil` where none was.
    package var address: String?
    /// Whether it is a proof that may honestly be another user's, such as a sign-in that is to renew a session.
    package var isProof = false

    /// Any user.
    package static let anybody = ExpectedUser()

    /// One user.
    package static func user(of session: Session) -> ExpectedUser { ExpectedUser(id: session.user.id) }

    /// The user that a request was about.
    package init(id: String? = nil, address: String? = nil, isProof: Bool = false) {
        self.id = id
        self.address = address
        self.isProof = isProof
    }

    /// The error for an answer that brings another user; `nil` where it does not.
    package func refusal(of session: Session) -> AuthError? {
        guard session.isOfOneUser else { return .anotherUsersAnswer }
        if let id, session.user.id != id { return isProof ? .anotherUsersProof : .anotherUsersAnswer }
        if let address, !session.user.holds(address) { return .anotherUsersAnswer }
        return nil
    }
}

extension Session {
    /// Whether the subject of the access token, where it has one, is the session's user.
    package var isOfOneUser: Bool { subject == nil || subject == user.id }

    /// Whether another session is this one, perhaps with other tokens.
    func isSame(as other: Session) -> Bool {
        guard provider == other.provider else { return false }
        if let id, let otherID = other.id { return id == otherID }
        return refreshToken == other.refreshToken
    }
}

extension User {
    /// Whether an address or number is one of this user's.
    fileprivate func holds(_ address: String) -> Bool {
        guard address.contains("@") else {
            // Only the first of several numbers is reported.
            return phone == nil || phone == address || identities.filter { $0.provider == .phone }.count > 1
        }
        let wanted = address.lowercased()
        return email?.lowercased() == wanted || identities.contains { $0.email?.lowercased() == wanted }
    }
}

extension AuthError {
    /// An answer that is not about the user who was asked about.
    static let anotherUsersAnswer = AuthError(
        .invalidResponse,
        "The answer is about another user than the question. Nothing was changed; a cache before the backend may mix up answers.",
        retry: .now)

    /// A proof that another user has given.
    static let anotherUsersProof = AuthError(
        .userMismatch, "The proof belongs to another user than the one signed in. Nothing was changed.")
}
