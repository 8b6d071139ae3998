internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `GET /emulator/v1/projects/{p}/config`.
struct GetEmulatorConfig: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON { Self.json(request.scope.config) }

    static func json(_ config: JSONObject) -> JSON {
        [
            "signIn": ["allowDuplicateEmails": .bool(config["signIn"]?["allowDuplicateEmails"]?.bool ?? false)],
            "emailPrivacyConfig": [
                "enableImprovedEmailPrivacy": .bool(
                    config["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"]?.bool ?? false)
            ],
        ]
    }
}

/// `PATCH /emulator/v1/projects/{p}/config`: changes only the named members.
struct UpdateEmulatorConfig: Endpoint {
    let shape = Shape.emulatorConfig

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let mask = FieldMask("signIn.allowDuplicateEmails,emailPrivacyConfig.enableImprovedEmailPrivacy")
        let config = mask.applied(request.body.members, to: request.scope.config)
        try request.scopes.setConfig(config, of: request.scope)
        return GetEmulatorConfig.json(config)
    }
}

/// `GET /emulator/v1/projects/{p}/oobCodes`: the codes that were mailed and are open.
struct ListActionCodes: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let codes = try request.db.actionCodes(in: request.scope)
        return ["oobCodes": .array(codes.map(\.json))]
    }
}

/// `GET /emulator/v1/projects/{p}/verificationCodes`: the codes that were sent by text message and are open.
struct ListTextCodes: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let codes = try request.db.textCodes(in: request.scope)
        return ["verificationCodes": .array(codes.map(\.json))]
    }
}

/// `DELETE /emulator/v1/projects/{p}/accounts`: deletes the users; codes and settings stay.
struct DeleteAllAccounts: Endpoint {
    let shape = Shape.empty

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.db.deleteAllUsers(in: request.scope)
        return [:]
    }
}
