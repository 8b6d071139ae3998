public import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTokens

extension TestBackend {
    /// Creates a backend that acts as a Firebase project.
    ///
    /// ```swift
    /// let backend = try TestBackend.firebase(project: "orders-1a2b3")
    /// let verifier = try SessionVerifier.firebase(project: "orders-1a2b3", transport: backend)
    /// print(try await verifier.verify(backend.token(for: TestUser("user-1"))).userID)
    /// ```
    ///
    /// - Parameters:
    ///   - project: The project id, the same as in the verifier.
    ///   - tenant: The tenant of the users, the same as in the verifier. Default: none.
    ///   - key: The key that signs the tokens. Default: a new RSA key, which takes up to 300 ms.
    ///   - clock: The clock for the dates in the tokens, the same as in the verifier.
    ///   - randomness: The source of randomness for ids.
    /// - Throws: `invalidConfiguration` if libcrypto cannot make a key.
    public static func firebase(
        project: String, tenant: String? = nil, signedBy key: SigningKey? = nil, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) throws(AuthError) -> TestBackend {
        try TestBackend(
            FirebaseWire(project: project, tenant: tenant), key: key, or: { () throws(TokenError) in try .makeRSA(id: "test") },
            clock: clock, randomness: randomness)
    }
}

private struct FirebaseWire: TestWire {
    let project: String
    let tenant: String?
    let life = Duration.seconds(3600)

    /// Creates an id for a session.
    ///
    /// Firebase's tokens contain none, but the test backend must distinguish sessions.
    func newSessionID(_ randomness: any Randomness) -> String { randomness.uuid() }

    /// Returns the claims that https://firebase.google.com/docs/auth/admin/verify-id-tokens lists, and the other claims
    /// of Firebase's tokens.
    func claims(of user: TestUser, session: String, now: Instant) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string("https://securetoken.google.com/\(project)"), "aud": .string(project),
            "auth_time": .int((now - user.signInAge).seconds), "user_id": .string(user.id), "sub": .string(user.id),
        ]
        var identities: JSONObject = [:]
        if let email = user.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(user.isEmailVerified)
            identities["email"] = [.string(email)]
        }
        if let phone = user.phone {
            claims["phone_number"] = .string(phone)
            identities["phone"] = [.string(phone)]
        }
        if user.isAnonymous { claims["provider_id"] = "anonymous" }
        let method = user.isAnonymous ? "anonymous" : user.email == nil && user.phone != nil ? "phone" : "password"
        var firebase: JSONObject = ["identities": .object(identities), "sign_in_provider": .string(method)]
        if user.hasSecondFactor {
            firebase["sign_in_second_factor"] = "totp"
            firebase["second_factor_identifier"] = .string(session)
        }
        firebase["tenant"] = tenant.map(JSON.string)
        claims["firebase"] = .object(firebase)
        return claims
    }

    func question(_ request: HTTPRequest) -> TestBackend.Question? {
        switch request.url {
        case "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com": .keys
        case "https://identitytoolkit.googleapis.com/v1/accounts:lookup":
            .token((try? JSON.parse(request.body.bytes))?["idToken"]?.string ?? "")
        default: nil
        }
    }

    func answer(_ session: TestBackend.Session?) -> HTTPResponse {
        guard let session, !session.isEnded else {
            let code: JSON = session == nil ? "INVALID_ID_TOKEN" : "TOKEN_EXPIRED"
            return HTTPResponse(
                400, ["error": ["code": 400, "message": code, "errors": [["message": code, "domain": "global"]]]])
        }
        return HTTPResponse(
            200, ["kind": "identitytoolkit#GetAccountInfoResponse", "users": [["localId": .string(session.userID)]]])
    }
}
