internal import LockstepEmulation
internal import LockstepPrimitives

/// The routes that Firebase's own emulator has for tests.
struct EmulatorRoutes {
    let context: RequestContext

    /// Firebase's `GET /emulator/v1/projects/{p}/config`.
    func config() -> JSON { Self.json(context.scope.config) }

    static func json(_ config: JSONObject) -> JSON {
        [
            "signIn": ["allowDuplicateEmails": .bool(config["signIn"]?["allowDuplicateEmails"]?.bool ?? false)],
            "emailPrivacyConfig": [
                "enableImprovedEmailPrivacy": .bool(
                    config["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"]?.bool ?? false)
            ],
        ]
    }

    static let configBody: BodySchema = [
        "signIn": .members(["allowDuplicateEmails": .flag]),
        "emailPrivacyConfig": .members(["enableImprovedEmailPrivacy": .flag]),
    ]

    /// `PATCH /emulator/v1/projects/{p}/config`: changes only the members in the request.
    func updateConfig() throws -> JSON {
        let mask = FieldMask("signIn.allowDuplicateEmails,emailPrivacyConfig.enableImprovedEmailPrivacy")
        let config = mask.applied(context.body.members, to: context.scope.config)
        try context.scopes.setConfig(config, of: context.scope)
        return Self.json(config)
    }

    /// `GET /emulator/v1/projects/{p}/oobCodes`: returns the emailed codes that are still open.
    func actionCodes() throws -> JSON {
        let codes = try context.actionCodes.all()
        return ["oobCodes": .array(codes.map(\.json))]
    }

    /// `GET /emulator/v1/projects/{p}/verificationCodes`: returns the codes by SMS that are still open.
    func textCodes() throws -> JSON {
        let codes = try context.phoneNumbers.codes()
        return ["verificationCodes": .array(codes.map(\.json))]
    }

    /// `DELETE /emulator/v1/projects/{p}/accounts`: deletes the users; codes and settings stay.
    func deleteAccounts() throws -> JSON {
        try context.users.deleteAll()
        return [:]
    }
}
