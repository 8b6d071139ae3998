internal import LockstepPrimitives

/// Firebase's `projects.updateConfig`.
struct UpdateProjectConfig: Operation {
    let shape = Shape.projectConfig
    let effort = Effort.rows

    private static let events: Set = ["beforeCreate", "beforeSignIn"]

    func answer(_ call: Call) throws -> JSON {
        try call.need(call.space.tenant == nil, "((Can only update top-level configurations on agent projects.))")
        let change = call.body.members
        for (event, trigger) in change["blockingFunctions"]?["triggers"]?.object ?? [:] {
            try call.require(Self.events.contains(event), .invalidBlockingFunction, "((Event type is invalid.))")
            try call.require(
                WebAddress(trigger["functionUri"]?.string ?? "") != nil, .invalidBlockingFunction,
                "((Expected an absolute URI with valid scheme and host.))")
        }
        let mask = call.query["updateMask"] ?? ""
        let config = mask.isEmpty ? replaced(by: change) : FieldMask(mask).applied(change, to: call.space.config)
        let changed = try call.backend.setConfig(config, of: call.space)
        return call.described(config, changed.rules)
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
