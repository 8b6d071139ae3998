internal import Lockstep
internal import LockstepPrimitives

/// What a user has beside the profile and the ways to sign in: backup codes, a list of passkeys, organizations, an uploaded photo.
extension InMemoryBackend {
    func renewBackupCodes(_ access: Secret) async throws(AuthError) -> [Secret] {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            guard backend.accounts[session.userID]?.factors != nil else {
                throw AuthError(
                    .secondFactorRequired, "There are no backup codes without a second factor: add one first.",
                    provider: ProviderDetail(code: "no_second_factor", status: 422))
            }
            let codes = (0..<8).map { _ in Secret(backend.randomness.text(10)) }
            backend.change(session.userID) { $0.factors?.backupCodes = Set(codes) }
            return codes
        }
    }

    func passkeys(_ access: Secret) async throws(AuthError) -> (user: String, passkeys: [Passkey]) {
        try await exchange(.user) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            return (session.userID, backend.accounts[session.userID]?.passkeys.map(\.shown) ?? [])
        }
    }

    /// Renames a passkey, or removes it where the name is `nil`.
    func change(passkey id: String, to name: String?, of access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            guard let place = backend.accounts[session.userID]?.passkeys.firstIndex(where: { $0.shown.id == id }) else {
                throw AuthError(
                    .invalidInput, "The user has no such passkey.", provider: ProviderDetail(code: "no_such_passkey", status: 404)
                )
            }
            backend.change(session.userID) { account in
                if let name { account.passkeys[place].shown.name = name } else { account.passkeys.remove(at: place) }
            }
            return try backend.grant(session.id)
        }
    }

    func organizations(_ access: Secret) async throws(AuthError) -> (user: String, organizations: [Organization]) {
        try await exchange(.user) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            let own = backend.organizations.values.compactMap { organization in
                organization.roles[session.userID].map {
                    Organization(id: organization.id, name: organization.name, role: $0)
                }
            }
            return (session.userID, own.sorted { $0.name < $1.name })
        }
    }

    func activate(_ organizationID: String?, _ access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            if let organizationID, backend.organizations[organizationID]?.roles[session.userID] == nil {
                throw AuthError(
                    .invalidInput, "The user is no member of this organization.",
                    provider: ProviderDetail(code: "not_a_member", status: 403))
            }
            backend.sessions[session.id]?.organizationID = organizationID
            return try backend.grant(session.id)
        }
    }

    /// The photo stands in its own address (RFC 2397).
    func set(_ photo: Photo?, _ access: Secret) async throws(AuthError) -> InMemoryGrant {
        try await exchange(.change) { backend throws(AuthError) in
            let session = try backend.session(of: access)
            let url = photo.map { "data:\($0.type);base64,\(Base64.encode($0.bytes))" }
            backend.change(session.userID) { $0.user.photoURL = url }
            return try backend.grant(session.id)
        }
    }
}
