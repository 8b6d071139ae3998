import LockstepPrimitives

/// The errors of enterprise connections and their providers.
extension ClerkError {
    static let signInConnectionMissing = ClerkError(
        422, "enterprise_sso_sign_in_connection_missing", "No Enterprise Connection for this sign-in",
        "The current sign-in does not have a corresponding Enterprise Connection. Please check the domain of the provided email address."
    )
    static let signUpConnectionMissing = ClerkError(
        422, "enterprise_sso_sign_up_connection_missing", "No Enterprise Connection for this sign-up",
        "The current sign-up does not have a corresponding Enterprise Connection. Please check the domain of the provided email address."
    )
    static let enterpriseConnectionNotNamed = ClerkError(
        422, "enterprise_connection_id_is_required_with_multiple_connections",
        "Enterprise Connection ID is required with multiple connections",
        "The Enterprise Connection ID is required with multiple connections.", parameter: "enterprise_connection_id")
    static let mustUseEnterpriseIdentifier = ClerkError(
        422, "sign_in_must_use_enterprise_connection_identifier", "sign in with must use enterprise connection email address",
        "Your account is linked to an enterprise connection. You must sign in with an email address.", parameter: "identifier")
    static let enterpriseIdentificationsDisabled = ClerkError(
        422, "enterprise_sso_additional_identifications_disabled", "Identifications creation disabled by your enterprise account",
        "You cannot create identifications because your enterprise account does not allow it.")
    static let enterpriseTypeNotBuilt = ClerkError(
        400, "enterprise_connection_invalid_type", "Invalid enterprise connection type",
        "This emulator has no SAML: choose oidc_custom, oidc_github_enterprise or oidc_gitlab.", parameter: "provider")
    static let publicClientWithoutProofKey: Row<String> = row(
        422, "form_public_client_requires_pkce", "is invalid", "PKCE is required for OAuth clients without a secret",
        parameter: "{}")
    static let enterpriseAttributeMissing: Row<String> = row(
        400, "enterprise_sso_user_attribute_missing", "Enterprise Connection attribute missing",
        "The Enterprise Connection did not return the required '{}' attribute. Contact the IdP administrator to ensure it is included."
    )
    static let misconfiguredProvider: Row<String> = row(400, "misconfigured_oauth_provider", "Misconfigured OAuth provider", "{}")
    static let enterpriseAccountConnected: Row<String> = row(
        400, "enterprise_sso_account_already_connected", "Already connected",
        "The account is not of this address, or is connected to another user: {}")
    static let fetchUser = ClerkError(400, "oauth_fetch_user_error", "Fetch user error", "Fetch user error")
    static let noOrganizationForConnection = ClerkError(
        403, "self_serve_sso_no_active_organization", "no active organization",
        "Self-serve SSO requires an active organization. Switch to an organization before creating an enterprise connection.")

    static func enterpriseConnectionIncomplete(_ fields: [String]) -> ClerkError {
        ClerkError(
            422, "saml_connection_cant_be_activated", "The connection can't be activated",
            "You have to provide the \(fields.joined(separator: ", ")) before you are able to activate this connection.")
    }

    static func enterpriseDomain(_ received: String, _ expected: [String]) -> ClerkError {
        ClerkError(
            400, "enterprise_sso_email_address_domain_mismatch", "Enterprise Connection email address domain mismatch",
            "The email address returned by the provider (\(received)) does not match the domain of the enterprise connection (\(expected.joined(separator: ", ")))."
        )
    }

    static func issuerMismatch(_ address: String, _ issuer: String) -> ClerkError {
        ClerkError(
            422, "custom_oauth_provider_discovery_issuer_mismatch", "issuer mismatch in custom OAuth provider discovery URL",
            "The issuer in the discovery URL (\(address)) does not match the issuer returned in the configuration (\(issuer)).")
    }
}
