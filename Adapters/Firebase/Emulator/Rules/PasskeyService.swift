internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The rules of passkeys: their challenges, and the responses of authenticators.
///
/// Firebase's emulator has passkeys as a mock by credential id. Strict mode verifies them as WebAuthn specifies. A
/// challenge must come from this server, and can be used once, within its minute, by its user. The signature, origin,
/// relying party and count must be correct, and the authenticator must have verified its user.
struct PasskeyService {
    let context: RequestContext

    /// The lifetime of a challenge, which Firebase's emulator returns as `timeout`.
    static let challengeLife: Duration = .seconds(60)
    /// The lifetime of a challenge in milliseconds.
    static let timeout: JSON = 60000

    private var isStrict: Bool { context.isStrict }

    private var party: WebAuthnRelyingParty {
        let settings = context.settings.passkeys
        return WebAuthnRelyingParty(
            id: settings.relyingParty, origins: settings.origins, acceptsApps: true, requiresVerification: true)
    }

    /// Rejects the call if the method is switched off.
    ///
    /// Production's response to a project without passkeys is not documented. This is its response for every other
    /// method.
    func requireOpen() throws(APIError) {
        try context.require(context.rules.methods.contains(.passkey), .operationNotAllowed, "Passkey sign-in is not enabled.")
    }

    /// Returns a challenge for an authenticator, in base64.
    ///
    /// - `user`: The user for whom a passkey is created; `nil` for a sign-in.
    func newChallenge(for user: User?) throws -> JSON {
        let bytes = Array(context.newID(32).utf8)
        if isStrict {
            try context.db.insert(
                PasskeyChallenge(
                    space: context.scope.id, challenge: Base64.encode(bytes, .url), localID: user?.localID, createdAt: context.now
                ))
        }
        return .string(Base64.encode(bytes))
    }

    /// Returns the passkey that an authenticator has created for a user.
    func made(_ response: Body, for user: User) throws -> Passkey {
        let id = try context.require(response.given("id"), .invalidCredentialID)
        let body = context.body
        let name = body.given("name") ?? body.given("displayName") ?? "Unnamed Passkey"
        guard isStrict else {
            try context.require(try context.users.find(passkey: id) == nil, .credentialInUse)
            return Passkey(credentialID: id, name: name)
        }
        let challenge = try take(Self.challenge(in: response), of: user)
        // A challenge is used up after the first response to it, whatever the response is.
        return try APIError.keepingChanges {
            let credential = try context.require(
                WebAuthnResponse(creation: Self.standard(response)).flatMap { party.verify($0, challenge: challenge) },
                .invalidAuthenticatorResponse)
            try context.require(try context.users.find(passkey: credential.id) == nil, .credentialInUse)
            return Passkey(credentialID: credential.id, name: name, credential: credential.json)
        }
    }

    /// Returns the user whose passkey has signed, with the passkey's new count.
    func user(of response: Body) throws -> User {
        let id = try context.require(response.given("id"), .invalidCredentialID)
        guard isStrict else {
            let user = try context.require(try context.users.find(passkey: id), .passkeyNotFound)
            try context.require(user.isDisabled != true, .userDisabled)
            return user
        }
        let challenge = try take(Self.challenge(in: response), of: nil)
        return try APIError.keepingChanges { try user(of: response, to: challenge) }
    }

    private func user(of response: Body, to challenge: String) throws -> User {
        let signed = try context.require(WebAuthnResponse(assertion: Self.standard(response)), .invalidAuthenticatorResponse)
        var user = try context.require(try context.users.find(passkey: signed.id), .passkeyNotFound)
        let place = try context.require(user.passkeys?.firstIndex { $0.credentialID.exact == signed.id.exact }, .passkeyNotFound)
        // The counter of an authenticator never decreases. If it does, another authenticator has its key (WebAuthn,
        // section 7.2).
        guard let known = user.passkeys?[place].credential.flatMap({ WebAuthnCredential($0) }),
            let credential = party.verify(signed, challenge: challenge, against: known, userID: user.localID),
            known.count == 0 || credential.count > known.count
        else { throw APIError.refused(.invalidAuthenticatorResponse) }
        try context.require(user.isDisabled != true, .userDisabled)
        user.passkeys?[place].credential = credential.json
        return user
    }

    /// Uses a challenge up.
    private func take(_ challenge: String?, of user: User?) throws -> String {
        let challenge = try context.require(challenge, .invalidAuthenticatorResponse)
        let answered: SQL = "space = \(context.scope.id) AND challenge = \(challenge)"
        let given = try context.require(
            try context.db.find(PasskeyChallenge.self, "\(answered) AND local_id IS \((user?.localID).sqliteValue)"),
            .invalidAuthenticatorResponse)
        try context.db.delete(PasskeyChallenge.self, answered)
        guard context.now - given.createdAt <= Self.challengeLife else {
            throw APIError.refused(.invalidAuthenticatorResponse).keepingChanges
        }
        return challenge
    }

    /// Returns the challenge in an authenticator's response.
    private static func challenge(in response: Body) -> String? {
        guard let text = standard(response)["response"]?["clientDataJSON"]?.string, let bytes = Base64.decode(text, .url),
            let client = try? JSON.parse(bytes)
        else { return nil }
        return client["challenge"]?.string
    }

    /// Returns an authenticator's response in the JSON of browsers.
    ///
    /// The SDK for iOS sends no type. For Google's services, both alphabets of base64 mean the same bytes
    /// (https://protobuf.dev/programming-guides/json).
    private static func standard(_ response: Body) -> JSON {
        func text(_ value: JSON) -> JSON {
            guard let text = value.string else { return value }
            let bytes = Base64.decode(text.replacing("+", with: "-").replacing("/", with: "_"), .url)
            return .string(bytes.map { Base64.encode($0, .url) } ?? text)
        }
        var members: JSONObject = ["type": "public-key"]
        members["id"] = response.members["id"].map(text)
        members["response"] = .object(
            JSONObject((response.nested("response")?.members ?? [:]).map { ($0.name, text($0.value)) }))
        return .object(members)
    }
}
