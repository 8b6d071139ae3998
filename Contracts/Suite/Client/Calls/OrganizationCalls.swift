public import Lockstep
internal import LockstepPrimitives

/// Calls about the organizations of the signed-in user.
extension ClientCalls {
    static let organizations: [any UserCall.Type] = [
        Organizations.self, Activate.self,
    ]
}

struct Organizations: UserCall {
    static let name = "account.organizations.all"

    var capability: Capability? { .organizations }

    static func sample(of person: Person, and other: Person) -> Self { Self() }

    func perform(on client: AuthClient) async throws(AuthError) -> [Organization] { try await client.account.organizations.all() }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> [Organization]? {
        try await faulty.onOrganizations?(faulty.base)
    }
}

struct Activate: UserCall {
    static let name = "account.organizations.activate"
    let organization: Organization?

    var capability: Capability? { .organizations }

    static func sample(of person: Person, and other: Person) -> Self {
        Self(organization: Organization(id: "none", name: "None"))
    }

    func perform(on client: AuthClient) async throws(AuthError) { try await client.account.organizations.activate(organization) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Void? {
        try await faulty.onActivate?(faulty.base, organization)
    }
}

extension PortableClient {
    /// Returns the organizations of the user.
    ///
    /// - Throws: The error that the client throws.
    public func organizations() async throws(AuthError) -> [Organization] { try await perform(Organizations()) }

    /// Sets the active organization of the session.
    ///
    /// - Parameter organization: The organization; `nil` for none.
    /// - Throws: The error that the client throws.
    public func activate(_ organization: Organization?) async throws(AuthError) {
        try await perform(Activate(organization: organization))
    }
}
