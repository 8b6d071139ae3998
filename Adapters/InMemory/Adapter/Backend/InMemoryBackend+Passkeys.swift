internal import Lockstep
internal import LockstepPrimitives

/// The passkeys that users add, rename, remove, and use to sign in.
extension InMemoryBackend {
    func beginPasskey(addingTo access: Secret?) async throws(AuthError) -> JSON {
        try await exchange(.signIn) { backend throws(AuthError) in
            try backend.refuseIfOff(.passkey)
            let challenge = backend.secret()
            let sessionID: String? = if let access { try backend.session(of: access).id } else { nil }
            backend.passkeyChallenges[challenge] = InMemoryPasskeyChallenge(sessionID: sessionID, startedAt: backend.clock.now)
            return ["challenge": .string(challenge.reveal())]
        }
    }

    /// Completes a passkey request.
    ///
    /// Here, the key that the dialog created is a text, and its signature is that text with the challenge.
    func end(passkey signed: JSON) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.signIn) { backend throws(AuthError) in
            let challenge = Secret(signed["challenge"]?.string ?? "")
            guard let begun = backend.passkeyChallenges.removeValue(forKey: challenge),
                begun.startedAt + backend.settings.proofLife > backend.clock.now, let key = signed["key"]?.string, !key.isEmpty
            else {
                throw AuthError(
                    .codeExpired, "The passkey's challenge is unknown, was already used, or has expired.",
                    remedies: [.startAgain],
                    provider: ProviderDetail(code: "bad_challenge", status: 422))
            }
            if let sessionID = begun.sessionID {
                guard let session = backend.sessions[sessionID], !session.isOver else { throw backend.gone }
                let passkey = Passkey(id: "pk-" + backend.randomness.text(8), createdAt: backend.clock.now)
                backend.change(session.userID) { account in
                    account.passkeys.removeAll { $0.key == Secret(key) }
                    account.passkeys.append(InMemoryPasskey(key: Secret(key), shown: passkey))
                }
                return .granted(try backend.grant(sessionID), device: backend.secret())
            }
            let isKnown: (InMemoryPasskey) -> Bool = { $0.key == Secret(key) }
            guard let account = backend.accounts.values.first(where: { $0.passkeys.contains(where: isKnown) }) else {
                throw AuthError(
                    .invalidCredentials, "No user has this passkey.",
                    provider: ProviderDetail(code: "unknown_passkey", status: 400))
            }
            guard !account.isDisabled else { throw backend.disabled }
            backend.change(account.user.id) { changed in
                guard let place = changed.passkeys.firstIndex(where: isKnown), backend.settings.behavior.passkeyUse == .told
                else {
                    return
                }
                changed.passkeys[place].shown.lastUsedAt = backend.clock.now
            }
            return try backend.admit(account.user.id, device: nil)
        }
    }

    func passkeys(_ access: Secret) async throws(AuthError) -> (user: String, passkeys: [Passkey]) {
        try await exchange(.user) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            return (session.userID, backend.accounts[session.userID]?.passkeys.map(\.shown) ?? [])
        }
    }

    /// Renames a passkey, or removes it if the name is `nil`.
    func change(passkey id: String, to name: String?, of access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            guard let place = backend.accounts[session.userID]?.passkeys.firstIndex(where: { $0.shown.id == id }) else {
                throw AuthError(
                    .invalidInput, "The user does not have this passkey.",
                    provider: ProviderDetail(code: "no_such_passkey", status: 404)
                )
            }
            backend.change(session.userID) { account in
                if let name { account.passkeys[place].shown.name = name } else { account.passkeys.remove(at: place) }
            }
            return try backend.grant(session.id)
        }
    }
}
