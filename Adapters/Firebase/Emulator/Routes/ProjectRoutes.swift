internal import LockstepEmulation
internal import LockstepPrimitives

/// The configuration of a project, and its public part.
struct ProjectRoutes {
    let context: RequestContext

    /// Firebase's `projects.getConfig`.
    func config() throws -> JSON {
        try context.need(context.scope.tenant == nil, "((Can only get top-level configurations on agent projects.))")
        return ProjectConfigDocument(project: context.scope, state: context.state).json
    }

    static let configBody: BodySchema = [
        "authorizedDomains": .list(.text), "autodeleteAnonymousUsers": .flag,
        "blockingFunctions": .members([
            "forwardInboundCredentials": .members(["accessToken": .flag, "idToken": .flag, "refreshToken": .flag]),
            "triggers": .map(.members(["functionUri": .text, "updateTime": .text])),
        ]),
        "client": .object, "defaultHostingSite": .text, "emailPrivacyConfig": .emailPrivacy, "mfa": .factors,
        "mobileLinksConfig": .object, "monitoring": .object, "multiTenant": .object, "name": .text,
        "notification": .object, "passwordPolicyConfig": .passwordPolicy, "quota": .object,
        "recaptchaConfig": .object,
        "signIn": .members([
            "allowDuplicateEmails": .flag, "anonymous": .members(["enabled": .flag]),
            "email": .members(["enabled": .flag, "passwordRequired": .flag]), "hashConfig": .object,
            "phoneNumber": .members(["enabled": .flag, "testPhoneNumbers": .map(.text)]),
        ]),
        "smsRegionConfig": .object, "subtype": .choice(["SUBTYPE_UNSPECIFIED", "IDENTITY_PLATFORM", "FIREBASE_AUTH"]),
    ]

    /// Firebase's `projects.updateConfig`.
    func updateConfig() throws -> JSON {
        try context.need(context.scope.tenant == nil, "((Can only update top-level configurations on agent projects.))")
        let change = context.body.members
        for (event, trigger) in change["blockingFunctions"]?["triggers"]?.object ?? [:] {
            try context.require(
                BlockingFunctions.Event(rawValue: event) != nil, .invalidBlockingFunction, "((Event type is invalid.))")
            try context.require(
                WebAddress(trigger["functionUri"]?.string ?? "") != nil, .invalidBlockingFunction,
                "((Expected an absolute URI with valid scheme and host.))")
        }
        let mask = context.query["updateMask"] ?? ""
        if context.isStrict { try SMSRegions.check(change) }
        let config = mask.isEmpty ? replaced(by: change) : try FieldMask(mask).applied(to: context.scope.config, context)
        let changed = try context.scopes.setConfig(config, of: context.scope)
        return ProjectConfigDocument(project: changed, state: context.state).json
    }

    /// Without a mask, everything is replaced; members without a value get defaults.
    private func replaced(by change: JSONObject) -> JSONObject {
        var config = change
        var signIn = change["signIn"]?.object ?? [:]
        signIn["allowDuplicateEmails"] = .bool(signIn["allowDuplicateEmails"]?.bool ?? false)
        config["signIn"] = .object(signIn)
        config["blockingFunctions"] = change["blockingFunctions"] ?? [:]
        let isHidden = change["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"]?.bool ?? false
        config["emailPrivacyConfig"] = ["enableImprovedEmailPrivacy": .bool(isHidden)]
        return config
    }

    /// `GET /v1/projects`: the public settings of a project.
    func info() throws -> JSON {
        try context.require(context.scope.tenant == nil, .unsupportedTenantOperation)
        return [
            "projectId": .string(context.settings.projectNumber),
            "authorizedDomains": .array(context.rules.authorizedDomains.map(JSON.string)),
        ]
    }

    /// `GET /v2/passwordPolicy`: Firebase's emulator does not have it.
    func passwordPolicy() throws -> JSON {
        guard context.isStrict else {
            throw APIError.notImplemented("identitytoolkit.getPasswordPolicy is not implemented in the Auth Emulator.")
        }
        return context.rules.passwordPolicy.json
    }

    /// `GET /v1/recaptchaParams`: returns obviously invented values.
    func captchaParameters() throws -> JSON {
        return [
            "kind": "identitytoolkit#GetRecaptchaParamResponse",
            "recaptchaStoken":
                "This-is-a-fake-token__Dont-send-this-to-the-Recaptcha-service__The-Auth-Emulator-does-not-support-Recaptcha",
            "recaptchaSiteKey": "Fake-key__Do-not-send-this-to-Recaptcha_",
        ]
    }
}
