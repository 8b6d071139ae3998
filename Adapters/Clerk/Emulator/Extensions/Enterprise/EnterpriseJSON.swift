internal import LockstepEmulation
internal import LockstepPrimitives

/// Enterprise connections in the JSON of the two APIs; neither shows the client's secret.
struct EnterpriseJSON {
    let context: RequestContext

    /// Returns the connection as JSON.
    ///
    /// The Frontend API omits members without a value, and contains the URL to which the provider must redirect.
    func connection(_ connection: EnterpriseConnectionRecord, isPrivate: Bool) -> JSON {
        var config: JSONObject = [
            "id": .string("oacfg_" + connection.id.drop { $0 != "_" }.dropFirst()), "name": .string(connection.name),
            "provider_key": .string(connection.provider), "requires_pkce": .bool(connection.requiresProofKey),
            "client_id": .text(connection.clientID), "discovery_url": .text(connection.discoveryURL),
            "auth_url": .text(connection.authorizationURL), "token_url": .text(connection.tokenURL),
            "user_info_url": .text(connection.userInfoURL), "created_at": .time(connection.createdAt),
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
            "organization_id": .text(connection.organizationID), "logo_public_url": nil,
            "sync_user_attributes": .bool(connection.syncsAttributes),
            "disable_additional_identifications": .bool(connection.refusesMoreIdentifications),
            "allow_organization_account_linking": .bool(connection.allowsOrganizationLinking),
            // The documents require these two members without an explanation. Here, users can always sign in, and are
            // created at their first sign-in.
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

    /// Returns an account at a connection's provider, as a member of its user's JSON.
    func account(_ account: EnterpriseAccountRecord, _ connection: EnterpriseConnectionRecord) -> JSON {
        [
            "object": "enterprise_account", "id": .string(account.id), "protocol": "oauth",
            "provider": .string(connection.provider), "active": .bool(connection.isActive),
            "email_address": .string(account.email), "first_name": .text(account.firstName),
            "last_name": .text(account.lastName), "provider_user_id": .string(account.subject), "public_metadata": [:],
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
