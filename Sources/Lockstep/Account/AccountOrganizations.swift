/// The organizations of the user who is signed in, of which one can be active in the session.
///
/// Which one that is stands in the access token, for the team's server, and in ``Session/organizationID``. It is the session's own:
/// other sessions of the user have another one, or none.
public struct AccountOrganizations: Sendable {
    let flows: FlowCoordinator

    private func feature() throws(AuthError) -> any OrganizationSwitching {
        guard let feature = flows.adapter.organizations else { throw flows.context.unsupported(.organizations) }
        return feature
    }

    /// The organizations that the user is a member of, as the backend has them now.
    @concurrent
    public func all() async throws(AuthError) -> [Organization] {
        let feature = try feature()
        return try await flows.sessions.list("account.organizations.all") { session async throws(AuthError) in
            let (user, organizations) = try await feature.all(of: session)
            return (user, organizations)
        }
    }

    /// Makes an organization the active one of the session, which gets a new access token; `nil` leaves the one that is active.
    ///
    /// It stays the active one over refreshes and relaunches, until the user switches again or is no member any more.
    ///
    /// Where the backend has switched and its answer is lost, the next access token, and the session with it, is of the new one.
    ///
    /// - Throws: `invalidInput` where the user is no member of it, `notEnabled` where the project wants an organization in every session:
    ///   the session stays as it was.
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
    /// The provider's id of it.
    public var id: String
    /// The name to show.
    public var name: String
    /// The user's role in it, by the provider's name; a server reads it from the access token, and never from here.
    public var role: String?

    /// An organization.
    public init(id: String, name: String, role: String? = nil) {
        self.id = id
        self.name = name
        self.role = role
    }
}
