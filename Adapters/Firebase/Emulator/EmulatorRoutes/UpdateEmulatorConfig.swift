internal import LockstepPrimitives

/// `PATCH /emulator/v1/projects/{p}/config`: changes only the named members.
struct UpdateEmulatorConfig: Operation {
    let shape = Shape.emulatorConfig
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let mask = FieldMask("signIn.allowDuplicateEmails,emailPrivacyConfig.enableImprovedEmailPrivacy")
        let config = mask.applied(call.body.members, to: call.space.config)
        try call.backend.setConfig(config, of: call.space)
        return GetEmulatorConfig.json(config)
    }
}
