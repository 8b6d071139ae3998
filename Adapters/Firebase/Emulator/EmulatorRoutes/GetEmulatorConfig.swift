internal import LockstepPrimitives

/// Firebase's `GET /emulator/v1/projects/{p}/config`.
struct GetEmulatorConfig: Operation {
    let shape = Shape.empty
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON { Self.json(call.space.config) }

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
