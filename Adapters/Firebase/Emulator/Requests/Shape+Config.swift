extension Shape {
    private static let factors = Shape.message([
        "state": .choice(["STATE_UNSPECIFIED", "DISABLED", "ENABLED", "MANDATORY"]),
        "enabledProviders": .list(.choice(["PROVIDER_UNSPECIFIED", "PHONE_SMS"])),
        "providerConfigs": .list(
            .message([
                "state": .choice(["MFA_STATE_UNSPECIFIED", "DISABLED", "ENABLED", "MANDATORY"]),
                "totpProviderConfig": .message(["adjacentIntervals": .whole]),
            ])),
    ])
    private static let passwordPolicy = Shape.message([
        "forceUpgradeOnSignin": .flag, "lastUpdateTime": .text,
        "passwordPolicyEnforcementState": .choice(["PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED", "OFF", "ENFORCE"]),
        "passwordPolicyVersions": .list(
            .message([
                "schemaVersion": .whole,
                "customStrengthOptions": .message([
                    "containsLowercaseCharacter": .flag, "containsNonAlphanumericCharacter": .flag,
                    "containsNumericCharacter": .flag, "containsUppercaseCharacter": .flag, "maxPasswordLength": .whole,
                    "minPasswordLength": .whole,
                ]),
            ])),
    ])
    private static let emailPrivacy = Shape.message(["enableImprovedEmailPrivacy": .flag])

    static let projectConfig = Shape.message([
        "authorizedDomains": .list(.text), "autodeleteAnonymousUsers": .flag,
        "blockingFunctions": .message([
            "forwardInboundCredentials": .message(["accessToken": .flag, "idToken": .flag, "refreshToken": .flag]),
            "triggers": .map(.message(["functionUri": .text, "updateTime": .text])),
        ]),
        "client": .map(.anything), "defaultHostingSite": .text, "emailPrivacyConfig": emailPrivacy, "mfa": factors,
        "mobileLinksConfig": .map(.anything), "monitoring": .map(.anything), "multiTenant": .map(.anything), "name": .text,
        "notification": .map(.anything), "passwordPolicyConfig": passwordPolicy, "quota": .map(.anything),
        "recaptchaConfig": .map(.anything),
        "signIn": .message([
            "allowDuplicateEmails": .flag, "anonymous": .message(["enabled": .flag]),
            "email": .message(["enabled": .flag, "passwordRequired": .flag]), "hashConfig": .map(.anything),
            "phoneNumber": .message(["enabled": .flag, "testPhoneNumbers": .map(.text)]),
        ]),
        "smsRegionConfig": .map(.anything), "subtype": .choice(["SUBTYPE_UNSPECIFIED", "IDENTITY_PLATFORM", "FIREBASE_AUTH"]),
    ])

    static let tenant = Shape.message([
        "allowPasswordSignup": .flag, "autodeleteAnonymousUsers": .flag, "client": .map(.anything), "disableAuth": .flag,
        "displayName": .text, "emailPrivacyConfig": emailPrivacy, "enableAnonymousUser": .flag, "enableEmailLinkSignin": .flag,
        "hashConfig": .map(.anything), "inheritance": .map(.anything), "mfaConfig": factors,
        "mobileLinksConfig": .map(.anything), "monitoring": .map(.anything), "name": .text,
        "passwordPolicyConfig": passwordPolicy, "recaptchaConfig": .map(.anything), "smsRegionConfig": .map(.anything),
        "testPhoneNumbers": .map(.text),
    ])
}

extension Shape {
    static let standardProvider = Shape.message([
        "appleSignInConfig": .optional(
            .message([
                "bundleIds": .list(.text), "codeFlowConfig": .message(["keyId": .text, "privateKey": .text, "teamId": .text]),
            ])),
        "clientId": .optional(.text), "clientSecret": .optional(.text), "enabled": .optional(.flag), "name": .optional(.text),
    ])
    static let openIDProvider = Shape.message([
        "clientId": .optional(.text), "clientSecret": .optional(.text), "displayName": .optional(.text),
        "enabled": .optional(.flag), "issuer": .optional(.text), "name": .optional(.text),
        "responseType": .optional(.message(["code": .flag, "idToken": .flag, "token": .flag])),
    ])
    static let samlProvider = Shape.message([
        "displayName": .optional(.text), "enabled": .optional(.flag), "name": .optional(.text),
        "idpConfig": .optional(
            .message([
                "idpCertificates": .list(.message(["x509Certificate": .text])), "idpEntityId": .text, "signRequest": .flag,
                "ssoUrl": .text,
            ])),
        "spConfig": .optional(
            .message(["callbackUri": .text, "spCertificates": .list(.anything), "spEntityId": .text])),
    ])
}
