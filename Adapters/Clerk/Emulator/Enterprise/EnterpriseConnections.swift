internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The enterprise connections of the instance, and whom they concern.
struct EnterpriseConnections {
    let context: RequestContext

    static func domain(of address: String) -> String {
        address.split(separator: "@").last.map { $0.lowercased() } ?? ""
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

    /// The active connections of an address's domain, the oldest first.
    func active(for address: String?) throws -> [EnterpriseConnectionRecord] {
        guard let address, address.contains("@") else { return [] }
        return try all("active = 1 ORDER BY created_at, rowid").filter { $0.covers(address) }
    }

    /// The connection that a request means: the one it names, or the only one of the address.
    ///
    /// - Throws: `missing` where there is none; a refusal where the request must say which.
    func chosen(for address: String, _ form: Form, missing: ClerkError) throws -> EnterpriseConnectionRecord {
        let connections = try active(for: address)
        if let id = form.text("enterprise_connection_id") {
            guard let connection = connections.first(where: { $0.id == id }) else { throw missing }
            return connection
        }
        guard let connection = connections.first else { throw missing }
        guard connections.count == 1 else { throw ClerkError.enterpriseConnectionNotNamed }
        return connection
    }

    /// The first factors of an address whose domain has connections; empty for any other.
    func factors(for address: String?) throws -> [JSONObject] {
        try active(for: address).map {
            [
                "strategy": "enterprise_sso", "enterprise_connection_id": .string($0.id),
                "enterprise_connection_name": .string($0.name),
            ]
        }
    }

    /// Refuses other proofs of an address whose domain has a connection: its users sign in there
    /// (https://clerk.com/docs/guides/configure/auth-strategies/enterprise-connections/overview).
    func checkNoneFor(_ address: String?) throws {
        if try !active(for: address).isEmpty { throw ClerkError.strategyInvalidForUser }
    }

    /// Stores a connection with the request's time.
    func save(_ connection: inout EnterpriseConnectionRecord) throws {
        connection.updatedAt = context.now
        try context.db.save(connection)
    }

    /// Switches off the connections that an organization has by a domain, which is its own no longer.
    func deactivate(of organizationID: String, by domain: String) throws {
        for var connection in try all("organization_id = \(organizationID) AND active = 1")
        where connection.domains.contains(domain) {
            connection.isActive = false
            try save(&connection)
        }
    }

    func delete(_ connection: EnterpriseConnectionRecord) throws -> JSON {
        try context.db.run("DELETE FROM enterprise_connections WHERE id = \(connection.id)")
        return ["object": "enterprise_connection", "id": .string(connection.id), "deleted": true]
    }

    /// Makes the connections of the settings, each once: one that was deleted stays so until the next reset.
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

/// What a request says of a connection: `nil` where it says nothing, an empty text where it takes a value away.
struct EnterpriseConnectionDraft {
    var name: String?
    var provider: String?
    var domains: [String]?
    var isActive: Bool?
    var organizationID: String?
    var clientID: String?
    var clientSecret: String?
    var discoveryURL: String?
    var authorizationURL: String?
    var tokenURL: String?
    var userInfoURL: String?
    var requiresProofKey: Bool?
    var syncsAttributes: Bool?
    var refusesMoreIdentifications: Bool?
    var allowsOrganizationLinking: Bool?
    /// The names of the fields in refusals begin so: `oidc_` in the Frontend API.
    var prefix = "oidc."

    static let openID = ["oidc_custom", "oidc_github_enterprise", "oidc_gitlab"]

    /// A connection after the draft.
    func make(in context: RequestContext) throws -> EnterpriseConnectionRecord {
        guard let provider, !provider.isEmpty else { throw ClerkError.missing("provider") }
        guard Self.openID.contains(provider) else {
            if ["saml_custom", "saml_okta", "saml_google", "saml_microsoft"].contains(provider) {
                throw ClerkError.enterpriseTypeNotBuilt
            }
            throw ClerkError.invalidValue("provider", String(provider.prefix(60)))
        }
        guard let domains, !domains.isEmpty else { throw ClerkError.missing("domains") }
        guard let name, !name.trimmed.isEmpty else { throw ClerkError.missing("name") }
        var connection = EnterpriseConnectionRecord(
            id: context.id(.enterpriseConnection), name: name, provider: provider, domains: [], isActive: false,
            createdAt: context.now, updatedAt: context.now)
        try apply(to: &connection, in: context)
        return connection
    }

    /// Changes a connection, and stores it.
    func apply(to connection: inout EnterpriseConnectionRecord, in context: RequestContext) throws {
        let former = connection
        if let name, !name.trimmed.isEmpty {
            guard name.count <= 256 else { throw ClerkError.tooLong("name", 256) }
            connection.name = name.trimmed
        }
        if let domains, !domains.isEmpty { connection.domains = try Self.checked(domains) }
        if let organizationID, !organizationID.isEmpty {
            guard let organization = try OrganizationRepository(context: context).find(organizationID) else {
                throw ClerkError.resourceMissing("organization_id")
            }
            connection.organizationID = organization.id
        }
        if let clientID { connection.clientID = clientID.isEmpty ? nil : clientID }
        if let clientSecret { connection.clientSecret = clientSecret.isEmpty ? nil : Secret(clientSecret) }
        try setAddress(discoveryURL, "discovery_url", &connection.discoveryURL)
        try setAddress(authorizationURL, "auth_url", &connection.authorizationURL)
        try setAddress(tokenURL, "token_url", &connection.tokenURL)
        try setAddress(userInfoURL, "user_info_url", &connection.userInfoURL)
        connection.requiresProofKey = requiresProofKey ?? connection.requiresProofKey
        connection.syncsAttributes = syncsAttributes ?? connection.syncsAttributes
        connection.refusesMoreIdentifications = refusesMoreIdentifications ?? connection.refusesMoreIdentifications
        connection.allowsOrganizationLinking = allowsOrganizationLinking ?? connection.allowsOrganizationLinking
        connection.isActive = isActive ?? connection.isActive
        if connection.isActive {
            if !connection.missing.isEmpty { throw ClerkError.enterpriseConnectionIncomplete(connection.missing) }
            if connection.clientSecret == nil, !connection.requiresProofKey {
                throw ClerkError.publicClientWithoutProofKey(prefix + "requires_pkce")
            }
            if !former.isActive || connection.domains != former.domains { try endEnrollment(by: connection, in: context) }
        }
        try EnterpriseConnections(context: context).save(&connection)
    }

    /// Domains in their normal form, each once.
    private static func checked(_ domains: [String]) throws -> [String] {
        var checked: [String] = []
        for domain in domains.map({ $0.trimmed.lowercased() }) where !checked.contains(domain) {
            guard EmailAddress("a@" + domain) != nil else {
                throw ClerkError.malformed("domains", "domains must be domain names.")
            }
            if OrganizationDomains.common.contains(domain) { throw ClerkError.commonDomain }
            checked.append(domain)
        }
        return checked
    }

    private func setAddress(_ text: String?, _ field: String, _ value: inout String?) throws {
        guard let text else { return }
        guard !text.isEmpty else { return value = nil }
        let name = prefix + field
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), text.utf8.count <= 2048,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { throw ClerkError.malformed(name, "\(name) must be an https:// or http:// address.") }
        value = text
    }

    /// An address can come in by one way only: domains that invite or suggest give way to an active connection
    /// (clerk-bapi, UpdateEnterpriseConnection).
    private func endEnrollment(by connection: EnterpriseConnectionRecord, in context: RequestContext) throws {
        let domains = OrganizationDomains(context: context)
        for domain in try context.db.all(OrganizationDomainRecord.self, "name IN (\(list: connection.domains))")
        where domain.isVerified && domain.mode != .enterprise {
            try domains.delete(domain)
        }
    }
}
