public import Lockstep
public import LockstepPrimitives

/// The claims of an ID token from the identity provider that an in-memory backend trusts.
///
/// ```swift
/// let token = InMemoryIDToken(subject: "person-1", email: "ada@example.com", expiresAt: clock.now + .seconds(600))
/// let step = try await client.signIn(with: .idToken(.apple, token: await backend.issue(token)))
/// ```
public struct InMemoryIDToken: Sendable {
    /// The identity provider that issues the token.
    public var provider: IdentityProvider
    /// The id that the identity provider uses for the account.
    public var subject: String
    /// The email address of the account.
    public var email: String?
    /// Whether the identity provider has verified the email address.
    ///
    /// The backend does not store an unverified address.
    public var isEmailVerified = true
    /// The SHA-256 of the raw nonce, as hexadecimal digits in lower case.
    public var nonce: String?
    /// The name of the person.
    public var name: String?
    /// Whether the token was made for this app.
    public var isForThisApp: Bool
    /// Whether the token comes from the issuer that the backend trusts.
    public var isFromTrustedIssuer: Bool
    /// The time when the token expires.
    public var expiresAt: Instant

    /// Creates the claims of a token.
    ///
    /// - Parameters:
    ///   - provider: The identity provider that issues the token. Default: `apple`.
    ///   - subject: The id that the identity provider uses for the account.
    ///   - email: The email address of the account. Default: none.
    ///   - nonce: The SHA-256 of the raw nonce, as hexadecimal digits in lower case. Default: none.
    ///   - name: The name of the person. Default: none.
    ///   - isForThisApp: Whether the token was made for this app. Default: `true`.
    ///   - isFromTrustedIssuer: Whether the token comes from the issuer that the backend trusts. Default: `true`.
    ///   - expiresAt: The time when the token expires.
    public init(
        provider: IdentityProvider = .apple, subject: String, email: String? = nil, nonce: String? = nil, name: String? = nil,
        isForThisApp: Bool = true, isFromTrustedIssuer: Bool = true, expiresAt: Instant
    ) {
        self.provider = provider
        self.subject = subject
        self.email = email
        self.nonce = nonce
        self.name = name
        self.isForThisApp = isForThisApp
        self.isFromTrustedIssuer = isFromTrustedIssuer
        self.expiresAt = expiresAt
    }

    var identity: Identity { Identity(id: "\(provider):\(subject)", provider: provider, email: email) }
}

extension InMemoryBackend {
    /// Issues an ID token, as the identity provider would.
    ///
    /// The backend accepts only tokens that this method has issued. The backend treats the signature of any other token
    /// as invalid.
    ///
    /// - Parameter token: The claims of the token.
    public func issue(_ token: InMemoryIDToken) -> Secret {
        let text = secret()
        idTokens[text] = token
        return text
    }

    func signIn(
        _ credential: IDTokenCredential, target: InMemoryIdentityTarget, captcha: Secret?
    ) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.signIn) { backend throws(AuthError) in
            try backend.refuseIfOff(.idToken)
            let token = try backend.genuine(credential)
            let user = try backend.user(of: target)
            if case .anyUser = user, backend.owner(of: token.identity) == nil {
                try backend.requireCaptcha(captcha, at: .signUp)
            }
            return try backend.enter(token, name: token.name ?? credential.name, as: user)
        }
    }

    /// Returns the user for whom an identity is presented; the session of the target must still be valid.
    func user(of target: InMemoryIdentityTarget) throws(AuthError) -> InMemoryIdentityUser {
        switch target {
        case .anyUser: .anyUser
        case .link(let access): .link(toSession: try session(of: access).id)
        case .sameUser(let access): .sameUser(asSession: try session(of: access).id)
        }
    }

    private func owner(of identity: Identity) -> InMemoryAccountRecord? {
        accounts.values.first { $0.user.identities.contains { $0.id == identity.id } }
    }

    /// Signs in the owner of an identity, creates a user for it, or links it to a user.
    func enter(_ token: InMemoryIDToken, name: String?, as user: InMemoryIdentityUser) throws(AuthError) -> InMemoryOutcome {
        let identity = token.identity
        let owner = owner(of: identity)
        switch user {
        case .anyUser:
            let userID = owner?.user.id ?? make(token, name: name)
            guard accounts[userID]?.isDisabled == false else { throw disabled }
            return try admit(userID, device: nil)
        case .link(let sessionID):
            guard let session = sessions[sessionID], !session.isOver else { throw gone }
            if let owner, owner.user.id != session.userID {
                return .conflict(current: session.userID, other: owner.user.id, ways: ways(of: owner))
            }
            let address = freeAddress(of: token)
            change(session.userID) { account in
                account.user.isAnonymous = false
                if account.user.email == nil, let address {
                    account.user.email = address
                    account.user.isEmailVerified = true
                }
                if (account.user.displayName ?? "").isEmpty { account.user.displayName = name }
                if !account.user.identities.contains(identity) { account.user.identities.append(identity) }
            }
            return .granted(try grant(session.id), device: secret())
        case .sameUser(let sessionID):
            guard let session = sessions[sessionID], !session.isOver else { throw gone }
            guard owner?.user.id == session.userID else { throw otherUser }
            return try prove(session)
        }
    }

    private func genuine(_ credential: IDTokenCredential) throws(AuthError) -> InMemoryIDToken {
        func refusal(_ why: String) -> AuthError {
            AuthError(
                .invalidIDToken, "The ID token was rejected: \(why).", provider: ProviderDetail(code: "bad_id_token", status: 400)
            )
        }
        guard let token = idTokens[credential.token], token.provider == credential.provider else {
            throw refusal("the issuer did not sign it")
        }
        guard token.isForThisApp, token.isFromTrustedIssuer else {
            throw refusal("it was issued for another app or by another issuer")
        }
        guard token.expiresAt > clock.now else { throw refusal("it has expired") }
        let given = credential.nonce.map { IDTokenNonce(raw: $0).hashed }
        switch settings.behavior.nonce {
        case .required:
            guard let given, given == token.nonce else { throw refusal("its nonce differs from the nonce of the sign-in") }
        case .checkedWhenPresent:
            guard given == token.nonce else { throw refusal("its nonce differs from the nonce of the sign-in") }
        case .ignored: break
        }
        return token
    }

    /// Returns the address that a token adds to its user.
    ///
    /// The provider must have verified it, and no account may have it.
    ///
    /// An address never merges accounts, and an unverified address never becomes a verified one.
    private func freeAddress(of token: InMemoryIDToken) -> String? {
        guard token.isEmailVerified, let email = token.email, account(byEmail: email) == nil else { return nil }
        return email.lowercased()
    }

    private func make(_ token: InMemoryIDToken, name: String?) -> String {
        let id = "u-" + randomness.text(12)
        let email = freeAddress(of: token)
        accounts[id] = InMemoryAccountRecord(
            user: User(
                id: id, email: email, isEmailVerified: email != nil, displayName: name, identities: [token.identity],
                createdAt: clock.now))
        return id
    }
}
