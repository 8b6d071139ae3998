/// The organizations of the signed-in user.
///
/// One of them can be active in the session.
///
/// The access token contains the active organization for your server, and ``Session/organizationID`` has it for the app.
/// It belongs to the session: the user's other sessions can have another one or none.
///
/// ```swift
/// let organizations = try await client.account.organizations.all()
/// try await client.account.organizations.activate(organizations.first)
/// ```
public struct AccountOrganizations: Sendable {
    let flows: FlowCoordinator

    private func feature() throws(AuthError) -> any OrganizationSwitching {
        guard let feature = flows.adapter.organizations else { throw flows.context.unsupported(.organizations) }
        return feature
    }

    /// Returns the user's organizations, from the backend.
    ///
    /// - Returns: The organizations.
    /// - Throws: `unsupported`, and the errors of ``AuthClient/accessToken()``.
    @concurrent
    public func all() async throws(AuthError) -> [Organization] {
        let feature = try feature()
        return try await flows.sessions.list("account.organizations.all") { session async throws(AuthError) in
            let (user, organizations) = try await feature.all(of: session)
            return (user, organizations)
        }
    }

    /// Sets the session's active organization.
    ///
    /// The session gets a new access token.
    ///
    /// It stays active after refreshes and relaunches, until the user switches again or is no longer a member. If the
    /// backend has switched but its response is lost, the next access token contains the new organization.
    ///
    /// - Parameter organization: The organization; `nil` for none.
    /// - Throws: `invalidInput` if the user is not a member of it, `notEnabled` if the project requires an organization
    ///   in every session. Then the session is unchanged.
    @concurrent
    public func activate(_ organization: Organization?) async throws(AuthError) {
        let feature = try feature()
        try await flows.changes.change("account.organizations.activate") { session async throws(AuthError) in
            try await feature.activate(organization, in: session)
        }
    }
}

/// An organization that a user is a member of.
public struct Organization: Sendable, Hashable, Identifiable {
    /// The provider's id of the organization.
    public var id: String
    /// The display name.
    public var name: String
    /// The user's role in it, by the provider's name.
    ///
    /// A server reads it from the access token, never from here.
    public var role: String?

    /// Creates an organization.
    ///
    /// - Parameters:
    ///   - id: The provider's id of the organization.
    ///   - name: The display name.
    ///   - role: The user's role in it.
    public init(id: String, name: String, role: String? = nil) {
        self.id = id
        self.name = name
        self.role = role
    }
}
