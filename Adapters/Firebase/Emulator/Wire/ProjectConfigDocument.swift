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
        return .object(described.withoutWrittenDefaults)
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
            // Another system needs these values of an export to verify passwords.
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
                [
                    "state": rules.asksForTimeFactors ? "ENABLED" : "DISABLED",
                    "totpProviderConfig": ["adjacentIntervals": .int(rules.adjacentIntervals)],
                ]
            ],
        ]
    }
}

/// The members of a message that a change applies to: `a.b,c`.
struct FieldMask {
    private let paths: [[Substring]]

    init(_ text: String) {
        paths = text.pieces(at: ",").map { path in
            path.pieces(at: ".").map { Substring(CamelCase.spelling(of: String($0))) }
        }
    }

    /// Returns `target` with the members of `change` that are in the mask.
    ///
    /// - Parameters:
    ///   - clears: Whether members that `change` lacks are removed, as in production, or stay, as in Firebase's
    ///     emulator.
    /// - Returns: The result.
    func applied(_ change: JSONObject, to target: JSONObject, clears: Bool = false) -> JSONObject {
        paths.reduce(into: target) { target, path in Self.apply(path[...], change, to: &target, clears: clears) }
    }

    private static func apply(
        _ path: ArraySlice<Substring>, _ change: JSONObject, to target: inout JSONObject, clears: Bool
    ) {
        guard let name = path.first.map(String.init) else { return }
        let value = change[name].flatMap { $0.isNull ? nil : $0 }
        if path.count == 1 {
            if clears || value != nil { target[name] = value }
            return
        }
        guard let inner = value?.object ?? (clears && target[name] != nil ? [:] : nil) else { return }
        var members = target[name]?.object ?? [:]
        apply(path.dropFirst(), inner, to: &members, clears: clears)
        target[name] = .object(members)
    }
}
