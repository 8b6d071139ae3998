import LockstepPrimitives

/// `/v1/me/passkeys`, and sign-ins by passkey.
struct PasskeyRoutes {
    let context: RequestContext

    func create() throws -> Answer {
        return .resource(context.passkeys.json(try context.passkeys.make(for: try context.user)))
    }

    func attempt() throws -> Answer {
        var record = try record()
        if let strategy = context.form.text("strategy"), strategy != "passkey" {
            throw ClerkError.invalidValue("strategy", String(strategy.prefix(60)))
        }
        try context.passkeys.prove(&record, try Self.credential(context))
        return .resource(context.passkeys.json(record))
    }

    func get() throws -> Answer { .resource(context.passkeys.json(try record())) }

    func rename() throws -> Answer {
        var record = try record()
        if let name = try context.form.personName("name") {
            record.name = name ?? "Passkey"
            record.updatedAt = context.now
            try context.db.save(record)
        }
        return .resource(context.passkeys.json(record))
    }

    func delete() throws -> Answer {
        let record = try record(of: try context.user)
        try context.db.run("DELETE FROM passkeys WHERE id = \(record.id)")
        return .resource(["object": "passkey", "id": .string(record.id), "deleted": true])
    }

    /// Begins a sign-in with a passkey.
    ///
    /// The authenticator will identify the user.
    func beginSignIn() throws -> Answer {
        let service = context.signIns
        var signIn = try service.make()
        signIn.first = try context.passkeys.request()
        signIn.status = .needsFirstFactor
        try service.keep(signIn)
        return .resource(try context.signInJSON.signIn(signIn))
    }

    /// Ends the sign-in: a passkey is sufficient, even if the user has a second factor.
    func finishSignIn(_ signIn: inout SignInRecord) throws {
        var user = try context.passkeys.user(of: try Self.credential(context), to: signIn.first)
        guard signIn.userID == nil || signIn.userID?.exact == user.id.exact else { throw ClerkError.passkeyFailed }
        try context.lockout.check(user)
        let service = context.signIns
        try service.checkRoom(for: user)
        signIn.userID = user.id
        signIn.first?.status = .verified
        signIn.first?.code = nil
        try service.complete(&signIn, &user)
    }

    /// Returns the verification of a session with a passkey of its user.
    func proof(of user: UserRecord, to asked: Verification?) throws -> Verification {
        guard var proof = asked, proof.strategy == "passkey" else { throw ClerkError.verificationMissing }
        guard try context.passkeys.user(of: try Self.credential(context), to: proof).id.exact == user.id.exact else {
            throw ClerkError.passkeyFailed
        }
        proof.status = .verified
        proof.code = nil
        return proof
    }

    /// Returns an authenticator's response, which is JSON in one field.
    private static func credential(_ context: RequestContext) throws -> JSON {
        let text = try context.form.required("public_key_credential")
        guard let json = try? JSON.parse(text), json.object != nil else { throw ClerkError.badPasskeyCredential }
        return json
    }

    private func record() throws -> PasskeyRecord { try record(of: try context.user) }

    private func record(of user: UserRecord) throws -> PasskeyRecord {
        try context.named("passkey_id") { try context.db.find(PasskeyRecord.self, "id = \($0) AND user_id = \(user.id)") }
    }
}
