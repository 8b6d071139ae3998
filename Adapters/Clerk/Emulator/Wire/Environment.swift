import LockstepPrimitives

/// The body of `GET /v1/environment`: the settings as clients see them.
///
/// The keys are the same as in the recordings (clerk_api/environment_test); ids are fixed, because there is one
/// instance.
struct Environment {
    let settings: ClerkSettings
    /// The members of extensions in the user settings.
    let members: JSONObject
    /// Returns the role set of new organizations.
    let roles: RoleSetRecord

    init(_ context: RequestContext) throws {
        settings = context.settings
        members = try context.extensions.environmentMembers()
        roles = try context.roles.initialSet()
    }

    /// The whole body, without an envelope.
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
        let rules = settings.organizations
        let domains = rules.isEnabled && rules.hasDomains
        return [
            "enabled": .bool(rules.isEnabled),
            "max_allowed_memberships": .int(Int64(rules.membershipLimit)),
            "actions": ["admin_delete": .bool(rules.allowsAdminDelete)],
            "domains": [
                "enabled": .bool(domains),
                "enrollment_modes": .strings(
                    domains ? rules.offeredModes : []),
                "default_role": domains ? .text(roles.defaultRole) : nil,
            ],
            "creator_role": .text(roles.creatorRole),
            "slug": ["disabled": .bool(!rules.hasSlugs)],
            "force_organization_selection": .bool(rules.isEnabled && rules.isSelectionForced),
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

extension Environment {
    /// The display settings of pages; the emulator has no pages, so their addresses are empty.
    var displayConfig: JSON {
        var object: JSONObject = [
            "object": "display_config",
            "id": "dconf_lockstep",
            "instance_environment_type": "development",
            "application_name": .string(settings.applicationName),
            "theme": [
                "buttons": ["font_color": "#ffffff", "font_family": "sans-serif", "font_weight": "600"],
                "general": [
                    "color": "#6c47ff", "padding": "1em", "box_shadow": "0 2px 8px rgba(0, 0, 0, 0.2)", "font_color": "#151515",
                    "font_family": "sans-serif", "border_radius": "0.5em", "background_color": "#ffffff",
                    "label_font_weight": "600",
                ],
                "accounts": ["background_color": "#ffffff"],
            ],
            "preferred_sign_in_strategy": settings.password.isEnabled ? "password" : "otp",
        ]
        for name in [
            "logo_image_url", "favicon_image_url", "home_url", "sign_in_url", "sign_up_url", "user_profile_url", "waitlist_url",
            "after_sign_in_url", "after_sign_up_url", "after_sign_out_one_url", "after_sign_out_all_url",
            "after_switch_session_url",
            "after_join_waitlist_url", "organization_profile_url", "create_organization_url", "after_leave_organization_url",
            "after_create_organization_url", "logo_link_url",
        ] { object[name] = "" }
        let rest: JSONObject = [
            "support_email": nil, "branded": true, "experimental_force_oauth_first": false, "clerk_js_version": "6",
            "show_devmode_warning": false, "google_one_tap_client_id": nil, "help_url": nil, "privacy_policy_url": nil,
            "terms_url": nil,
            "logo_url": nil, "favicon_url": nil, "logo_image": nil, "favicon_image": nil, "captcha_public_key": nil,
            "captcha_widget_type": nil, "captcha_public_key_invisible": nil, "captcha_provider": nil, "captcha_oauth_bypass": [],
            "oauth_consent_url": "",
        ]
        for (name, value) in rest { object[name] = value }
        return .object(object)
    }
}
