internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A company's identity provider, and the domains whose users sign in with it.
struct EnterpriseConnectionRecord: Record {
    var id: String
    var name: String
    /// `oidc_custom`, `oidc_github_enterprise`, `oidc_gitlab`.
    var provider: String
    /// In lower case.
    var domains: [String]
    var isActive: Bool
    /// The organization whose members its users become.
    var organizationID: String?
    var clientID: String?
    var clientSecret: Secret?
    /// The OpenID configuration of the issuer, which contains the other URLs.
    var discoveryURL: String?
    var authorizationURL: String?
    var tokenURL: String?
    var userInfoURL: String?
    var requiresProofKey = false
    /// Whether the user's names are updated from the provider at each sign-in.
    var syncsAttributes = true
    /// Whether its users must not add addresses and accounts.
    var refusesMoreIdentifications = false
    var allowsOrganizationLinking = false
    var createdAt: Instant
    var updatedAt: Instant

    /// The values that an active connection needs and this one lacks, by the field names in the documents.
    var missing: [String] {
        var missing = clientID == nil ? ["client_id"] : []
        if discoveryURL == nil {
            if authorizationURL == nil { missing.append("auth_url") }
            if tokenURL == nil { missing.append("token_url") }
            if userInfoURL == nil { missing.append("user_info_url") }
        }
        return missing
    }

    /// The first factor that the connection provides for its users.
    var factor: JSONObject {
        [
            "strategy": .string(EnterpriseFlow.strategy), "enterprise_connection_id": .string(id),
            "enterprise_connection_name": .string(name),
        ]
    }

    /// Whether an address belongs to one of its domains.
    func covers(_ address: String) -> Bool {
        domains.contains(EnterpriseConnections.domain(of: address))
    }
}

extension EnterpriseConnectionRecord {
    init() {
        self.init(id: "", name: "", provider: "", domains: [], isActive: false, createdAt: .distantPast, updatedAt: .distantPast)
    }

    static let table = Table<EnterpriseConnectionRecord>(
        "enterprise_connections",
        [
            Column("id", \.id, .key), Column("name", \.name), Column("provider", \.provider),
            Column("domains", texts: \.domains), Column("active", \.isActive),
            Column("organization_id", \.organizationID, .belongs(to: "organizations")), Column("client_id", \.clientID),
            Column("client_secret", \.clientSecret), Column("discovery_url", \.discoveryURL),
            Column("auth_url", \.authorizationURL), Column("token_url", \.tokenURL), Column("user_info_url", \.userInfoURL),
            Column("requires_pkce", \.requiresProofKey), Column("sync_attributes", \.syncsAttributes),
            Column("refuses_identifications", \.refusesMoreIdentifications),
            Column("organization_linking", \.allowsOrganizationLinking), Column("created_at", \.createdAt),
            Column("updated_at", \.updatedAt),
        ])
}
