internal import Lockstep
internal import LockstepPrimitives

/// The second factors that users add, and their backup codes.
extension InMemoryBackend {
    func factors(_ access: Secret) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        try await exchange(.user) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            return (session.userID, backend.accounts[session.userID]?.factors?.choices ?? [])
        }
    }

    /// Begins to add an authenticator app, or a phone, which gets a code.
    ///
    /// - Returns: The handle for the first code, and the key for the app.
    func beginFactor(
        _ access: Secret, label: String?, phone: String?
    ) async throws(AuthError) -> (handle: Secret, key: Secret) {
        try await exchange(.change, sends: phone != nil) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            let factors = backend.accounts[session.userID]?.factors
            let apps = factors?.apps ?? []
            let isOne = backend.settings.behavior.authenticatorApps == .one
            let isThere =
                phone == nil
                ? apps.contains { $0.label == label && label != nil } || isOne && !apps.isEmpty : factors?.phone != nil
            guard !isThere else {
                throw AuthError(
                    .invalidInput,
                    "The user already has a phone, or an app with this name. Remove it first, or choose another name.",
                    provider: ProviderDetail(code: "factor_exists", status: 422))
            }
            let (handle, key) = (backend.secret(), backend.secret())
            let code = phone.map(backend.sendCode) ?? Secret(backend.randomness.text(6, of: "0123456789"))
            if phone == nil { backend.factorCodes[key] = code }
            let app = InMemoryApp(id: "app-" + backend.randomness.text(8), label: label, code: code)
            backend.newFactors[handle] = InMemoryNewFactor(
                sessionID: session.id, app: app, phone: phone, sentAt: backend.clock.now)
            return (handle, key)
        }
    }

    func give(firstCode code: Secret, to handle: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.other) { backend throws(AuthError) in
            guard let factor = backend.newFactors[handle], let session = backend.sessions[factor.sessionID], !session.isOver
            else {
                throw backend.noSuchFlow
            }
            guard factor.app.code == code else { throw backend.wrongCode }
            backend.newFactors[handle] = nil
            backend.change(session.userID) { account in
                var factors = account.factors ?? InMemoryFactors()
                if let phone = factor.phone { factors.phone = phone } else { factors.apps.append(factor.app) }
                account.factors = factors
            }
            if backend.settings.behavior.addedFactor == .countsAtOnce { backend.sessions[session.id]?.assurance = .twoFactors }
            return .granted(try backend.grant(session.id), device: backend.secret())
        }
    }

    func removeFactor(_ factor: FactorChoice, of access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            guard backend.accounts[session.userID]?.factors?.choices.contains(where: { $0.id == factor.id }) == true else {
                throw AuthError(
                    .invalidInput, "The user does not have this second factor.",
                    provider: ProviderDetail(code: "no_such_factor", status: 404))
            }
            backend.change(session.userID) { account in
                if factor.kind == .phone { account.factors?.phone = nil }
                account.factors?.apps.removeAll { $0.id == factor.id }
                // Backup codes can replace a factor, but are not factors.
                if account.factors?.choices.isEmpty == true { account.factors = nil }
            }
            return try backend.grant(session.id)
        }
    }

    /// Sends another first code to a phone that is being added.
    ///
    /// - Returns: the masked number.
    func sendFirstCode(to handle: Secret) async throws(AuthError) -> String {
        try await exchange(.other, sends: true) { backend throws(AuthError) in
            guard var factor = backend.newFactors[handle], let phone = factor.phone else { throw backend.noSuchFlow }
            try backend.refuseTooEarly(factor.sentAt)
            (factor.app.code, factor.sentAt) = (backend.sendCode(to: phone), backend.clock.now)
            backend.newFactors[handle] = factor
            return PhoneCodeCredential.masked(phone)
        }
    }

    func renewBackupCodes(_ access: Secret) async throws(AuthError) -> [Secret] {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            guard backend.accounts[session.userID]?.factors != nil else {
                throw AuthError(
                    .secondFactorRequired, "Backup codes require a second factor. Add a second factor first.",
                    provider: ProviderDetail(code: "no_second_factor", status: 422))
            }
            let codes = (0..<8).map { _ in Secret(backend.randomness.text(10)) }
            backend.change(session.userID) { $0.factors?.backupCodes = Set(codes) }
            return codes
        }
    }
}

extension InMemoryFactors {
    /// The factors without the backup codes.
    var choices: [FactorChoice] {
        apps.map { FactorChoice(id: $0.id, kind: .authenticatorApp, label: $0.label) }
            + (phone.map { [FactorChoice(id: "phone", kind: .phone, label: PhoneCodeCredential.masked($0))] } ?? [])
    }
}
