extension Shape {
    private static let clientType = Shape.choice([
        "CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID", "CLIENT_TYPE_IOS",
    ])
    private static let recaptchaVersion = Shape.choice(["RECAPTCHA_VERSION_UNSPECIFIED", "RECAPTCHA_ENTERPRISE"])

    static let empty = Shape.message([:])

    static let createAuthURI = Shape.message([
        "appId": .text, "authFlowType": .text, "context": .text, "continueUri": .text, "customParameter": .map(.text),
        "hostedDomain": .text, "identifier": .text, "oauthConsumerKey": .text, "oauthScope": .text, "openidRealm": .text,
        "otaApp": .text, "providerId": .text, "sessionId": .text, "tenantId": .text,
    ])
    static let deleteAccount = Shape.message([
        "delegatedProjectNumber": .text, "idToken": .text, "localId": .text, "targetProjectId": .text, "tenantId": .text,
    ])
    static let lookup = Shape.message([
        "delegatedProjectNumber": .text, "email": .list(.text), "federatedUserId": .list(federatedUserID), "idToken": .text,
        "initialEmail": .list(.text), "localId": .list(.text), "phoneNumber": .list(.text), "targetProjectId": .text,
        "tenantId": .text,
    ])
    private static let federatedUserID = Shape.message(["providerId": .text, "rawId": .text])
    static let resetPassword = Shape.message([
        "email": .text, "newPassword": .text, "oldPassword": .text, "oobCode": .text, "tenantId": .text,
    ])
    static let sendOobCode = Shape.message([
        "androidInstallApp": .flag, "androidMinimumVersion": .text, "androidPackageName": .text, "canHandleCodeInApp": .flag,
        "captchaResp": .text, "captchaResponse": .text, "challenge": .text, "clientType": clientType, "continueUrl": .text,
        "dynamicLinkDomain": .text, "email": .text, "iOSAppStoreId": .text, "iOSBundleId": .text, "iosAppStoreId": .text,
        "iosBundleId": .text, "idToken": .text, "linkDomain": .text, "newEmail": .text, "recaptchaVersion": recaptchaVersion,
        "requestType": .choice([
            "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL", "RECOVER_EMAIL",
            "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
        ]),
        "returnOobLink": .flag, "targetProjectId": .text, "tenantId": .text, "userIp": .text,
    ])
    static let sendVerificationCode = Shape.message([
        "autoRetrievalInfo": .message(["appSignatureHash": .text]), "captchaResponse": .text, "clientType": clientType,
        "iosReceipt": .text, "iosSecret": .text, "phoneNumber": .text, "playIntegrityToken": .text, "recaptchaToken": .text,
        "recaptchaVersion": recaptchaVersion, "safetyNetToken": .text, "tenantId": .text,
    ])
    static let signInWithCustomToken = Shape.message([
        "delegatedProjectNumber": .text, "instanceId": .text, "returnSecureToken": .flag, "tenantId": .text, "token": .text,
    ])
    static let signInWithEmailLink = Shape.message(["email": .text, "idToken": .text, "oobCode": .text, "tenantId": .text])
    static let signInWithIdp = Shape.message([
        "autoCreate": .flag, "delegatedProjectNumber": .text, "idToken": .text, "pendingIdToken": .text, "pendingToken": .text,
        "postBody": .text, "requestUri": .text, "returnIdpCredential": .flag, "returnRefreshToken": .flag,
        "returnSecureToken": .flag, "sessionId": .text, "tenantId": .text,
    ])
    static let revokeToken = Shape.message([
        "idToken": .text, "providerId": .text, "redirectUri": .text, "tenantId": .text, "token": .text,
        "tokenType": .choice(["TOKEN_TYPE_UNSPECIFIED", "REFRESH_TOKEN", "ACCESS_TOKEN", "CODE"]),
    ])
    static let signInWithPassword = Shape.message([
        "captchaChallenge": .text, "captchaResponse": .text, "clientType": clientType, "delegatedProjectNumber": .text,
        "email": .text, "idToken": .text, "instanceId": .text, "password": .text, "pendingIdToken": .text,
        "recaptchaVersion": recaptchaVersion, "returnSecureToken": .flag, "tenantId": .text,
    ])
    static let signInWithPhoneNumber = Shape.message([
        "code": .text, "idToken": .text,
        "operation": .choice(["VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN", "REAUTH", "UPDATE", "LINK"]), "phoneNumber": .text,
        "sessionInfo": .text, "temporaryProof": .text, "tenantId": .text, "verificationProof": .text,
    ])
    static let signUp = Shape.message([
        "captchaChallenge": .text, "captchaResponse": .text, "clientType": clientType, "disabled": .flag, "displayName": .text,
        "email": .text, "emailVerified": .flag, "idToken": .text, "instanceId": .text, "localId": .text,
        "mfaInfo": .list(.message(["displayName": .text, "phoneInfo": .text])), "password": .text, "phoneNumber": .text,
        "photoUrl": .text, "recaptchaVersion": recaptchaVersion, "returnSecureToken": .unlisted(.flag), "targetProjectId": .text,
        "tenantId": .text,
    ])
    static let update = Shape.message([
        "captchaChallenge": .text, "captchaResponse": .text, "createdAt": .text, "customAttributes": .text,
        "delegatedProjectNumber": .text,
        "deleteAttribute": .list(
            .choice([
                "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD", "RAW_USER_INFO",
            ])),
        "deleteProvider": .list(.text), "disableUser": .flag, "displayName": .text, "email": .text, "emailVerified": .flag,
        "idToken": .text, "instanceId": .text, "lastLoginAt": .text, "linkProviderUserInfo": identity, "localId": .text,
        "mfa": .message(["enrollments": .list(factor)]), "oobCode": .text, "password": .text, "phoneNumber": .text,
        "photoUrl": .text, "provider": .list(.text), "returnSecureToken": .flag, "targetProjectId": .text, "tenantId": .text,
        "upgradeToFederatedLogin": .flag, "validSince": .text, "deletePasskey": .list(.text),
    ])
    private static let identity = Shape.message([
        "displayName": .text, "email": .text, "federatedId": .text, "phoneNumber": .text, "photoUrl": .text, "providerId": .text,
        "rawId": .text, "screenName": .text,
    ])
    private static let factor = Shape.message([
        "displayName": .text, "emailInfo": .message(["emailAddress": .text]), "enrolledAt": .text, "mfaEnrollmentId": .text,
        "phoneInfo": .text, "totpInfo": .empty, "unobfuscatedPhoneInfo": .text, Factor.secretName: .text,
    ])
    static let grantToken = Shape.message(["code": .text, "grantType": .text, "refreshToken": .text])
}

extension Shape {
    static let createSessionCookie = Shape.message(["idToken": .text, "tenantId": .text, "validDuration": .text])
    static let queryAccounts = Shape.message([
        "expression": .list(.message(["email": .text, "phoneNumber": .text, "userId": .text])), "limit": .text, "offset": .text,
        "order": .choice(["ORDER_UNSPECIFIED", "ASC", "DESC"]), "returnUserInfo": .flag,
        "sortBy": .choice(["SORT_BY_FIELD_UNSPECIFIED", "USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL"]),
        "tenantId": .text,
    ])
    static let batchDelete = Shape.message(["force": .flag, "localIds": .list(.text), "tenantId": .text])
    static let batchCreate = Shape.message([
        "allowOverwrite": .flag,
        "argon2Parameters": .message([
            "associatedData": .text, "hashLengthBytes": .whole,
            "hashType": .choice(["HASH_TYPE_UNSPECIFIED", "ARGON2_D", "ARGON2_ID", "ARGON2_I"]), "iterations": .whole,
            "memoryCostKib": .whole, "parallelism": .whole,
            "version": .choice(["VERSION_UNSPECIFIED", "VERSION_10", "VERSION_13"]),
        ]),
        "blockSize": .whole, "cpuMemCost": .whole, "delegatedProjectNumber": .text, "dkLen": .whole, "hashAlgorithm": .text,
        "memoryCost": .whole, "parallelization": .whole,
        "passwordHashOrder": .choice(["UNSPECIFIED_ORDER", "SALT_AND_PASSWORD", "PASSWORD_AND_SALT"]), "rounds": .whole,
        "saltSeparator": .text, "sanityCheck": .flag, "signerKey": .text, "targetProjectId": .text, "tenantId": .text,
        "users": .list(user),
    ])
    private static let user = Shape.message([
        "createdAt": .text, "customAttributes": .text, "customAuth": .flag, "dateOfBirth": .text, "disabled": .flag,
        "displayName": .text, "email": .text, "emailLinkSignin": .flag, "emailVerified": .flag, "initialEmail": .text,
        "language": .text, "lastLoginAt": .text, "lastRefreshAt": .text, "localId": .text, "mfaInfo": .list(factor),
        "passwordHash": .text, "passwordUpdatedAt": .number, "phoneNumber": .text, "photoUrl": .text,
        "providerUserInfo": .list(identity), "rawPassword": .text, "salt": .text, "screenName": .text, "tenantId": .text,
        "timeZone": .text, "validSince": .text, "version": .whole,
        "passkeyInfo": .list(.message(["credentialId": .text, "name": .text])),
    ])
    static let emulatorConfig = Shape.message([
        "signIn": .message(["allowDuplicateEmails": .flag]),
        "emailPrivacyConfig": .message(["enableImprovedEmailPrivacy": .flag]),
    ])
}

extension Shape {
    private static let phoneRequest = Shape.message([
        "autoRetrievalInfo": .message(["appSignatureHash": .text]), "captchaResponse": .text, "clientType": clientType,
        "iosReceipt": .text, "iosSecret": .text, "phoneNumber": .text, "playIntegrityToken": .text, "recaptchaToken": .text,
        "recaptchaVersion": recaptchaVersion, "safetyNetToken": .text,
    ])
    private static let phoneProof = Shape.message([
        "androidVerificationProof": .text, "code": .text, "phoneNumber": .text, "sessionInfo": .text,
    ])
    static let enrolmentStart = Shape.message([
        "idToken": .text, "phoneEnrollmentInfo": phoneRequest, "tenantId": .text, "totpEnrollmentInfo": .empty,
    ])
    static let enrolmentFinalize = Shape.message([
        "displayName": .text, "idToken": .text, "phoneVerificationInfo": phoneProof, "tenantId": .text,
        "totpVerificationInfo": .message(["sessionInfo": .text, "verificationCode": .text]),
    ])
    static let enrolmentWithdraw = Shape.message(["idToken": .text, "mfaEnrollmentId": .text, "tenantId": .text])
    static let factorStart = Shape.message([
        "mfaEnrollmentId": .text, "mfaPendingCredential": .text, "phoneSignInInfo": phoneRequest, "tenantId": .text,
    ])
    static let factorFinalize = Shape.message([
        "mfaEnrollmentId": .text, "mfaPendingCredential": .text, "phoneVerificationInfo": phoneProof, "tenantId": .text,
        "totpVerificationInfo": .message(["verificationCode": .text]),
    ])
    static let passkeyEnrolmentStart = Shape.message(["idToken": .text, "tenantId": .text])
    static let passkeyEnrolmentFinalize = Shape.message([
        "idToken": .text, "tenantId": .text, "authenticatorRegistrationResponse": .map(.anything), "name": .text,
        "displayName": .text,
    ])
    static let passkeySignInStart = Shape.message(["tenantId": .text])
    static let passkeySignInFinalize = Shape.message([
        "tenantId": .text, "authenticatorAuthenticationResponse": .map(.anything), "name": .text, "displayName": .text,
    ])
}
