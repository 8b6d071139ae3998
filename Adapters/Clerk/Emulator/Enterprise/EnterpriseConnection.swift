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

/// Enterprise connections as the two APIs show them; the client's secret is in neither.
struct EnterpriseJSON {
    let context: RequestContext

    /// The connection.
    ///
    /// The Frontend API leaves out what has no value, and says where the provider must send browsers back to.
    func connection(_ connection: EnterpriseConnectionRecord, isPrivate: Bool) -> JSON {
        var config: JSONObject = [
            "id": .string("oacfg_" + connection.id.drop { $0 != "_" }.dropFirst()), "name": .string(connection.name),
            "provider_key": .string(connection.provider), "requires_pkce": .bool(connection.requiresProofKey),
            "client_id": .optional(connection.clientID), "discovery_url": .optional(connection.discoveryURL),
            "auth_url": .optional(connection.authorizationURL), "token_url": .optional(connection.tokenURL),
            "user_info_url": .optional(connection.userInfoURL), "created_at": .time(connection.createdAt),
            "updated_at": .time(connection.updatedAt),
        ]
        if isPrivate {
            config["logo_public_url"] = .some(.null)
        } else {
            config["redirect_uri"] = .string(ProviderRedirects.callback(context))
        }
        var json: JSONObject = [
            "id": .string(connection.id), "name": .string(connection.name), "provider": .string(connection.provider),
            "domains": .strings(connection.domains), "active": .bool(connection.isActive),
            "organization_id": .optional(connection.organizationID), "logo_public_url": nil,
            "sync_user_attributes": .bool(connection.syncsAttributes),
            "disable_additional_identifications": .bool(connection.refusesMoreIdentifications),
            "allow_organization_account_linking": .bool(connection.allowsOrganizationLinking),
            // The documents ask for these two and say no more: users can always sign in, and are made at their first sign-in.
            "authenticatable": true, "disable_jit_provisioning": false,
            "oauth_config": .object(isPrivate ? config : Self.given(config)),
            "created_at": .time(connection.createdAt), "updated_at": .time(connection.updatedAt),
        ]
        guard isPrivate else {
            json["disable_jit_provisioning"] = nil
            return .object(Self.given(json))
        }
        json["object"] = "enterprise_connection"
        json["custom_attributes"] = []
        json["saml_connection"] = nil as JSON
        return .object(json)
    }

    /// An account at a connection's provider, as a member of its user.
    func account(_ account: EnterpriseAccountRecord, _ connection: EnterpriseConnectionRecord) -> JSON {
        [
            "object": "enterprise_account", "id": .string(account.id), "protocol": "oauth",
            "provider": .string(connection.provider), "active": .bool(connection.isActive),
            "email_address": .string(account.email), "first_name": .optional(account.firstName),
            "last_name": .optional(account.lastName), "provider_user_id": .string(account.subject), "public_metadata": [:],
            "verification": account.verification.json(at: context.now), "last_authenticated_at": .time(account.authenticatedAt),
            "enterprise_connection_id": .string(connection.id),
            "enterprise_connection": [
                "id": .string(connection.id), "protocol": "oauth", "provider": .string(connection.provider),
                "name": .string(connection.name), "domains": .strings(connection.domains), "logo_public_url": nil,
                "active": .bool(connection.isActive), "sync_user_attributes": .bool(connection.syncsAttributes),
                "disable_additional_identifications": .bool(connection.refusesMoreIdentifications), "allow_subdomains": false,
                "allow_idp_initiated": false, "created_at": .time(connection.createdAt),
                "updated_at": .time(connection.updatedAt),
            ],
        ]
    }

    private static func given(_ json: JSONObject) -> JSONObject {
        JSONObject(json.filter { $0.name == "logo_public_url" || !$0.value.isNull }.map { ($0.name, $0.value) })
    }
}
