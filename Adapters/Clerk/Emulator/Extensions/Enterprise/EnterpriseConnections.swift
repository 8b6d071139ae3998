internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The enterprise connections of the instance, and the users that they affect.
struct EnterpriseConnections {
    let context: RequestContext

    static func domain(of address: String) -> String {
        address.pieces(at: "@").last.map { $0.lowercased() } ?? ""
    }

    func find(_ id: String) throws -> EnterpriseConnectionRecord {
        try prepare()
        guard let connection = try context.db.find(EnterpriseConnectionRecord.self, "id = \(id)") else {
            throw ClerkError.notFound(id)
        }
        return connection
    }

    func all(_ condition: SQL = "1 = 1 ORDER BY created_at, rowid") throws -> [EnterpriseConnectionRecord] {
        try prepare()
        return try context.db.all(EnterpriseConnectionRecord.self, condition)
    }

    /// Returns the active connections of an address's domain, the oldest first.
    func active(for address: String?) throws -> [EnterpriseConnectionRecord] {
        guard let address, address.contains("@") else { return [] }
        return try active().filter { $0.covers(address) }
    }

    /// Returns the active connections, the oldest first; a request reads them once.
    private func active() throws -> [EnterpriseConnectionRecord] {
        if let known = context.call.memory[ActiveConnections.self] { return known.all }
        let found = try all("active = 1 ORDER BY created_at, rowid")
        context.call.memory[ActiveConnections.self] = ActiveConnections(all: found)
        return found
    }

    /// Returns the connection for a request: the one in the request, or the only one of the address.
    ///
    /// - Throws: `missing` if there is none; another error if the request must name one.
    func chosen(for address: String, _ form: Form, missing: ClerkError) throws -> EnterpriseConnectionRecord {
        let connections = try active(for: address)
        if let id = form.text("enterprise_connection_id") {
            guard let connection = connections.first(where: { $0.id.exact == id.exact }) else { throw missing }
            return connection
        }
        guard let connection = connections.first else { throw missing }
        guard connections.count == 1 else { throw ClerkError.enterpriseConnectionNotNamed }
        return connection
    }

    /// Returns the first factors of an address whose domain has connections; empty for any other address.
    func factors(for address: String?) throws -> [JSONObject] {
        try active(for: address).map(\.factor)
    }

    /// Stores a connection with the request's time.
    func save(_ connection: inout EnterpriseConnectionRecord) throws {
        connection.updatedAt = context.now
        context.call.memory[ActiveConnections.self] = nil
        try context.db.save(connection)
    }

    /// Switches off the connections of an organization for a domain that it no longer has.
    func deactivate(of organizationID: String, by domain: String) throws {
        for var connection in try all("organization_id = \(organizationID) AND active = 1")
        where connection.domains.contains(domain) {
            connection.isActive = false
            try save(&connection)
        }
    }

    func delete(_ connection: EnterpriseConnectionRecord) throws -> JSON {
        context.call.memory[ActiveConnections.self] = nil
        try context.db.run("DELETE FROM enterprise_connections WHERE id = \(connection.id)")
        return ["object": "enterprise_connection", "id": .string(connection.id), "deleted": true]
    }

    /// Creates the connections in the settings, each once: a deleted connection stays deleted until the next reset.
    private func prepare() throws {
        for setting in context.settings.enterprise.connections {
            let mark = "enterprise_connection:" + setting.name
            let isNew = try context.db.run(
                "INSERT INTO instance (name, value) VALUES (\(mark), '') ON CONFLICT (name) DO NOTHING")
            guard isNew > 0 else { continue }
            try context.db.save(
                EnterpriseConnectionRecord(
                    id: context.id(.enterpriseConnection), name: setting.name, provider: "oidc_custom", domains: setting.domains,
                    isActive: true, clientID: setting.clientID, clientSecret: setting.clientSecret,
                    discoveryURL: setting.discoveryURL, requiresProofKey: setting.clientSecret == nil, createdAt: context.now,
                    updatedAt: context.now))
        }
    }
}

/// The active connections that a request has read.
private struct ActiveConnections: Sendable {
    let all: [EnterpriseConnectionRecord]
}

/// A user's account at the provider of an enterprise connection.
struct EnterpriseAccountRecord: Record {
    var id: String
    var userID: String
    var connectionID: String
    /// The provider's id of the user.
    var subject: String
    var email: String
    var firstName: String?
    var lastName: String?
    var verification: Verification
    var authenticatedAt: Instant
    var createdAt: Instant
    var updatedAt: Instant
}

extension EnterpriseAccountRecord {
    init() {
        self.init(
            id: "", userID: "", connectionID: "", subject: "", email: "", verification: EnterpriseAccounts.proof,
            authenticatedAt: .distantPast, createdAt: .distantPast, updatedAt: .distantPast)
    }

    static let table = Table<EnterpriseAccountRecord>(
        "enterprise_accounts",
        [
            Column("id", \.id, .key), Column("user_id", \.userID, .belongs(to: "users")),
            Column("connection_id", \.connectionID, .belongs(to: "enterprise_connections")), Column("subject", \.subject),
            Column("email", \.email), Column("first_name", \.firstName), Column("last_name", \.lastName),
            Column("verification", \.verification), Column("authenticated_at", \.authenticatedAt),
            Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ],
        rules: ["UNIQUE (connection_id, subject)"],
        indexes: [Index("enterprise_accounts_by_user", on: "user_id")])
}

/// The accounts at enterprise connections, and their users.
struct EnterpriseAccounts: ProfileAccounts {
    let context: RequestContext

    /// The verification with such an account; for OpenID, the documents have no other strategy than `oauth_…`.
    static let proof = Verification(object: "verification_oauth", strategy: "oauth_custom", status: .verified)

    private var connections: EnterpriseConnections { context.enterpriseConnections }

    /// Returns the accounts of a user with their connections, the oldest first.
    func of(_ userID: String) throws -> [(account: EnterpriseAccountRecord, connection: EnterpriseConnectionRecord)] {
        let accounts = try context.db.all(EnterpriseAccountRecord.self, "user_id = \(userID) ORDER BY created_at, rowid")
        return try accounts.map { ($0, try connections.find($0.connectionID)) }
    }

    func user(of profile: ProviderProfile, strategy: String) throws -> UserRecord? {
        let connection = try connection(of: profile, missing: .signInConnectionMissing)
        guard var user = try known(profile, in: connection) else { return nil }
        try connect(profile, to: &user, in: connection)
        return user
    }

    func isKnown(_ profile: ProviderProfile) throws -> Bool {
        try known(profile, in: connection(of: profile, missing: .signUpConnectionMissing)) != nil
    }

    func connect(newUser user: inout UserRecord, _ profile: ProviderProfile, email: IdentificationRecord?, strategy: String?)
        throws
    {
        try connect(profile, to: &user, in: connection(of: profile, missing: .signUpConnectionMissing))
    }

    /// Returns the active connection of a profile.
    ///
    /// - Throws: `missing` if the connection was deleted or switched off, or if it no longer has the address's domain.
    private func connection(of profile: ProviderProfile, missing: ClerkError) throws -> EnterpriseConnectionRecord {
        let active = try connections.active(for: profile.email)
        guard let connection = active.first(where: { $0.id.exact == profile.connectionID?.exact }) else { throw missing }
        return connection
    }

    /// Returns the user of a profile, whom the account or a verified address identifies.
    ///
    /// The provider belongs to the company, so an address in its profile is verified, unless the profile says otherwise
    /// (https://clerk.com/docs/authentication/enterprise-connections/account-linking). An address that is not verified
    /// here identifies no user, because another person may have entered it.
    func known(_ profile: ProviderProfile, in connection: EnterpriseConnectionRecord) throws -> UserRecord? {
        if let account = try account(profile, connection) { return try context.users.find(account.userID) }
        guard let email = profile.email, profile.isEmailVerified, let row = try context.users.provenEmail(email) else {
            return nil
        }
        return try context.users.find(row.userID)
    }

    /// Creates or updates a user's account, with the names and the membership of the connection's organization.
    func connect(_ profile: ProviderProfile, to user: inout UserRecord, in connection: EnterpriseConnectionRecord) throws {
        var account =
            try account(profile, connection)
            ?? EnterpriseAccountRecord(
                id: context.id(.enterpriseAccount), userID: user.id, connectionID: connection.id, subject: profile.subject,
                email: profile.email ?? "", verification: Self.proof, authenticatedAt: context.now, createdAt: context.now,
                updatedAt: context.now)
        account.email = profile.email ?? account.email
        account.firstName = profile.firstName
        account.lastName = profile.lastName
        account.verification.expireAt = context.now + .seconds(600)
        account.authenticatedAt = context.now
        account.updatedAt = context.now
        try context.db.save(account)
        if connection.syncsAttributes {
            if context.settings.firstName.isEnabled { user.firstName = profile.firstName ?? user.firstName }
            if context.settings.lastName.isEnabled { user.lastName = profile.lastName ?? user.lastName }
        }
        try context.users.save(&user)
        try join(user, connection)
    }

    /// Returns a user's accounts as members of the user's JSON.
    func json(of user: UserRecord) throws -> [JSON] {
        try of(user.id).map { context.enterpriseJSON.account($0, $1) }
    }

    /// Whether the user can sign in only with the provider of a connection.
    func isBound(_ user: UserRecord) throws -> Bool {
        try of(user.id).contains { $0.connection.isActive }
    }

    /// Whether no other user has the profile's account.
    func isFree(_ profile: ProviderProfile, for user: UserRecord, in connection: EnterpriseConnectionRecord) throws -> Bool {
        try account(profile, connection).map { $0.userID.exact == user.id.exact } ?? true
    }

    /// Whether a connection of the user allows no further addresses and accounts.
    func refusesMore(of user: UserRecord) throws -> Bool {
        try of(user.id).contains { $0.connection.isActive && $0.connection.refusesMoreIdentifications }
    }

    /// Returns the factors of the user's reverification.
    func factors(of user: UserRecord) throws -> [JSONObject] {
        try of(user.id).map(\.connection).filter(\.isActive).map(\.factor)
    }

    private func account(
        _ profile: ProviderProfile, _ connection: EnterpriseConnectionRecord
    ) throws -> EnterpriseAccountRecord? {
        try context.db.find(
            EnterpriseAccountRecord.self, "connection_id = \(connection.id) AND subject = \(profile.subject)")
    }

    /// Makes a user of an organization's connection a member, with the default role.
    ///
    /// If the organization is full, the user does not become a member, and the sign-in still succeeds.
    private func join(_ user: UserRecord, _ connection: EnterpriseConnectionRecord) throws {
        let organizations = context.organizations
        guard context.settings.organizations.isEnabled, let id = connection.organizationID,
            let organization = try organizations.find(id), try organizations.membership(of: user.id, in: id) == nil,
            try organizations.hasRoom(in: organization),
            let role = try context.roles.defaultRole(of: organization)
        else { return }
        _ = try organizations.add(user, to: organization, role: role)
    }
}
