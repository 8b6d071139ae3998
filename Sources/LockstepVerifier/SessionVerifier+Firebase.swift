internal import Lockstep
public import LockstepHTTP
internal import LockstepTokens
internal import LockstepWire

extension SessionVerifier {
    /// Creates a verifier for the ID tokens of a Firebase project.
    ///
    /// Google signs the tokens with RS256, and uses the same keys for all projects. So only the issuer and the audience
    /// show which project a token belongs to (https://firebase.google.com/docs/auth/admin/verify-id-tokens). Firebase's
    /// own emulator does not sign its tokens, so the verifier rejects them. `lockstep serve firebase --mode strict`
    /// signs its tokens.
    ///
    /// ```swift
    /// let verifier = try SessionVerifier.firebase(project: "orders-1a2b3", transport: CurlTransport())
    /// print(try await verifier.verify(token).userID)
    /// ```
    ///
    /// - Parameters:
    ///   - project: The project id, such as `orders-1a2b3`.
    ///   - tenant: The tenant of the users that the verifier accepts. If it is `nil`, the verifier rejects tokens of tenants.
    ///   - requiresVerifiedEmail: Whether the verifier rejects the token of a user who has signed in with a password, an
    ///     emailed link or a passkey, has an unverified email address, and has no other identity such as a phone number.
    ///     Anyone can sign up with another person's address. Default: yes.
    ///   - url: The URL of an emulator in strict mode, such as `http://127.0.0.1:9099`. Default: Google's own servers.
    ///   - check: The request that the verifier sends to the backend for each token. Default: none.
    ///   - transport: The transport that sends all requests.
    ///   - clock: The clock that decides whether a token is expired.
    /// - Returns: The verifier.
    /// - Throws: `invalidConfiguration` if a value is invalid; the message names the value.
    public static func firebase(
        project: String, tenant: String? = nil, requiresVerifiedEmail: Bool = true, url: String? = nil,
        check: Check = .untilExpiry,
        transport: some HTTPTransport, clock: any DeviceClock = SystemClock()
    ) throws(AuthError) -> SessionVerifier {
        try checkID(project)
        guard tenant?.isEmpty != true else {
            throw AuthError(.invalidConfiguration, "The tenant's id is empty. Omit it if the project has no tenants.")
        }
        let servers = ["identitytoolkit.googleapis.com", "www.googleapis.com"]
        let base = try BackendAddress.relay(url, for: servers, called: "emulator's address").map { $0.url + "/" } ?? "https://"
        let keys = base + "www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
        let lookup = base + "identitytoolkit.googleapis.com/v1/accounts:lookup"
        return SessionVerifier(
            Project(
                keys: .published(RemoteKeySet(at: keys, over: transport, clock: clock)),
                rules: TokenRules(
                    issuers: ["https://securetoken.google.com/\(project)"], audiences: [project], leeway: leeway,
                    requiredClaims: ["sub", "iat", "auth_time"]),
                clock: clock,
                read: { token throws(TokenError) in
                    let session = try VerifiedSession(firebase: token, tenant: tenant, now: clock.now)
                    guard !requiresVerifiedEmail || !session.isOfUnverifiedEmail else { throw .emailUnverified }
                    return session
                },
                question: try check.question(by: clock) { key in
                    firebaseQuestion(lookup, key, SessionQuestion(transport: transport))
                }))
    }

    private static func checkID(_ project: String) throws(AuthError) {
        guard !project.isEmpty else {
            throw AuthError(
                .invalidConfiguration,
                "The project's id is empty. Copy it from the project's settings; it looks like \"orders-1a2b3\".")
        }
        let isID = project.utf8.allSatisfy { unit in
            switch unit {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-.:".utf8.contains(unit)
            }
        }
        guard isID else {
            throw AuthError(
                .invalidConfiguration,
                "Invalid value \(project.debugDescription) for the project's id: expected letters, digits, \"-\", \".\" and \":\". "
                    + "Copy the id, not the name, from the project's settings; it looks like \"orders-1a2b3\".")
        }
    }

    /// Returns the request to `accounts:lookup`, which rejects a token if the user's tokens were revoked after it was issued.
    private static func firebaseQuestion(_ url: String, _ key: Secret, _ question: SessionQuestion) -> Question {
        { token, session throws(TokenError) in
            let (status, body) = try await question.send(
                HTTPRequest(
                    .post, url, headers: ["X-Goog-Api-Key": key.reveal()],
                    body: .json(["idToken": .string(token.reveal())])))
            guard status == 200, let user = body["users"]?[0] else {
                // In the message, a sentence may follow the code.
                let code = body["error"]?["message"]?.string?.prefix { $0 != " " && $0 != ":" } ?? ""
                guard ["TOKEN_EXPIRED", "USER_DISABLED", "USER_NOT_FOUND", "INVALID_ID_TOKEN"].contains(code) else {
                    throw .unknown("status \(status)")
                }
                throw .ended
            }
            // After a password change, new tokens still have the old time of sign-in. So the check compares the token's time of issue.
            guard let validSince = seconds(user["validSince"]) else { throw .unknown("validSince is not a time in seconds") }
            guard user["localId"]?.string == session.userID, user["disabled"]?.bool != true,
                let issued = Instant(numericDate: session.claims["iat"]),
                issued >= validSince
            else { throw .ended }
        }
    }
}

/// Reads a time in seconds, which Google's APIs write as text.
///
/// If the user has no such time, the result is 1970.
private func seconds(_ value: JSON?) -> Instant? {
    guard let value else { return Instant(seconds: 0) }
    return (value.int ?? value.string.flatMap { Int64($0) }).map { Instant(seconds: $0) }
}

extension VerifiedSession {
    fileprivate init(firebase token: VerifiedToken, tenant: String?, now: Instant) throws(TokenError) {
        try self.init(token)
        let details = claims["firebase"]
        guard details?["tenant"]?.string == tenant else {
            throw TokenError(.wrongAudience, "The token belongs to a different tenant than this server.")
        }
        guard let time = Instant(signInDate: claims["auth_time"]), time <= now + SessionVerifier.leeway else {
            throw .invalid("auth_time")
        }
        signedInAt = time
        email = claims["email"]?.string
        isEmailVerified = claims["email_verified"]?.bool ?? false
        phone = claims["phone_number"]?.string
        isAnonymous = details?["sign_in_provider"]?.string == "anonymous"
        hasSecondFactor = details?["sign_in_second_factor"]?.string != nil
    }

    /// Whether only an unverified email address shows who the user is.
    ///
    /// The claim `sign_in_provider` is `password` after a sign-in by an emailed link, too. `identities` lists the address,
    /// the phone number and the accounts of identity providers
    /// (https://firebase.google.com/docs/rules/rules-and-auth#leverage_user_information_in_rules). An administrator
    /// vouches for the user of a custom token.
    fileprivate var isOfUnverifiedEmail: Bool {
        let details = claims["firebase"]
        guard email != nil, isEmailVerified == false, let way = details?["sign_in_provider"]?.string,
            ["password", "emailLink", "passkey"].contains(way)
        else { return false }
        return details?["identities"]?.object?.names.contains { $0 != "email" } != true
    }
}
