internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The rules of passkeys: their creation, verification and use.
struct Passkeys {
    let context: RequestContext

    /// The maximum number of passkeys of one user (Clerk's own limit).
    static let limit = 10

    private var rules: PasskeyRules { context.settings.passkeys }
    private var party: WebAuthnRelyingParty {
        WebAuthnRelyingParty(
            id: rules.relyingParty, origins: rules.origins, acceptsApps: true, requiresVerification: true)
    }

    /// Returns the verified passkeys of a user, the oldest first.
    func of(_ userID: String) throws -> [PasskeyRecord] {
        try context.db.all(
            PasskeyRecord.self, "user_id = \(userID) AND credential_id IS NOT NULL ORDER BY created_at, rowid")
    }

    /// Creates a passkey with options for an authenticator, which becomes active after its first verification.
    func make(for user: UserRecord) throws -> PasskeyRecord {
        guard rules.isEnabled else { throw ClerkError.featureNotEnabled }
        let known = try of(user.id)
        if known.count >= Self.limit { throw ClerkError.passkeyQuota(Self.limit) }
        let name = try context.userJSON.publicData(user)["identifier"]?.string ?? user.id
        let challenge = newChallenge()
        let options: JSON = [
            "rp": ["id": .string(rules.relyingParty), "name": .string(context.settings.applicationName)],
            "user": [
                "id": .string(Base64.encode(Array(user.id.utf8), .url)), "name": .string(name), "displayName": .string(name),
            ],
            "challenge": .string(challenge),
            "pubKeyCredParams": .array([-7, -8, -257].map { ["type": "public-key", "alg": .int($0)] }), "timeout": 60_000,
            "excludeCredentials": .array(known.compactMap(\.credentialID).map { ["type": "public-key", "id": .string($0)] }),
            "authenticatorSelection": [
                "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
            ], "attestation": "none", "extensions": [:],
        ]
        let record = PasskeyRecord(
            id: context.id(.passkey), userID: user.id, name: "Passkey",
            verification: proof(options, challenge), createdAt: context.now, updatedAt: context.now)
        try context.db.save(record)
        return record
    }

    /// Checks an authenticator's response to the options of ``make(for:)``.
    func prove(_ record: inout PasskeyRecord, _ answer: JSON) throws {
        guard let proof = record.verification, let challenge = proof.code else { throw ClerkError.verificationMissing }
        if proof.isVerified { throw ClerkError.alreadyVerified }
        if proof.status(at: context.now) == .expired { throw ClerkError.verificationExpired }
        guard let response = WebAuthnResponse(creation: answer) else { throw ClerkError.badPasskeyCredential }
        guard let credential = party.verify(response, challenge: challenge) else { throw ClerkError.badPasskeyNonce }
        if try context.db.count(PasskeyRecord.self, "credential_id = \(credential.id)") > 0 {
            throw ClerkError.badPasskeyCredential
        }
        record.credentialID = credential.id
        record.credential = credential.json
        record.verification?.status = .verified
        record.verification?.code = nil
        record.verification?.nonce = nil
        record.updatedAt = context.now
        try context.db.save(record)
    }

    /// Returns a verification that waits for an authenticator's response, of any user or of the given one.
    func request(of userID: String? = nil) throws -> Verification {
        guard rules.isEnabled else { throw ClerkError.disabledStrategy("passkey") }
        let challenge = newChallenge()
        let known = try userID.map { try of($0).compactMap(\.credentialID) } ?? []
        if userID != nil, known.isEmpty { throw ClerkError.strategyInvalidForUser }
        return proof(
            [
                "challenge": .string(challenge), "timeout": 60_000, "rpId": .string(rules.relyingParty),
                "allowCredentials": .array(known.map { ["type": "public-key", "id": .string($0)] }),
                "userVerification": "required",
            ], challenge)
    }

    /// Returns the user of an authenticator's response to the options of ``request(of:)``, and stores the use of the
    /// passkey.
    func user(of answer: JSON, to proof: Verification?) throws -> UserRecord {
        guard let proof, proof.strategy == "passkey", let challenge = proof.code else { throw ClerkError.verificationMissing }
        if proof.status(at: context.now) == .expired { throw ClerkError.verificationExpired }
        guard let response = WebAuthnResponse(assertion: answer) else { throw ClerkError.badPasskeyCredential }
        guard var record = try context.db.find(PasskeyRecord.self, "credential_id = \(response.id)"),
            let known = record.credential.flatMap({ WebAuthnCredential($0) }),
            let user = try context.users.find(record.userID)
        else { throw ClerkError.passkeyNotRegistered }
        guard let credential = party.verify(response, challenge: challenge, against: known, userID: user.id) else {
            throw ClerkError.passkeyFailed
        }
        // The counter of an authenticator never decreases. If it does, another authenticator has its key (WebAuthn,
        // section 7.2).
        guard known.count == 0 || credential.count > known.count else { throw ClerkError.passkeyFailed }
        record.credential = credential.json
        record.lastUsedAt = context.now
        try context.db.save(record)
        return user
    }

    func json(_ record: PasskeyRecord, isPrivate: Bool = false) -> JSON {
        var json: JSONObject = [
            "object": "passkey", "id": .string(record.id), "name": .string(record.name),
            "last_used_at": .time(record.lastUsedAt ?? (isPrivate ? record.createdAt : nil)),
            "verification": record.verification?.json(at: context.now) ?? .null,
        ]
        if !isPrivate {
            json["created_at"] = .time(record.createdAt)
            json["updated_at"] = .time(record.updatedAt)
        }
        return .object(json)
    }

    private func newChallenge() -> String {
        context.nextID(of: "challenge") { Base64.encode($0.bytes(32), .url) }
    }

    private func proof(_ options: JSON, _ challenge: String) -> Verification {
        var proof = Verification(object: "verification_passkey", strategy: "passkey")
        proof.expireAt = context.now + .seconds(300)
        proof.nonce = options.text()
        proof.code = challenge
        return proof
    }
}
