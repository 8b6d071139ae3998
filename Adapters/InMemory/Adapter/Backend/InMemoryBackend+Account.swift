internal import Lockstep
internal import LockstepPrimitives

extension InMemoryBackend {
    func update(_ access: Secret, _ changes: ProfileChanges) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            if let name = changes.displayName { backend.accounts[session.userID]?.user.displayName = name }
            if let photo = changes.photoURL { backend.accounts[session.userID]?.user.photoURL = photo }
            if let members = changes.metadata {
                var metadata = backend.accounts[session.userID]?.user.metadata ?? [:]
                for (name, value) in members { metadata[name] = value.isNull ? JSON?.none : value }
                backend.accounts[session.userID]?.user.metadata = metadata
            }
            return try backend.grant(session.id)
        }
    }

    /// Sets the photo, which is part of its own URL (RFC 2397).
    func set(_ photo: Photo?, _ access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            let url = photo.map { "data:\($0.type);base64,\(Base64.encode($0.bytes))" }
            backend.change(session.userID) { $0.user.photoURL = url }
            return try backend.grant(session.id)
        }
    }

    func changePassword(_ access: Secret, to new: Secret, current: Secret?) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let asksAgain = backend.settings.behavior.passwordChangeOnOldSession == .asksAgain
            let session = asksAgain ? try backend.recent(access) : try backend.session(of: access)
            let held = backend.accounts[session.userID]?.password
            if let current, current != held { throw backend.wrongCurrentPassword }
            try backend.refuseWeak(new)
            guard new != held else {
                throw AuthError(
                    .samePassword, "The new password is the same as the old password.", remedies: [.choosePassword],
                    provider: ProviderDetail(code: "same_password", status: 422))
            }
            backend.accounts[session.userID]?.password = new
            backend.leaveSessions(
                of: session.userID, backend.settings.behavior.sessionsAfterPasswordChange, except: session.id)
            return try backend.grant(session.id)
        }
    }

    /// Sends a message that verifies a new address.
    ///
    /// If known addresses are hidden, no message goes to an address of another account.
    func changeEmail(_ access: Secret, to email: String) async throws(AuthError) -> InMemoryProofTicket {
        try await exchange(.change, sends: true) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            let isTaken = backend.account(byEmail: email) != nil
            if isTaken, backend.settings.behavior.takenAddressAtChange == .refused { throw backend.addressTaken }
            return try backend.newProof(
                .emailChange, email, userID: isTaken ? nil : session.userID, sessionID: session.id)
        }
    }

    var addressTaken: AuthError {
        AuthError(
            .emailAlreadyInUse, "Another account uses this address.", remedies: [],
            provider: ProviderDetail(code: "email_exists", status: 422))
    }

    func deleteAccount(_ access: Secret) async throws(AuthError) {
        try await exchange(.delete) { backend throws(AuthError) in
            let session = try backend.recent(access)
            backend.remove(session.userID)
        }
    }

    func remove(_ userID: String) {
        accounts[userID] = nil
        for session in sessions.values where session.userID == userID { sessions[session.id]?.isOver = true }
    }

    /// Returns the session, if its sign-in is recent enough for a sensitive call.
    private func recent(_ access: Secret) throws(AuthError) -> InMemorySessionRecord {
        let session = try session(of: access)
        guard session.signedInAt + settings.sensitiveAge > clock.now else {
            throw AuthError(
                .reauthenticationRequired, "This call requires a recent sign-in.",
                provider: ProviderDetail(code: "sign_in_too_old", status: 401))
        }
        return session
    }

    func reauthenticate(_ access: Secret, email: String, password: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.signIn) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            guard let account = backend.account(byEmail: email), account.password == password else { throw backend.wrongPassword }
            guard account.user.id == session.userID else { throw backend.otherUser }
            return try backend.prove(session)
        }
    }

    /// Verifies a session again with a correct first factor.
    func prove(_ session: InMemorySessionRecord) throws(AuthError) -> InMemoryOutcome {
        try admit(InMemoryWaitingSignIn(userID: session.userID, device: secret(), renews: session.id))
    }

    var otherUser: AuthError {
        AuthError(
            .userMismatch, "The verification belongs to a different user than the signed-in user.",
            provider: ProviderDetail(code: "user_mismatch", status: 400))
    }

    /// Adds an address and a password to a user; an anonymous user becomes permanent.
    func link(email: String, password: Secret, to access: Secret) async throws(AuthError) -> InMemoryOutcome {
        try await exchange(.signUp, sends: settings.behavior.signUpProof == .required) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            try backend.refuseIfOff(.password)
            if let owner = backend.account(byEmail: email), owner.user.id != session.userID {
                return .conflict(current: session.userID, other: owner.user.id, ways: backend.ways(of: owner))
            }
            try backend.refuseWeak(password)
            let address = email.lowercased()
            let isProven = backend.settings.behavior.signUpProof == .automatic
            backend.change(session.userID) { account in
                account.password = password
                account.user.email = address
                account.user.isAnonymous = false
                account.user.isEmailVerified = isProven
                account.user.identities.append(Identity(id: "email:\(address)", provider: .email, email: address))
            }
            let grant = try backend.grant(session.id)
            if isProven { return .granted(grant, device: backend.secret()) }
            let proof = try backend.newProof(.confirmation, email, userID: session.userID, sessionID: session.id)
            return .unverified(proof, grant)
        }
    }

    /// Returns the methods with which the owner of an account can sign in.
    func ways(of account: InMemoryAccountRecord) -> [Capability] {
        var ways: [Capability] = account.password == nil ? [] : [.password]
        if account.user.email != nil { ways += [.emailCodeSignIn, .emailLinkSignIn] }
        if account.user.identities.contains(where: { $0.provider != .email }) { ways += [.idToken, .oauth] }
        return ways.filter(settings.capabilities.contains)
    }

    func change(_ userID: String, _ body: (inout InMemoryAccountRecord) -> Void) {
        guard var account = accounts[userID] else { return }
        body(&account)
        accounts[userID] = account
    }

    func unlink(_ identityID: String, from access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            let identities = backend.accounts[session.userID]?.user.identities ?? []
            guard identities.contains(where: { $0.id != identityID }) else {
                throw AuthError(
                    .lastIdentity, "The last sign-in method cannot be removed.",
                    provider: ProviderDetail(code: "last_identity", status: 422))
            }
            backend.change(session.userID) { $0.user.identities.removeAll { $0.id == identityID } }
            return try backend.grant(session.id)
        }
    }
}
