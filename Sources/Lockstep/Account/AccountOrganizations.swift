/// The organizations of the signed-in user.
///
/// One organization can be active in a session. The user's other sessions can have another active organization, or no
/// active organization.
///
/// Your server reads the active organization from the access token. The app reads the active organization from
/// ``Session/organizationID``.
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

    /// Loads the user's organizations from the backend.
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

    /// Sets the active organization of the session.
    ///
    /// The session gets a new access token.
    ///
    /// The organization stays active after refreshes and relaunches, until the user switches to another organization
    /// or is no longer a member. If the backend has set the organization but its response is lost, the next access
    /// token contains the new organization.
    ///
    /// - Parameter organization: The organization; `nil` for no active organization.
    /// - Throws: `invalidInput` if the user is not a member of the organization; `notEnabled` if the project requires
    ///   an organization in every session. In both cases the session is unchanged.
    @concurrent
    public func activate(_ organization: Organization?) async throws(AuthError) {
        let feature = try feature()
        try await flows.changes.change("account.organizations.activate") { session async throws(AuthError) in
            try await feature.activate(organization, in: session)
        }
    }
}

/// An organization that a user is a member of.
///
/// ```swift
/// for organization in try await client.account.organizations.all() {
///     print(organization.name, organization.role ?? "no role")
/// }
/// ```
public struct Organization: Sendable, Hashable, Identifiable {
    /// The provider's id for the organization.
    public var id: String
    /// The display name.
    public var name: String
    /// The name that the provider gives to the user's role in the organization.
    ///
    /// A server must read the role from the access token, not from this value.
    public var role: String?

    /// Creates an organization.
    ///
    /// - Parameters:
    ///   - id: The provider's id for the organization.
    ///   - name: The display name.
    ///   - role: The user's role in the organization.
    public init(id: String, name: String, role: String? = nil) {
        self.id = id
        self.name = name
        self.role = role
    }
}
