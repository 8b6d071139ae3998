internal import LockstepPasswords
internal import LockstepPrimitives

/// A project's configuration as administrators read it: in emulator mode the written values, in strict mode all values.
struct ProjectConfigDocument {
    let project: ProjectScope
    let state: ServerState

    var json: JSON {
        let (config, rules) = (project.config, project.rules)
        guard state.mode == .strict else { return .object(config) }
        var described = config
        described["name"] = .string("projects/\(project.project)/config")
        described["subtype"] = "IDENTITY_PLATFORM"
        described["signIn"] = .object(signIn(config["signIn"]?.object ?? [:], rules))
        described["authorizedDomains"] = .array(rules.authorizedDomains.map(JSON.string))
        if config["mfa"] == nil { described["mfa"] = Self.factors(rules) }
        if config["passwordPolicyConfig"] == nil { described["passwordPolicyConfig"] = rules.passwordPolicy.configuration }
        return .object(described)
    }

    private func signIn(_ written: JSONObject, _ rules: Rules) -> JSONObject {
        let scrypt = state.passwords.scrypt
        return written.adding([
            "email": [
                "enabled": .bool(!rules.methods.isDisjoint(with: [.password, .emailLink])),
                "passwordRequired": .bool(!rules.methods.contains(.emailLink)),
            ],
            "anonymous": ["enabled": .bool(rules.methods.contains(.anonymous))],
            "phoneNumber": ["enabled": .bool(rules.methods.contains(.phone))],
            // An export to another system needs these to verify passwords.
            "hashConfig": [
                "algorithm": "SCRYPT", "signerKey": .string(Base64.encode(scrypt.signerKey)),
                "saltSeparator": .string(Base64.encode(scrypt.saltSeparator)), "rounds": .int(Int64(scrypt.rounds)),
                "memoryCost": .int(Int64(scrypt.memoryCost)),
            ],
        ])
    }

    private static func factors(_ rules: Rules) -> JSON {
        [
            "state": rules.asksForTextFactors || rules.asksForTimeFactors ? "ENABLED" : "DISABLED",
            "enabledProviders": rules.asksForTextFactors ? ["PHONE_SMS"] : [],
            "providerConfigs": [
                ["state": rules.asksForTimeFactors ? "ENABLED" : "DISABLED", "totpProviderConfig": ["adjacentIntervals": 5]]
            ],
        ]
    }
}
