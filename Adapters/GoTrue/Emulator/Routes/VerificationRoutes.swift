internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The routes for links and codes that were sent.
struct VerificationRoutes {
    let context: RequestContext

    static let body = BodySchema.go(
        "VerifyParams",
        ["type": .text, "token": .text, "token_hash": .text, "email": .text, "phone": .text, "redirect_to": .text])

    /// Handles `POST /verify`.
    func verify() throws -> EmulatorResponse {
        try context.limits.admit(.verify)
        var proof = try proof(context.body)
        let found =
            try proof.token.isEmpty ? context.verification.user(byLink: &proof) : context.verification.user(byCode: &proof)
        guard var user = try context.verification.accept(proof, by: found) else {
            return .go(["msg": .string(Verification.halfConfirmed), "code": "200"] as JSONObject)
        }
        return .go(try context.sessions.open(for: &user, by: .otp).json)
    }

    private func proof(_ body: Body) throws -> SentProof {
        var proof = SentProof(type: body[text: "type"])
        guard !proof.type.isEmpty else { throw GoTrueError.invalid("Verify requires a verification type") }
        let token = body[text: "token"]
        let hash = body[text: "token_hash"]
        guard token.isEmpty != hash.isEmpty else { throw GoTrueError.invalid("Verify requires either a token or a token hash") }
        let email = body[text: "email"]
        let phone = body[text: "phone"]
        if token.isEmpty {
            guard email.isEmpty, phone.isEmpty, body[text: "redirect_to"].isEmpty else {
                throw GoTrueError.invalid("Only the token_hash and type should be provided")
            }
            proof.hash = hash
            return proof
        }
        guard email.isEmpty != phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided on verify")
        }
        proof.token = token
        if phone.isEmpty {
            do {
                proof.email = try Address.email(email)
            } catch {
                throw GoTrueError.malformedEmail
            }
        } else {
            proof.phone = try Address.phone(phone)
        }
        return proof
    }

    /// Handles `GET /verify`: a person has opened the link of an email.
    func followLink() throws -> EmulatorResponse {
        try context.limits.admit(.verify)
        let type = context.request.query["type"] ?? ""
        let token = context.request.query["token"] ?? ""
        guard !type.isEmpty else { throw GoTrueError.invalid("Verify requires a verification type") }
        guard !token.isEmpty else { throw GoTrueError.invalid("Verify requires a token or a token hash") }
        let target = context.target
        let isProof = token.hasPrefix(CodeHash.proofPrefix)
        var method: AuthenticationMethod?
        if isProof {
            method = AuthenticationMethod(linkType: type)
            guard method != nil else { throw GoTrueError.unhandled }
        }
        do {
            return .goRedirect(try location(SentProof(type: type, hash: token), target, method), status: 303)
        } catch let error as GoTrueError {
            if case .unhandled = error.form { throw error }
            throw Redirected(
                error: error, location: RedirectResponses.linkError(error, at: target, isProof: isProof), status: 303)
        }
    }

    private func location(_ sent: SentProof, _ target: String, _ method: AuthenticationMethod?) throws -> String {
        var proof = sent
        let found = try context.verification.user(byLink: &proof)
        guard var user = try context.verification.accept(proof, by: found) else {
            return RedirectResponses.message(Verification.halfConfirmed, at: target, isProof: method != nil)
        }
        if let method {
            guard var flow = try context.db.flow(of: user.id, method), let code = flow.code else {
                throw GoTrueError.flowOfLinkNotFound
            }
            flow.codeIssuedAt = context.now
            try context.db.update(flow)
            return RedirectResponses.code(code, at: target)
        }
        let session = try context.sessions.open(for: &user, by: .otp)
        return RedirectResponses.session(session, at: target, extra: [("type", proof.type)])
    }
}
