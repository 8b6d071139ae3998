import LockstepPrimitives

/// `/v1/instance`.
struct BackendInstanceRoutes {
    let call: BackendCall

    func get() throws -> BackendResponse {
        .resource([
            "object": "instance", "id": "ins_lockstep", "environment_type": "development", "allowed_origins": nil,
            "workspace_id": nil,
        ])
    }

    /// Changes the values that the emulator has a setting for; accepts and ignores the rest.
    func update() throws -> BackendResponse {
        try call.fields.check([
            "test_mode", "hibp", "support_email", "clerk_js_version", "development_origin", "allowed_origins", "cookieless_dev",
            "url_based_session_syncing", "preferred_sign_in_strategy_when_password_required",
        ])
        let isTestMode = try call.fields.flag("test_mode")
        let refusesKnownLeaks = try call.fields.flag("hibp")
        call.context.state.change { settings in
            if let isTestMode { settings.isTestMode = isTestMode }
            if let refusesKnownLeaks { settings.passwordPolicy.refusesKnownLeaks = refusesKnownLeaks }
        }
        return .nothing
    }
}
