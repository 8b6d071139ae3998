internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

extension FirebaseAPI {
    /// Sets the user's name and returns the session with a token that has it; the same session where there is no name.
    func named(_ session: Session, _ name: String?) async throws(AuthError) -> Session {
        guard let name, !name.isEmpty else { return session }
        let changed = try await update(["displayName": .string(name)], of: session)
        return try await renewed(changed)
    }

    /// Changes a user, and takes the new tokens where the answer has them.
    func update(_ changes: JSONObject, of session: Session) async throws(AuthError) -> Session {
        var body = changes
        body["idToken"] = .string(session.accessToken.reveal())
        body["returnSecureToken"] = true
        let response = try await call("accounts:update", body)
        var copy = session
        if response.object["idToken"]?.filled != nil { copy = session.renewed(by: try tokens(response)) }
        var fields = session.user.fields
        fields["localId"] = response.object["localId"] ?? .string(session.user.id)
        for name in ["email", "displayName", "photoUrl", "providerUserInfo"] { fields[name] = response.object[name] }
        if let isVerified = response.object["emailVerified"] { fields["emailVerified"] = isVerified }
        copy.user = try User(firebase: fields, claims: copy.claims)
        return copy
    }
}
