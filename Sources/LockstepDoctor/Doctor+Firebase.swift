package import LockstepHTTP
package import LockstepPrimitives

extension Doctor {
    /// Creates a doctor for a Firebase Authentication project.
    ///
    /// - Parameters:
    ///   - apiKey: The web API key.
    ///   - project: The id of the project. The doctor reads its configuration; `nil` to skip this.
    ///   - accessToken: An access token of a team member (`gcloud auth print-access-token`).
    ///   - grant: The request for an access token with a service account. The request is not sent if `accessToken` is given.
    ///   - url: The URL of an emulator, such as `http://127.0.0.1:9099`.
    ///   - probes: Whether to send the two POST requests with an unknown address. The requests create no user and send no message.
    ///   - isEmulator: Whether this user has started the emulator at `url`.
    ///   - patience: The longest time to wait for a response.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock of this machine.
    package static func firebase(
        apiKey: Secret, project: String? = nil, accessToken: Secret? = nil, grant: AccessGrant? = nil, url: String? = nil,
        probes: Bool = false, isEmulator: Bool = false, patience: Duration = .seconds(10), transport: some HTTPTransport,
        clock: any DeviceClock
    ) -> Doctor {
        let base = (url.map { $0 + "/" } ?? "https://") + "identitytoolkit.googleapis.com"
        let key = (name: "X-Goog-Api-Key", value: apiKey)
        let keys = (url.map { $0 + "/" } ?? "https://") + "www.googleapis.com"
        var readings = [
            Reading(.project, base + "/v1/projects", key: key, within: patience),
            Reading(.legacyConfig, keys + "/identitytoolkit/v3/relyingparty/getProjectConfig", key: key, within: patience),
            Reading(.passwordPolicy, base + "/v2/passwordPolicy", key: key, within: patience),
            Reading(
                .recaptcha, base + "/v2/recaptchaConfig?clientType=CLIENT_TYPE_WEB&version=RECAPTCHA_ENTERPRISE", key: key,
                within: patience),
            Reading(.tokenKeys, keys + "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", within: patience),
        ]
        let isAdministrator = accessToken != nil || grant != nil
        var omitted: [Source: String] = [:]
        let administrative: [(source: Source, path: String)] = [
            (.administration, "config"), (.identityProviders, "defaultSupportedIdpConfigs"),
            (.openIDProviders, "oauthIdpConfigs?pageSize=100"), (.samlProviders, "inboundSamlConfigs?pageSize=100"),
        ]
        if isAdministrator, let project {
            // Google counts a team member's requests for the project that this header names.
            let counted = accessToken != nil && url == nil ? (name: "X-Goog-User-Project", value: Secret(project)) : nil
            for (source, path) in administrative {
                let version = source == .administration && url == nil ? "/admin/v2" : "/v2"
                let address = "\(base)\(version)/projects/\(Percent.encode(project))/\(path)"
                var reading = Reading(source, address, key: counted, bearer: accessToken, within: patience)
                reading.needsGrant = accessToken == nil
                readings.append(reading)
            }
        } else if isAdministrator {
            for (source, _) in administrative { omitted[source] = "The project's id is missing. Add it with --project." }
        }
        if probes {
            // The domain can have no mailbox (RFC 2606).
            let address: JSON = "lockstep-doctor@example.invalid"
            let signIn: JSON = ["email": address, "password": "lockstep-doctor", "returnSecureToken": false]
            readings.append(
                Reading(
                    .signInProbe, base + "/v1/accounts:signInWithPassword", key: key, body: signIn, takesRefusal: true,
                    within: patience))
            let uri: JSON = ["identifier": address, "continueUri": "https://example.invalid"]
            readings.append(
                Reading(
                    .authURIProbe, base + "/v1/accounts:createAuthUri", key: key, body: uri, takesRefusal: true, within: patience)
            )
        }
        return Doctor(
            provider: "firebase", address: url ?? base, readings: readings, rules: FirebaseRules.all,
            rejectedKey: FirebaseRules.rejectedKey,
            keyFinding: FirebaseRules.administratorKey.keyFinding(isAdministrator: isAccountKey(apiKey)),
            grant: accessToken == nil && project != nil ? grant : nil, omitted: omitted, isEmulator: isEmulator,
            transport: transport, clock: clock
        ) { facts in
            let domains = facts.documents[.project]?["authorizedDomains"]?.array?.compactMap(\.string) ?? []
            let domain = domains.first { $0 != "localhost" && !$0.hasPrefix("127.") } ?? "app.example.com"
            let place = url.map { "url: \($0.debugDescription), " } ?? ""
            return
                "let adapter = try FirebaseAdapter(\(place)key: apiKey, callback: \"https://\(domain.visible)/auth/callback\", transport: .curl)"
        }
    }

    /// Whether a key belongs to a service account or a team member.
    private static func isAccountKey(_ key: Secret) -> Bool {
        let text = key.reveal()
        return text.hasPrefix("ya29.") || text.contains("PRIVATE KEY") || text.contains("\"private_key\"") || text == "owner"
    }
}
