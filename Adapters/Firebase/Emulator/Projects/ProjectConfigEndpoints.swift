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

    private static let events: Set = ["beforeCreate", "beforeSignIn"]

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.need(request.scope.tenant == nil, "((Can only update top-level configurations on agent projects.))")
        let change = request.body.members
        for (event, trigger) in change["blockingFunctions"]?["triggers"]?.object ?? [:] {
            try request.require(Self.events.contains(event), .invalidBlockingFunction, "((Event type is invalid.))")
            try request.require(
                WebAddress(trigger["functionUri"]?.string ?? "") != nil, .invalidBlockingFunction,
                "((Expected an absolute URI with valid scheme and host.))")
        }
        let mask = request.query["updateMask"] ?? ""
        let config = mask.isEmpty ? replaced(by: change) : FieldMask(mask).applied(change, to: request.scope.config)
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
