import LockstepPrimitives

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
