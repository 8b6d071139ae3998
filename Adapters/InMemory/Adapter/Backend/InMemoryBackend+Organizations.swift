internal import Lockstep
internal import LockstepPrimitives

/// Organizations and their members.
extension InMemoryBackend {
    /// Creates an organization.
    ///
    /// - Parameters:
    ///   - name: The display name of the organization.
    ///   - members: The ids of the users who are members of the organization.
    /// - Returns: The organization's id.
    @discardableResult
    public func createOrganization(named name: String, members: [String]) -> String {
        let id = "org-" + randomness.text(12)
        let roles = Dictionary(members.map { ($0, "member") }, uniquingKeysWith: { $1 })
        organizations[id] = InMemoryOrganization(id: id, name: name, roles: roles)
        return id
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
                    .invalidInput, "The user is not a member of this organization.",
                    provider: ProviderDetail(code: "not_a_member", status: 403))
            }
            backend.sessions[session.id]?.organizationID = organizationID
            return try backend.grant(session.id)
        }
    }
}
