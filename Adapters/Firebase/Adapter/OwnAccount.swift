internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// Name and photo.
struct OwnProfileUpdate: ProfileUpdate {
    let api: FirebaseAPI

    var acceptsPhoto: Bool { true }

    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        var body: JSONObject = [:]
        var removed: [JSON] = []
        // Firebase stores an empty name and puts it into tokens, so removing a name is another request.
        switch changes.displayName {
        case ""?: removed.append("DISPLAY_NAME")
        case let name?: body["displayName"] = .string(name)
        case nil: break
        }
        switch changes.photoURL {
        case ""?: removed.append("PHOTO_URL")
        case let url?: body["photoUrl"] = .string(url)
        case nil: break
        }
        if !removed.isEmpty { body["deleteAttribute"] = .array(removed) }
        return try await api.renewed(try await api.update(body, of: session))
    }
}

/// Sets a new password, which ends the user's other sessions; this one gets new tokens.
struct OwnPasswordChange: PasswordChange {
    let api: FirebaseAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        if let current {
            guard let email = session.user.email else {
                throw AuthError(.invalidCredentials, "The account has no e-mail address, so it does not have a password.")
            }
            // Firebase requires a recent sign-in and never checks the password, so this call signs in with the
            // password. The tokens of that sign-in are discarded, so an old session stays old.
            let proof: JSONResponse
            do {
                proof = try await api.call(
                    "accounts:signInWithPassword", PasswordCredential(email: email, password: current).members)
            } catch  where error.code == .invalidCredentials {
                throw error.aboutCurrentPassword
            }
            // For a user with a second factor, the response contains no user id, but the password was still correct.
            let owner = proof.object["localId"]?.filled
            guard owner != nil || proof.object["mfaPendingCredential"]?.filled != nil else {
                throw ErrorMapping.incomplete("the user's id")
            }
            guard owner == nil || owner?.exact == session.user.id.exact else {
                throw AuthError(
                    .userMismatch, "The password belongs to another user, who now has the address. Nothing was changed.")
            }
        }
        return try await api.update(["password": .string(new.reveal())], of: session)
    }
}

/// A change of the email address, which takes effect when the user opens the link that was sent to the new address.
struct OwnEmailChange: EmailChange {
    let api: FirebaseAPI

    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        flow[.requiredUser] = session.user.id
        return .verify(try await api.send(.emailChange, to: email, as: session.accessToken, in: flow))
    }
}

/// The user's identities.
///
/// Firebase would also remove the last one, and lock the user out. So the adapter rejects that.
struct OwnIdentities: IdentityLinking {
    let api: FirebaseAPI

    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session {
        let user = try await api.user(as: session.accessToken, claims: session.claims)
        guard user.identities.contains(where: { $0.id.exact == identity.id.exact }) else {
            throw AuthError(.invalidInput, "The user does not have this identity. Use an identity from `user.identities`.")
        }
        guard user.identities.count > 1 else {
            throw AuthError(.lastIdentity, "The last sign-in method cannot be removed.")
        }
        return try await api.renewed(try await api.update(["deleteProvider": [.string(identity.id)]], of: session))
    }
}

/// Deletes the account of the user who is signed in.
struct OwnAccountDeletion: AccountDeletion {
    let api: FirebaseAPI

    func delete(_ session: Session) async throws(AuthError) {
        let response = try await api.call("accounts:delete", ["idToken": .string(session.accessToken.reveal())])
        guard response.object["kind"]?.string == "identitytoolkit#DeleteAccountResponse" else {
            throw ErrorMapping.incomplete("a confirmation of the deletion")
        }
    }
}

/// Reauthentication: the user signs in again, and the session gets the new tokens.
struct RenewedSignIn: Reauthentication {
    let configuration: FirebaseConfiguration

    func ways(for session: Session) -> [Capability] {
        let takesLinks = configuration.continueURL != nil
        var ways: [Capability] = []
        if session.user.identities.contains(where: { $0.provider == .email }) {
            ways += takesLinks ? [.password, .emailLinkSignIn] : [.password]
        }
        if session.user.phone != nil, configuration.takesPhoneCodes { ways.append(.phoneCode) }
        if session.user.identities.contains(where: { $0.provider != .email && $0.provider != .phone }) {
            ways += takesLinks ? [.idToken, .oauth] : [.idToken]
        }
        if configuration.hasPasskeys, !session.user.passkeys.isEmpty { ways.append(.passkey) }
        // Firebase does not report whether a server creates tickets for a user, but only that it has created one.
        if session.claims["firebase"]?["sign_in_provider"]?.string == "custom" { ways.append(.ticket) }
        return ways
    }
}

extension FirebaseAPI {
    /// Sets the user's name and returns the session with a token that contains it; returns the same session if there is
    /// no name.
    func named(_ session: Session, _ name: String?) async throws(AuthError) -> Session {
        guard let name, !name.isEmpty else { return session }
        let changed = try await update(["displayName": .string(name)], of: session)
        return try await renewed(changed)
    }

    /// Stores a name for a user who has none, after a verification that cannot be repeated; if this fails, the sign-up
    /// has still succeeded.
    func named(_ step: AuthStep, _ name: String?) async -> AuthStep {
        guard case .complete(let session) = step, session.user.displayName == nil else { return step }
        return .complete((try? await named(session, name)) ?? session)
    }

    /// Changes a user, and uses the new tokens if the response contains them.
    func update(_ changes: JSONObject, of session: Session) async throws(AuthError) -> Session {
        var body = changes
        body["idToken"] = .string(session.accessToken.reveal())
        body["returnSecureToken"] = true
        let response = try await call("accounts:update", body)
        var copy = session
        if response.object["idToken"]?.filled != nil { copy = session.renewed(by: try tokens(response)) }
        var fields = session.user.fields
        guard let id = response.object["localId"], id.filled != nil else { throw ErrorMapping.incomplete("the user's id") }
        fields["localId"] = id
        for name in ["email", "displayName", "photoUrl", "providerUserInfo"] { fields[name] = response.object[name] }
        if let isVerified = response.object["emailVerified"] { fields["emailVerified"] = isVerified }
        copy.user = try User(firebase: fields, claims: copy.claims)
        return copy
    }
}
