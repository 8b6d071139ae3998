internal import LockstepEmulation

extension BodySchema.Kind {
    static let clientType: Self = .choice([
        "CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID", "CLIENT_TYPE_IOS",
    ])
    static let recaptchaVersion: Self = .choice(["RECAPTCHA_VERSION_UNSPECIFIED", "RECAPTCHA_ENTERPRISE"])
    static let federatedUserID: Self = .members(["providerId": .text, "rawId": .text])
    static let identity: Self = .members([
        "displayName": .text, "email": .text, "federatedId": .text, "phoneNumber": .text, "photoUrl": .text, "providerId": .text,
        "rawId": .text, "screenName": .text,
    ])
    static let factor: Self = .members([
        "displayName": .text, "emailInfo": .members(["emailAddress": .text]), "enrolledAt": .text, "mfaEnrollmentId": .text,
        "phoneInfo": .text, "totpInfo": .members(.none), "unobfuscatedPhoneInfo": .text, Factor.secretName: .text,
    ])
    static let user: Self = .members([
        "createdAt": .text, "customAttributes": .text, "customAuth": .flag, "dateOfBirth": .text, "disabled": .flag,
        "displayName": .text, "email": .text, "emailLinkSignin": .flag, "emailVerified": .flag, "initialEmail": .text,
        "language": .text, "lastLoginAt": .text, "lastRefreshAt": .text, "localId": .text, "mfaInfo": .list(.factor),
        "passwordHash": .text, "passwordUpdatedAt": .number, "phoneNumber": .text, "photoUrl": .text,
        "providerUserInfo": .list(.identity), "rawPassword": .text, "salt": .text, "screenName": .text, "tenantId": .text,
        "timeZone": .text, "validSince": .text, "version": .whole,
        "passkeyInfo": .list(.members(["credentialId": .text, "name": .text])),
    ])
    static let phoneRequest: Self = .members([
        "autoRetrievalInfo": .members(["appSignatureHash": .text]), "captchaResponse": .text, "clientType": .clientType,
        "iosReceipt": .text, "iosSecret": .text, "phoneNumber": .text, "playIntegrityToken": .text, "recaptchaToken": .text,
        "recaptchaVersion": .recaptchaVersion, "safetyNetToken": .text,
    ])
    static let phoneProof: Self = .members([
        "androidVerificationProof": .text, "code": .text, "phoneNumber": .text, "sessionInfo": .text,
    ])
    static let factors: Self = .members([
        "state": .choice(["STATE_UNSPECIFIED", "DISABLED", "ENABLED", "MANDATORY"]),
        "enabledProviders": .list(.choice(["PROVIDER_UNSPECIFIED", "PHONE_SMS"])),
        "providerConfigs": .list(
            .members([
                "state": .choice(["MFA_STATE_UNSPECIFIED", "DISABLED", "ENABLED", "MANDATORY"]),
                "totpProviderConfig": .members(["adjacentIntervals": .whole]),
            ])),
    ])
    static let passwordPolicy: Self = .members([
        "forceUpgradeOnSignin": .flag, "lastUpdateTime": .text,
        "passwordPolicyEnforcementState": .choice(["PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED", "OFF", "ENFORCE"]),
        "passwordPolicyVersions": .list(
            .members([
                "schemaVersion": .whole,
                "customStrengthOptions": .members([
                    "containsLowercaseCharacter": .flag, "containsNonAlphanumericCharacter": .flag,
                    "containsNumericCharacter": .flag, "containsUppercaseCharacter": .flag, "maxPasswordLength": .whole,
                    "minPasswordLength": .whole,
                ]),
            ])),
    ])
    static let emailPrivacy: Self = .members(["enableImprovedEmailPrivacy": .flag])
}

extension BodySchema {
    static let standardProvider: BodySchema = [
        "appleSignInConfig": .optional(
            .members([
                "bundleIds": .list(.text), "codeFlowConfig": .members(["keyId": .text, "privateKey": .text, "teamId": .text]),
            ])),
        "clientId": .optional(.text), "clientSecret": .optional(.text), "enabled": .optional(.flag), "name": .optional(.text),
    ]
    static let openIDProvider: BodySchema = [
        "clientId": .optional(.text), "clientSecret": .optional(.text), "displayName": .optional(.text),
        "enabled": .optional(.flag), "issuer": .optional(.text), "name": .optional(.text),
        "responseType": .optional(.members(["code": .flag, "idToken": .flag, "token": .flag])),
    ]
    static let samlProvider: BodySchema = [
        "displayName": .optional(.text), "enabled": .optional(.flag), "name": .optional(.text),
        "idpConfig": .optional(
            .members([
                "idpCertificates": .list(.members(["x509Certificate": .text])), "idpEntityId": .text, "signRequest": .flag,
                "ssoUrl": .text,
            ])),
        "spConfig": .optional(
            .members(["callbackUri": .text, "spCertificates": .list(.anything), "spEntityId": .text])),
    ]
}
