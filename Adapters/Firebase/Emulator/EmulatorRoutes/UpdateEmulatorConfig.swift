internal import LockstepPrimitives

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
