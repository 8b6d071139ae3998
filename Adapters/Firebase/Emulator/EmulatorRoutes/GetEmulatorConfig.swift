internal import LockstepPrimitives

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
