package import Lockstep
internal import LockstepHTTP
package import LockstepPrimitives
internal import LockstepWire

/// The tokens of a response, before the user is known.
struct Tokens: Sendable {
    let access: Secret
    let refresh: Secret
    let lifetime: TokenLifetime
    let claims: JSONObject

    /// The user they belong to.
    var userID: String? { claims["user_id"]?.filled ?? claims["sub"]?.filled }

    var assurance: Session.Assurance { claims["firebase"]?["sign_in_second_factor"]?.filled == nil ? .oneFactor : .twoFactors }

    /// Reads the tokens of the account service, or of the token service, which uses other names.
    ///
    /// - `tenant`: The tenant that the tokens must belong to; `nil` for the project itself.
    ///
    /// Throws `invalidResponse` if a part is missing, has another type, or belongs to another tenant.
    init(_ response: JSONResponse, of tenant: String?, clock: some DeviceClock) throws(AuthError) {
        let object = response.object
        guard let access = (object["idToken"] ?? object["id_token"])?.filled else {
            throw ErrorMapping.incomplete("the ID token")
        }
        guard TokenType.isBearer(object["token_type"]) else { throw ErrorMapping.incomplete("a token of type bearer") }
        guard let refresh = (object["refreshToken"] ?? object["refresh_token"])?.filled else {
            throw ErrorMapping.incomplete("the refresh token")
        }
        // This token requests the user before the client has the session.
        try Session.check(accessToken: Secret(access))
        let claims = CompactToken.unverifiedClaims(of: access) ?? [:]
        guard claims["user_id"] == nil || claims["sub"] == nil || claims["user_id"] == claims["sub"] else {
            throw ErrorMapping.incomplete("one user id in the ID token")
        }
        guard claims["firebase"]?["tenant"]?.filled == tenant else {
            throw ErrorMapping.incomplete("a token of the expected tenant")
        }
        // Responses to second factors contain no lifetime, but the token does.
        let told = object["expiresIn"] ?? object["expires_in"]
        guard let life = told == nil || told == .null ? TokenLife.written(in: claims) : TokenLife.told(told) else {
            throw ErrorMapping.incomplete("the token's lifetime")
        }
        self.access = Secret(access)
        self.refresh = Secret(refresh)
        self.claims = claims
        lifetime = TokenLifetime(life: life, serverDate: response.date, clock: clock)
    }

    /// The session of a user.
    func session(of user: User) -> Session {
        Session(
            provider: FirebaseAdapter.name, user: user, accessToken: access, refreshToken: refresh, lifetime: lifetime,
            assurance: assurance, claims: claims)
    }
}

extension Session {
    /// Returns the same user with newer tokens.
    func renewed(by tokens: Tokens) -> Session {
        var copy = tokens.session(of: user.updated(by: tokens.claims))
        if tokens.assurance == .oneFactor { copy.assurance = assurance }
        return copy
    }
}

extension FirebaseAPI {
    /// Returns the tokens of a response.
    func tokens(_ response: JSONResponse) throws(AuthError) -> Tokens {
        try Tokens(response, of: configuration.tenant, clock: clock)
    }

    /// Requests the user, and returns the session for the tokens.
    func session(for tokens: Tokens) async throws(AuthError) -> Session {
        let user = try await user(as: tokens.access, claims: tokens.claims)
        guard tokens.userID == nil || tokens.userID?.exact == user.id.exact else {
            throw ErrorMapping.incomplete("the expected user")
        }
        return tokens.session(of: user)
    }

    /// Loads the user from Firebase.
    func user(as token: Secret, claims: JSONObject) async throws(AuthError) -> User {
        let response = try await call("accounts:lookup", ["idToken": .string(token.reveal())])
        guard let users = response.object["users"]?.array, users.count == 1, let user = users[0].object else {
            throw ErrorMapping.incomplete("the user")
        }
        return try User(firebase: user, claims: claims)
    }

    /// Gets new tokens with a refresh token, which stays valid.
    func refresh(_ token: Secret) async throws(AuthError) -> Tokens {
        var form: HTTPForm = ["grant_type": "refresh_token"]
        form.append("refresh_token", token)
        return try tokens(try await exchange(form))
    }
}

extension User {
    /// Reads a user of `accounts:lookup`.
    ///
    /// Firebase does not mark anonymous users, so the token's claims decide. An anonymous user has signed in without a
    /// verification, and has no identity yet.
    ///
    /// - Throws: `invalidResponse` for any other object.
    package init(firebase object: JSONObject, claims: JSONObject) throws(AuthError) {
        guard let id = object["localId"]?.filled else { throw ErrorMapping.incomplete("the user's id") }
        var fields = object
        // A real project redacts this member; an emulator shows it in clear text.
        for name in ["passwordHash", "salt"] { fields[name] = nil }
        let identities = (object["providerUserInfo"]?.array ?? []).compactMap(Identity.init(firebase:))
        let email = object["email"]?.filled
        let phone = object["phoneNumber"]?.filled
        let isGuests = claims["firebase"]?["sign_in_provider"]?.string == "anonymous"
        self.init(
            id: id, email: email, isEmailVerified: object["emailVerified"]?.bool ?? false, phone: phone,
            displayName: object["displayName"]?.filled, photoURL: object["photoUrl"]?.filled,
            isAnonymous: isGuests && identities.isEmpty && email == nil && phone == nil, identities: identities,
            createdAt: (object["createdAt"]?.string).flatMap { Int64($0) }.map { Instant(milliseconds: $0) }, fields: fields)
    }

    /// Returns the user, updated from a newer token's claims.
    func updated(by claims: JSONObject) -> User {
        var user = self
        if let email = claims["email"]?.filled { user.email = email }
        if let isVerified = claims["email_verified"]?.bool { user.isEmailVerified = isVerified }
        if let name = claims["name"]?.filled { user.displayName = name }
        if let photo = claims["picture"]?.filled { user.photoURL = photo }
        if let phone = claims["phone_number"]?.filled { user.phone = phone }
        return user
    }

    /// Whether a new token would have other claims: the user differs from the token's claims, and has changed since `former`.
    ///
    /// A claim that differs from the user is not enough. The project's own claims may override the user's in every new
    /// token.
    ///
    /// - `former`: the user that the backend last returned to this session.
    /// - `claims`: the claims of the session's token.
    func hasChangeOutsideToken(since former: User, claims: JSONObject) -> Bool {
        let members = [
            ("email", "email"), ("name", "displayName"), ("picture", "photoUrl"), ("phone_number", "phoneNumber"),
        ]
        let differs = members.contains { claim, field in
            let now = fields[field]?.filled
            return claims[claim]?.filled != now && former.fields[field]?.filled != now
        }
        let isVerified = fields["emailVerified"]?.bool ?? false
        return differs
            || (claims["email_verified"]?.bool ?? false) != isVerified
                && (former.fields["emailVerified"]?.bool ?? false) != isVerified
    }
}

extension Identity {
    /// Reads one of a user's identities.
    ///
    /// Its id is the provider's id, which is needed to remove the identity.
    init?(firebase object: JSON) {
        guard let id = object["providerId"]?.filled else { return nil }
        self.init(id: id, provider: IdentityProvider(firebase: id), email: object["email"]?.filled)
    }
}

extension IdentityProvider {
    /// The provider with Firebase's name.
    init(firebase id: String) {
        self =
            switch id {
            case "password": .email
            case "apple.com": .apple
            case "google.com": .google
            case "github.com": .github
            default: IdentityProvider(rawValue: id)
            }
    }

    /// Firebase's name for it.
    var firebaseID: String {
        switch self {
        case .email: "password"
        case .apple: "apple.com"
        case .google: "google.com"
        case .github: "github.com"
        default: rawValue
        }
    }
}

extension User {
    /// The address whose sign-in links are enabled; `nil` if links do not sign the user in.
    var linkAddress: String? { fields["emailLinkSignin"]?.bool == true ? email?.lowercased() : nil }

    /// Returns the provider's id of the user's identity at a provider.
    func identityID(at provider: String) -> String? {
        (fields["providerUserInfo"]?.array ?? []).first { $0["providerId"]?.string == provider }?["rawId"]?.filled
    }
}

extension FirebaseAPI {
    /// Returns the step after the response to a verification: a session, or a second factor, which Firebase requires
    /// before it returns tokens.
    func step(for response: JSONResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        if let pending = response.object["mfaPendingCredential"]?.filled {
            flow[.pendingCredential] = Secret(pending)
            let factors = response.object["mfaInfo"]?.array ?? []
            flow[.factors] = factors.compactMap(FactorChoice.init(firebase:))
            // The label of a factor is the name that its owner has given it, if there is one.
            flow[.recipients] = factors.compactMap { factor in
                guard let id = factor["mfaEnrollmentId"]?.filled, let phone = factor["phoneInfo"]?.filled else { return nil }
                return FactorChoice(id: id, kind: .phone, label: phone)
            }
            return .secondFactor(SecondFactor(api: self).step(in: flow))
        }
        return try await step(for: try await session(for: try tokens(response)), in: flow)
    }

    /// Returns the step after the response to a verification that works only once.
    ///
    /// If the user cannot be read afterwards, the user can send the same response again. The flow then continues with
    /// the tokens that the verification returned.
    func step(forSpent response: JSONResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard response.object["mfaPendingCredential"] == nil else { return try await step(for: response, in: flow) }
        let tokens = try tokens(response)
        flow[.unfinishedSession] = tokens.session(of: User(id: tokens.userID ?? ""))
        flow.complete(.proof)
        return try await step(forSpent: try await session(for: tokens), in: flow)
    }

    /// Returns the step for the session that a verification has created.
    ///
    /// The session is kept until the step is available, because the step may need a message.
    private func step(forSpent session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        do {
            let step = try await step(for: session, in: flow)
            flow[.unfinishedSession] = nil
            return step
        } catch {
            if error.code == .userMismatch { flow[.unfinishedSession] = nil }
            throw error
        }
    }

    /// Returns the step of a flow whose verification has succeeded but whose user could not be read; `nil` if no
    /// verification has succeeded.
    func resumed(in flow: FlowMemory) async throws(AuthError) -> AuthStep? {
        guard flow.hasCompleted(.proof), var session = flow[.unfinishedSession] else { return nil }
        if session.lifetime.needsRefresh(on: clock) { session = try await renewed(session) }
        let user = try await user(as: session.accessToken, claims: session.claims)
        guard user.id.exact == session.user.id.exact else { throw ErrorMapping.incomplete("the expected user") }
        session.user = user
        return try await step(forSpent: session, in: flow)
    }

    /// Returns the step of a flow that adds something to the signed-in user, if an earlier verification with a lost
    /// response has added it; otherwise `nil`.
    func added(in flow: FlowMemory, _ isThere: (User) -> Bool) async throws(AuthError) -> AuthStep? {
        guard var session = flow.session else { return nil }
        session.user = try await user(as: session.accessToken, claims: session.claims)
        return isThere(session.user) ? .complete(try await renewed(session)) : nil
    }

    /// Returns the step for a session; if the address is not verified, the session has limited rights.
    func step(for session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        if flow.requiresAnotherUser(than: session) {
            guard flow.flow.kind == .reauthentication else { throw ErrorMapping.incomplete("the expected user") }
            throw .anotherUser
        }
        guard session.user.standing == .unverified, flow.flow.kind != .reauthentication else { return .complete(session) }
        return try await confirmAddress(of: session, in: flow)
    }
}

extension AuthError {
    /// The error if a reauthentication verifies another user than the signed-in one.
    static let anotherUser = AuthError(
        .userMismatch, "The verification belongs to a different user than the signed-in user. The session was not changed.")
}
