internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A company's identity provider, and the domains whose users sign in there.
struct EnterpriseConnectionRecord: StoredRecord {
    let id: String
    var name: String
    /// `oidc_custom`, `oidc_github_enterprise`, `oidc_gitlab`.
    let provider: String
    /// In lower case.
    var domains: [String]
    var isActive: Bool
    /// The organization that its users become members of.
    var organizationID: String?
    var clientID: String?
    var clientSecret: Secret?
    /// The issuer's OpenID configuration, from which the other addresses come.
    var discoveryURL: String?
    var authorizationURL: String?
    var tokenURL: String?
    var userInfoURL: String?
    var requiresProofKey = false
    /// Whether a user's names follow the provider's at each sign-in.
    var syncsAttributes = true
    /// Whether its users may add no addresses and accounts of their own.
    var refusesMoreIdentifications = false
    var allowsOrganizationLinking = false
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "enterprise_connections"
    static let columns = [
        "id", "name", "provider", "domains", "active", "organization_id", "client_id", "client_secret", "discovery_url",
        "auth_url",
        "token_url", "user_info_url", "requires_pkce", "sync_attributes", "refuses_identifications", "organization_linking",
        "created_at", "updated_at",
    ]

    /// What an active connection needs and this one lacks, by the fields of the documents.
    var missing: [String] {
        var missing = clientID == nil ? ["client_id"] : []
        if discoveryURL == nil {
            if authorizationURL == nil { missing.append("auth_url") }
            if tokenURL == nil { missing.append("token_url") }
            if userInfoURL == nil { missing.append("user_info_url") }
        }
        return missing
    }

    /// Whether an address is of one of its domains.
    func covers(_ address: String) -> Bool {
        domains.contains(EnterpriseConnections.domain(of: address))
    }
}

extension EnterpriseConnectionRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        name = try row["name"]
        provider = try row["provider"]
        domains = (try row["domains"] as StoredJSON).texts
        isActive = try row["active"]
        organizationID = try row["organization_id"]
        clientID = try row["client_id"]
        clientSecret = (try row["client_secret"] as String?).map { Secret($0) }
        discoveryURL = try row["discovery_url"]
        authorizationURL = try row["auth_url"]
        tokenURL = try row["token_url"]
        userInfoURL = try row["user_info_url"]
        requiresProofKey = try row["requires_pkce"]
        syncsAttributes = try row["sync_attributes"]
        refusesMoreIdentifications = try row["refuses_identifications"]
        allowsOrganizationLinking = try row["organization_linking"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, name, provider, StoredJSON(.strings(domains)), isActive, organizationID, clientID, clientSecret?.reveal(),
            discoveryURL, authorizationURL, tokenURL, userInfoURL, requiresProofKey, syncsAttributes, refusesMoreIdentifications,
            allowsOrganizationLinking, createdAt, updatedAt,
        ]
    }
}
