internal import LockstepPrimitives

extension ControlRoutes {
    /// The routes of settings.
    var settingRoutes: [ControlRoute] {
        guard let settings else { return [] }
        let changes = panel.changes
        return [
            ControlRoute("GET", "/settings", "Lists all settings, each with its value and origin.") { _ in
                .json(document(of: settings))
            },
            ControlRoute(
                "PATCH", "/settings", "Changes settings until the next reset. If one value is invalid, no setting changes."
            ) {
                request in
                guard let values = (try? request.json())?.object else {
                    throw ControlError(400, "Send a JSON object with the settings' names and values.")
                }
                return .later {
                    try settings.patchSettings(values)
                    changes.note(.settings)
                    return .json(document(of: settings))
                }
            },
        ]
    }
}

private func document(of settings: any SettingsAdministrator) -> JSON {
    ["settings": .array(settings.shownSettings().map(\.json))]
}

extension SettingsPatchError {
    /// The response of a control route to this error.
    var refusal: ControlError {
        switch self {
        case .unknown, .wrongValue: ControlError(400, description)
        case .fixed, .unused, .dropped, .contradiction: ControlError(422, description)
        }
    }
}
