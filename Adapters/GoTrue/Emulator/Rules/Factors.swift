internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The rules of second factors.
struct Factors {
    let context: RequestContext

    /// Rejects the enrollment of a kind that the settings disable.
    func requireEnrollment(_ kind: Factor.Kind) throws(GoTrueError) {
        let (use, code, name) = use(of: kind)
        guard use.mayEnroll else { throw .enrollmentDisabled(code, name) }
    }

    /// Rejects the verification of a kind that the settings disable.
    ///
    /// - Parameters:
    ///   - isAnswer: Whether the request is the response to a challenge. For security keys, the real server then mixes
    ///     up the error codes.
    /// - Throws: `GoTrueError`.
    func requireVerification(_ kind: Factor.Kind, isAnswer: Bool = false) throws(GoTrueError) {
        let (use, code, name) = use(of: kind)
        guard use.mayVerify else {
            let verb = isAnswer && kind == .webAuthn ? "enroll" : "verify"
            throw .verificationDisabled(code, verb, name)
        }
    }

    private func use(of kind: Factor.Kind) -> (FactorSettings.Kind, code: String, name: String) {
        let settings = context.settings.factors
        return switch kind {
        case .totp: (settings.totp, "totp", "TOTP")
        case .phone: (settings.phone, "phone", "Phone")
        case .webAuthn: (settings.webAuthn, "webauthn", "WebAuthn")
        }
    }

    /// Returns the factor in the path, which must belong to the user.
    func factorOfPath(_ user: User) throws(GoTrueError) -> Factor {
        let id = try context.pathID("factor_id")
        guard let factor = user.factors.first(where: { $0.id.exact == id.exact }) else { throw GoTrueError.factorNotFound }
        return factor
    }

    /// Creates the row of a new factor.
    func create(_ factor: Factor) throws {
        do {
            try context.db.insert(factor)
        } catch  where error.isDuplicate {
            throw GoTrueError.factorNameTaken(factor.name)
        }
    }

    /// Permanently deletes abandoned factors, and checks the limit.
    func makeRoom(for factor: Factor, _ user: inout User) throws {
        let rules = context.settings.factors
        let end = context.now - rules.unverifiedLife
        for old in user.factors where !old.isVerified && old.createdAt < end {
            try context.db.delete(Factor.self, "id = \(old.id)")
        }
        user.factors = try context.db.factors(of: user.id)
        if factor.kind == .phone {
            for old in user.factors where old.kind == .phone && old.phone == factor.phone {
                guard !old.isVerified else { throw GoTrueError.phoneFactorExists }
                try context.db.delete(Factor.self, "id = \(old.id)")
            }
            user.factors = try context.db.factors(of: user.id)
        }
        if user.factors.contains(where: { $0.name == factor.name }) { throw GoTrueError.factorNameTaken(factor.name).kept }
        let verified = user.factors.count { $0.isVerified }
        guard user.factors.count < rules.maximumEnrolled, verified < rules.maximumVerified else {
            throw GoTrueError.tooManyFactors.kept
        }
        if verified > 0, context.session?.isSecondFactor != true { throw GoTrueError.secondFactorToEnroll.kept }
    }

    /// Rejects an SMS that comes too soon.
    func waitForInterval(since sentAt: Instant?) throws(GoTrueError) {
        let interval = context.settings.factors.phoneInterval
        guard let sentAt, interval > .milliseconds(1), sentAt + interval > context.now else { return }
        throw .textTooSoon(sentAt + interval - context.now)
    }

    /// Returns the open challenge of a factor.
    func challenge(_ id: String, of factor: Factor) throws -> FactorChallenge {
        let found = try context.db.find(FactorChallenge.self, "id = \(id) AND factor_id = \(factor.id)")
        guard let challenge = found else { throw GoTrueError.challengeNotFound }
        guard challenge.verifiedAt == nil, challenge.address == context.callerAddress else {
            throw GoTrueError.challengeAddressMismatch
        }
        guard context.now < challenge.createdAt + context.settings.factors.challengeLife else {
            try context.db.delete(FactorChallenge.self, "id = \(challenge.id)")
            throw GoTrueError.challengeExpired(challenge.id).kept
        }
        return challenge
    }

    /// Returns whether a code is correct for an authenticator app or a challenge.
    func isRight(_ code: String, _ factor: Factor, _ challenge: FactorChallenge) -> Bool {
        guard factor.kind == .phone else {
            let bare = String(code.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
            return TOTP(secret: factor.secret ?? "").accepts(bare, at: context.now)
        }
        return challenge.code.map { ConstantTime.areEqual(code, $0) } ?? false
    }

    /// Checks the response of a security key, and uses up its challenge.
    func checkCredential(_ answer: Body?, ofChallenge id: String, _ factor: inout Factor) throws {
        guard let answer else { throw GoTrueError.invalid("WebAuthn config required") }
        let type = answer[text: "type"]
        guard type == "create" || type == "request" else { throw GoTrueError.invalid("WebAuthn type must be create or request") }
        guard let sent = answer["credential_response"] else { throw GoTrueError.invalid("credential_response required") }
        let challenge = try challenge(id, of: factor)
        let party = WebAuthnCeremony(settings: context.settings.passkeys).relyingParty
        let expected = challenge.webAuthnChallenge ?? ""
        let read = type == "create" ? WebAuthnResponse(creation: sent) : WebAuthnResponse(assertion: sent)
        guard let response = read else { throw GoTrueError.invalid("Invalid credential_response") }
        if type == "create" {
            guard let credential = party.verify(response, challenge: expected) else { throw GoTrueError.unhandled }
            if !factor.isVerified {
                factor.credential = credential.json
                factor.aaguid = UUIDText.normal(Hex.encode(credential.aaguid))
            }
        } else {
            guard let known = factor.credential.flatMap({ WebAuthnCredential($0) }),
                party.verify(response, challenge: expected, against: known, userID: factor.userID) != nil
            else { throw GoTrueError.failure("Failed to validate WebAuthn MFA response") }
        }
        factor.challengeData = [
            "challenge": ["challenge": .string(expected)], "type": .string(type),
            "credential_response": ["ID": sent["id"] ?? "", "type": "public-key"],
        ]
        try context.db.delete(FactorChallenge.self, "id = \(challenge.id)")
    }

    /// Raises the session's assurance level, and ends the user's weaker sessions.
    func stepUp(_ user: inout User, by factor: Factor) throws -> IssuedSession {
        guard let known = context.session else { throw GoTrueError.unhandled }
        try context.db.addProof(factor.kind.method, to: known.id, at: context.now)
        guard var session = try context.db.session(id: known.id) else { throw GoTrueError.unhandled }
        session.level = "aal2"
        session.factorID = factor.id
        session.updatedAt = context.now
        user.factors = try context.db.factors(of: user.id)
        let refreshToken: String
        if let counter = session.refreshCounter {
            // Adds two, so that the previous token is not the direct predecessor of this one.
            session.refreshCounter = counter + 2
            session.refreshedAt = context.now
            refreshToken = try SignedRefreshToken(sessionID: session.id, counter: counter + 2).text(key: session.refreshKey)
        } else {
            refreshToken = context.sessions.newRefreshToken()
            // The real server does not handle a session whose tokens were all revoked.
            guard let parent = try context.db.oldestRefreshToken(of: session.id) else { throw GoTrueError.unhandled }
            try context.auditLog.record(.tokenRevoked, user)
            try context.db.insertRefreshToken(refreshToken, parent: parent, session: session, at: context.now)
            user.updatedAt = context.now
        }
        try context.db.update(session)
        let issued = try context.sessions.issue(refreshToken, of: session, to: user, by: factor.kind.method, isAnnounced: false)
        try context.db.delete(Session.self, "user_id = \(user.id) AND id != \(session.id) AND aal = 'aal1'")
        try context.db.delete(Factor.self, "user_id = \(user.id) AND factor_type = \(factor.kind) AND status = 'unverified'")
        return issued
    }
}
