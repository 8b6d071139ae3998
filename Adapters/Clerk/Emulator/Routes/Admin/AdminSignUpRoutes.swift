import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/sign_ups/{id}`.
struct AdminSignUpRoutes {
    let context: RequestContext

    func get() throws -> Answer { .resource(try json(try signUp())) }

    /// Sets the id of the sign-up's user in another system; the user gets it when the sign-up is complete.
    func update() throws -> Answer {
        var signUp = try signUp()
        if let flag = try context.fields.flag("custom_action") { signUp.isCustomActionDone = flag }
        if context.fields.has("external_id") {
            let id = try context.fields.text("external_id").flatMap { $0.isEmpty ? nil : $0 }
            if let id, let other = try context.db.find(UserRecord.self, "external_id = \(id)"),
                other.id.exact != signUp.createdUserID?.exact
            {
                throw ClerkError.taken("external_id")
            }
            signUp.externalID = id
            if let userID = signUp.createdUserID, var user = try context.users.find(userID) {
                user.externalID = id
                try context.users.save(&user)
            }
        }
        try context.db.save(signUp)
        return .resource(try json(signUp))
    }

    private func signUp() throws -> SignUpRecord {
        try context.named("id") { try context.db.find(SignUpRecord.self, "id = \($0)") }
    }

    private func json(_ signUp: SignUpRecord) throws -> JSON {
        var json = try context.signUpJSON.signUp(signUp).object ?? [:]
        json["has_password"] = nil
        return .object(json)
    }
}

/// `…/prepare_verification` and `…/attempt_verification` of addresses and numbers: codes that a server requests.
struct AdminVerificationRoutes {
    let context: RequestContext
    let kind: IdentificationRecord.Kind

    /// Sends a code for a separate verification, in addition to that of the address.
    func prepare() throws -> Answer {
        let row = try row()
        let strategy = kind == .email ? "email_code" : "phone_code"
        let address: Identifier = kind == .email ? .email(row.value) : .phone(row.value)
        let proof = try context.proofs.sendCode(strategy, to: address, target: row.id, after: nil)
        let id = context.id(.verification)
        try save(id, row, proof)
        return .resource(json(id, proof))
    }

    /// Checks a code.
    ///
    /// A correct code verifies the address; the response to a wrong or late code contains the status and the attempts.
    ///
    /// - Throws: An error if the code was accepted before.
    func attempt() throws -> Answer {
        var row = try row()
        let id = try context.fields.required("verification_id")
        let code = try context.fields.required("code")
        guard let nonce = try context.db.find(NonceRecord.self, "nonce = \(id) AND kind = 'verification'"),
            nonce.subject?.exact == row.id.exact
        else { throw ClerkError.notFound(id) }
        var proof = nonce.payload["proof"]?.string.flatMap { Verification(.text($0)) }
        let refusal = context.proofs.attempt(&proof, strategy: nil, code: code)
        guard let proof else { throw ClerkError.verificationMissing }
        try save(id, row, proof)
        if let refusal, proof.isVerified { throw refusal }
        if proof.isVerified, !row.isVerified {
            row.verification = proof
            row.isReserved = false
            row.updatedAt = context.now
            try context.db.save(row)
        }
        return .resource(json(id, proof))
    }

    private func save(_ id: String, _ row: IdentificationRecord, _ proof: Verification) throws {
        let payload: JSONObject = ["proof": .text(String(proof.sqliteValue))]
        try context.db.save(
            NonceRecord(
                nonce: id, kind: .verification, subject: row.id, payload: payload, expireAt: context.now + .seconds(86_400)))
    }

    private func row() throws -> IdentificationRecord {
        try context.named("identification_id") {
            try context.db.find(IdentificationRecord.self, "id = \($0) AND kind = \(kind.rawValue)")
        }
    }

    private func json(_ id: String, _ proof: Verification) -> JSON {
        [
            "object": "verification", "id": .string(id), "status": .string(proof.status(at: context.now).rawValue),
            "strategy": .string(proof.strategy), "attempts": .int(Int64(proof.attempts ?? 0)), "expire_at": .time(proof.expireAt),
            "channel": .text(proof.channel),
        ]
    }
}
