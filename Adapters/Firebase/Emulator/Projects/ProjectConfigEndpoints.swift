internal import LockstepPasswords
internal import LockstepPrimitives

/// Firebase's `projects.getConfig`.
struct GetProjectConfig: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.need(request.scope.tenant == nil, "((Can only get top-level configurations on agent projects.))")
        return ProjectConfigDocument(project: request.scope, state: request.state).json
    }
}

/// Firebase's `projects.updateConfig`.
struct UpdateProjectConfig: Endpoint {
    let shape = Shape.projectConfig

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.need(request.scope.tenant == nil, "((Can only update top-level configurations on agent projects.))")
        let change = request.body.members
        for (event, trigger) in change["blockingFunctions"]?["triggers"]?.object ?? [:] {
            try request.require(
                BlockingFunctions.Event(rawValue: event) != nil, .invalidBlockingFunction, "((Event type is invalid.))")
            try request.require(
                WebAddress(trigger["functionUri"]?.string ?? "") != nil, .invalidBlockingFunction,
                "((Expected an absolute URI with valid scheme and host.))")
        }
        let mask = request.query["updateMask"] ?? ""
        if request.settings.mode == .strict { try SMSRegions.check(change) }
        let config = mask.isEmpty ? replaced(by: change) : try FieldMask(mask).applied(to: request.scope.config, request)
        let changed = try request.scopes.setConfig(config, of: request.scope)
        return ProjectConfigDocument(project: changed, state: request.state).json
    }

    /// Without a mask everything is replaced, by defaults where the change has no value.
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
}

/// `GET /v1/projects`: the public settings of a project.
struct ProjectInfo: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        try request.require(request.scope.tenant == nil, .unsupportedTenantOperation)
        return [
            "projectId": .string(request.settings.projectNumber),
            "authorizedDomains": .array(request.rules.authorizedDomains.map(JSON.string)),
        ]
    }
}

/// A project's configuration as administrators read it: in emulator mode the written values, in strict mode all values.
struct ProjectConfigDocument {
    let project: ProjectScope
    let state: ServerState

    var json: JSON {
        let (config, rules) = (project.config, project.rules)
        guard state.mode == .strict else { return .object(config) }
        var described = config
        described["name"] = .string("projects/\(project.project)/config")
        described["subtype"] = "IDENTITY_PLATFORM"
        described["signIn"] = .object(signIn(config["signIn"]?.object ?? [:], rules))
        described["authorizedDomains"] = .array(rules.authorizedDomains.map(JSON.string))
        if config["mfa"] == nil { described["mfa"] = Self.factors(rules) }
        if config["passwordPolicyConfig"] == nil { described["passwordPolicyConfig"] = rules.passwordPolicy.configuration }
        return .object(described.withoutWrittenDefaults)
    }

    private func signIn(_ written: JSONObject, _ rules: Rules) -> JSONObject {
        let scrypt = state.passwords.scrypt
        return written.adding([
            "email": [
                "enabled": .bool(!rules.methods.isDisjoint(with: [.password, .emailLink])),
                "passwordRequired": .bool(!rules.methods.contains(.emailLink)),
            ],
            "anonymous": ["enabled": .bool(rules.methods.contains(.anonymous))],
            "phoneNumber": ["enabled": .bool(rules.methods.contains(.phone))],
            // An export to another system needs these to verify passwords.
            "hashConfig": [
                "algorithm": "SCRYPT", "signerKey": .string(Base64.encode(scrypt.signerKey)),
                "saltSeparator": .string(Base64.encode(scrypt.saltSeparator)), "rounds": .int(Int64(scrypt.rounds)),
                "memoryCost": .int(Int64(scrypt.memoryCost)),
            ],
        ])
    }

    private static func factors(_ rules: Rules) -> JSON {
        [
            "state": rules.asksForTextFactors || rules.asksForTimeFactors ? "ENABLED" : "DISABLED",
            "enabledProviders": rules.asksForTextFactors ? ["PHONE_SMS"] : [],
            "providerConfigs": [
                [
                    "state": rules.asksForTimeFactors ? "ENABLED" : "DISABLED",
                    "totpProviderConfig": ["adjacentIntervals": .int(rules.adjacentIntervals)],
                ]
            ],
        ]
    }
}

/// The members of a message that a change applies to: `a.b,c`.
struct FieldMask {
    private let paths: [[Substring]]

    init(_ text: String) {
        paths = text.pieces(at: ",").map { path in
            path.pieces(at: ".").map { Substring(Shape.camelCase(String($0))) }
        }
    }

    /// `target` with the members of `change` that the mask names.
    ///
    /// - Parameter clears: whether members that `change` lacks are removed, as in production, or stay, as in Firebase's emulator.
    func applied(_ change: JSONObject, to target: JSONObject, clears: Bool = false) -> JSONObject {
        paths.reduce(into: target) { target, path in Self.apply(path[...], change, to: &target, clears: clears) }
    }

    private static func apply(
        _ path: ArraySlice<Substring>, _ change: JSONObject, to target: inout JSONObject, clears: Bool
    ) {
        guard let name = path.first.map(String.init) else { return }
        let value = change[name].flatMap { $0.isNull ? nil : $0 }
        if path.count == 1 {
            if clears || value != nil { target[name] = value }
            return
        }
        guard let inner = value?.object ?? (clears && target[name] != nil ? [:] : nil) else { return }
        var members = target[name]?.object ?? [:]
        apply(path.dropFirst(), inner, to: &members, clears: clears)
        target[name] = .object(members)
    }
}

/// `GET /v2/passwordPolicy`: absent from Firebase's emulator.
struct GetPasswordPolicy: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        guard request.settings.mode == .strict else {
            throw APIError.notImplemented("identitytoolkit.getPasswordPolicy is not implemented in the Auth Emulator.")
        }
        return request.rules.passwordPolicy.json
    }
}

/// `GET /v1/recaptchaParams`: obviously made-up values.
struct RecaptchaParameters: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        return [
            "kind": "identitytoolkit#GetRecaptchaParamResponse",
            "recaptchaStoken":
                "This-is-a-fake-token__Dont-send-this-to-the-Recaptcha-service__The-Auth-Emulator-does-not-support-Recaptcha",
            "recaptchaSiteKey": "Fake-key__Do-not-send-this-to-Recaptcha_",
        ]
    }
}
