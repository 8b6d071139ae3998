import LockstepPrimitives

/// The body of `GET /v1/environment`: the settings as clients see them.
///
/// Key for key as recorded (clerk_api/environment_test); ids are fixed, because there is one instance.
struct Environment {
    let settings: ClerkSettings

    /// The whole body; it has no envelope.
    var json: JSON {
        [
            "auth_config": authConfig,
            "display_config": displayConfig,
            "user_settings": userSettings,
            "organization_settings": organizationSettings,
            "commerce_settings": [
                "billing": [
                    "stripe_publishable_key": "", "enabled": false, "has_paid_user_plans": false, "has_paid_org_plans": false,
                    "free_trial_requires_payment_method": true,
                    "user": ["enabled": false, "has_paid_plans": false],
                    "organization": ["enabled": false, "has_paid_plans": false],
                ]
            ],
            "api_keys_settings": ["enabled": false, "user_api_keys_enabled": false, "orgs_api_keys_enabled": false],
            "maintenance_mode": false,
            "client_debug_mode": false,
            "partitioned_cookies": false,
        ]
    }

    private var authConfig: JSON {
        let providers = settings.providers.filter(\.allowsRedirect).map { "oauth_\($0.name)" }
        let identifiers = settings.identifierNames
        let required = identifiers.filter { settings.requirement(of: $0) == .required }
        let optional = identifiers.filter { settings.requirement(of: $0) == .optional }
        return [
            "object": "auth_config",
            "id": "aconf_lockstep",
            "first_name": settings.firstName.configText,
            "last_name": settings.lastName.configText,
            "email_address": settings.emailAddress.isEnabled ? "on" : "off",
            "phone_number": settings.phoneNumber.isEnabled ? "on" : "off",
            "username": settings.username.isEnabled ? "on" : "off",
            "password": settings.password.configText,
            "identification_requirements": [.strings((required + providers).sorted()), .strings(optional.sorted())],
            "identification_strategies": .strings((identifiers + providers).sorted()),
            "first_factors": .strings(settings.firstFactors),
            "second_factors": .strings(settings.secondFactors.map(\.rawValue).sorted()),
            "email_address_verification_strategies": .strings(settings.emailVerification.map(\.rawValue).sorted()),
            "single_session_mode": .bool(settings.isSingleSession),
            "enhanced_email_deliverability": false,
            "test_mode": .bool(settings.isTestMode),
            "cookieless_dev": true,
            "url_based_session_syncing": true,
            "claimed_at": nil,
            "reverification": .bool(settings.asksAgain),
        ]
    }

    private var organizationSettings: JSON {
        [
            "enabled": false,
            "max_allowed_memberships": 5,
            "actions": ["admin_delete": true],
            "domains": ["enabled": false, "enrollment_modes": [], "default_role": nil],
            "creator_role": "org:admin",
            "slug": ["disabled": false],
            "force_organization_selection": false,
        ]
    }
}

extension Requirement {
    /// The word in `auth_config`.
    fileprivate var configText: JSON {
        switch self {
        case .off: "off"
        case .optional: "on"
        case .required: "required"
        }
    }
}

extension JSON {
    /// A list of texts.
    static func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map { .string($0) }) }

    /// A text or `null`.
    static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    /// Milliseconds since 1970, or `null`.
    static func time(_ instant: Instant?) -> JSON { instant.map { .int($0.milliseconds) } ?? .null }
}
