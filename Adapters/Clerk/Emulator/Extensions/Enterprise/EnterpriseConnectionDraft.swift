internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The values of a connection in a request: `nil` if the request does not contain a value, an empty text if the request
/// removes it.
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
    /// The prefix of the names of fields in errors: `oidc_` in the Frontend API.
    var prefix = "oidc."

    private static let openIDProviders = ["oidc_custom", "oidc_github_enterprise", "oidc_gitlab"]
    /// The fields of an OpenID provider, without the prefix of a form.
    static let openIDFields = [
        "client_id", "client_secret", "discovery_url", "auth_url", "token_url", "user_info_url", "requires_pkce",
    ]

    /// Reads the values of the OpenID provider from a request, by the names of ``openIDFields``.
    mutating func readOpenID(
        text: (String) throws(ClerkError) -> String?, flag: (String) throws(ClerkError) -> Bool?
    ) throws(ClerkError) {
        clientID = try text("client_id")
        clientSecret = try text("client_secret")
        discoveryURL = try text("discovery_url")
        authorizationURL = try text("auth_url")
        tokenURL = try text("token_url")
        userInfoURL = try text("user_info_url")
        requiresProofKey = try flag("requires_pkce")
    }

    /// A connection after the draft.
    func make(in context: RequestContext) throws -> EnterpriseConnectionRecord {
        guard let provider, !provider.isEmpty else { throw ClerkError.missing("provider") }
        guard Self.openIDProviders.contains(provider) else {
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
            guard let organization = try context.organizations.find(organizationID) else {
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
        try context.enterpriseConnections.save(&connection)
    }

    /// Returns domains in their normal form, without duplicates.
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

    /// Ends enrollment for the domains of an active connection, because an address can join in only one way
    /// (clerk-bapi, UpdateEnterpriseConnection).
    private func endEnrollment(by connection: EnterpriseConnectionRecord, in context: RequestContext) throws {
        let domains = context.organizationDomains
        for domain in try context.db.all(OrganizationDomainRecord.self, "name IN (\(list: connection.domains))")
        where domain.isVerified && domain.mode != .enterprise {
            try domains.delete(domain)
        }
    }
}
