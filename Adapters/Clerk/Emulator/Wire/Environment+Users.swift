import LockstepPrimitives

extension Environment {
    /// The attributes of users and the allowed actions.
    var userSettings: JSON {
        var json: JSONObject = [
            "attributes": attributes,
            "sign_in": ["second_factor": ["required": false, "enabled": .bool(!settings.secondFactors.isEmpty)]],
            "sign_up": [
                "captcha_enabled": .bool(settings.asksForCaptcha), "captcha_widget_type": "smart",
                "custom_action_required": false, "progressive": true,
                "mode": .string(settings.signUpMode.rawValue), "legal_consent_enabled": .bool(settings.requiresLegalConsent),
                "mfa": ["required": false],
            ],
            "restrictions": [
                "allowlist": ["enabled": .bool(settings.restrictions.hasAllowlist)],
                "blocklist": ["enabled": .bool(settings.restrictions.hasBlocklist)],
                "allowlist_blocklist_disabled_on_sign_in": ["enabled": .bool(settings.restrictions.ignoresListsAtSignIn)],
                "block_email_subaddresses": ["enabled": .bool(settings.restrictions.refusesSubaddresses)],
                "block_disposable_email_domains": ["enabled": .bool(settings.restrictions.refusesDisposableDomains)],
            ],
            "username_settings": [
                "min_length": .int(Int64(settings.usernameRules.minimumLength)),
                "max_length": .int(Int64(settings.usernameRules.maximumLength)),
                "allow_extended_special_characters": .bool(settings.usernameRules.allowsSigns), "allow_numeric_usernames": false,
            ],
            "actions": [
                "delete_self": .bool(settings.allowsDeletingSelf), "create_organization": true, "create_organizations_limit": nil,
            ],
            "attack_protection": [
                "user_lockout": [
                    "enabled": .bool(settings.lockout != nil), "max_attempts": .int(Int64(settings.lockout?.attempts ?? 100)),
                    "duration_in_minutes": .int((settings.lockout?.duration ?? .seconds(3600)).components.seconds / 60),
                ],
                "pii": ["enabled": .bool(settings.hidesPersonalData)],
                "email_link": ["require_same_client": .bool(settings.bindsLinksToClient)],
                "enumeration_protection": ["enabled": .bool(settings.hidesAccounts)],
            ],
            "passkey_settings": ["allow_autofill": true, "show_sign_in_button": true],
            "social": social,
            "saml": ["enabled": false],
        ]
        for (name, value) in members { json[name] = value }
        json["password_settings"] = passwordSettings
        return .object(json)
    }

    private var passwordSettings: JSON {
        let policy = settings.passwordPolicy
        return [
            "disable_hibp": .bool(!policy.refusesKnownLeaks), "min_length": .int(Int64(policy.minimumLength)),
            "max_length": .int(policy.maximumLength == 72 ? 0 : Int64(policy.maximumLength)),
            "require_special_char": .bool(policy.requiresSign), "require_numbers": .bool(policy.requiresDigit),
            "require_uppercase": .bool(policy.requiresUpperCase), "require_lowercase": .bool(policy.requiresLowerCase),
            "show_zxcvbn": false, "min_zxcvbn_strength": 0, "enforce_hibp_on_sign_in": false,
            "allowed_special_characters": "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~", "disable_password_reverification": false,
        ]
    }

    private var social: JSON {
        .object(
            JSONObject(
                settings.providers.sorted { $0.name < $1.name }.map { provider in
                    (
                        "oauth_\(provider.name)",
                        [
                            "enabled": .bool(provider.allowsRedirect), "required": false,
                            "authenticatable": .bool(provider.allowsRedirect), "block_email_subaddresses": false,
                            "strategy": .string("oauth_\(provider.name)"), "not_selectable": false, "deprecated": false,
                            "name": .string(provider.title), "logo_url": "",
                        ] as JSON
                    )
                }))
    }

    private var attributes: JSON {
        let email = Set(settings.emailSignIn.map(\.rawValue)).sorted()
        return [
            "email_address": attribute(
                settings.emailAddress, first: email, usesFirst: true,
                verifications: settings.emailVerification.map(\.rawValue).sorted(),
                verifies: settings.verifiesEmailAtSignUp),
            "phone_number": attribute(
                settings.phoneNumber, first: settings.signsInByPhoneCode ? ["phone_code"] : [], usesFirst: true,
                second: settings.secondFactors.contains(.phoneCode) ? ["phone_code"] : [], verifications: ["phone_code"],
                verifies: settings.verifiesPhoneAtSignUp),
            "username": attribute(settings.username, usesFirst: true),
            "web3_wallet": attribute(.off),
            "first_name": attribute(settings.firstName),
            "last_name": attribute(settings.lastName),
            "password": attribute(settings.password, usesFirst: settings.signsInByPassword),
            "authenticator_app": attribute(
                settings.secondFactors.contains(.totp) ? .optional : .off, second: ["totp"], verifications: ["totp"]),
            "ticket": attribute(.optional),
            "backup_code": attribute(settings.secondFactors.contains(.backupCode) ? .optional : .off, second: ["backup_code"]),
            "passkey": attribute(
                settings.passkeys.isEnabled ? .optional : .off, first: ["passkey"], usesFirst: true, verifications: ["passkey"]),
        ]
    }

    private func attribute(
        _ requirement: Requirement, first: [String] = [], usesFirst: Bool = false, second: [String] = [],
        verifications: [String] = [],
        verifies: Bool = false
    ) -> JSON {
        let isOn = requirement.isEnabled
        return [
            "enabled": .bool(isOn), "required": .bool(requirement == .required),
            "used_for_first_factor": .bool(isOn && usesFirst),
            "first_factors": .strings(isOn ? first : []), "used_for_second_factor": .bool(isOn && !second.isEmpty),
            "second_factors": .strings(isOn ? second : []), "verifications": .strings(isOn ? verifications : []),
            "verify_at_sign_up": .bool(isOn && verifies), "immutable": false,
        ]
    }
}
