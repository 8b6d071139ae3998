@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives

extension Doctor {
    /// Creates a doctor for a Supabase Auth (GoTrue) project.
    ///
    /// - Parameters:
    ///   - url: The URL of the auth API, such as `https://ref.supabase.co/auth/v1`.
    ///   - key: The publishable (anon) key; `nil` for a server without a gateway.
    ///   - managementToken: A token of the Management API (SUPABASE_ACCESS_TOKEN).
    ///   - project: The reference of the project; `nil` to read it from the URL of a hosted project.
    ///   - serviceKey: The service role key.
    ///   - emulator: The control routes of an emulator that this user has started; `nil` for any other server.
    ///   - patience: The longest time to wait for a response.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock of this machine.
    package static func goTrue(
        url: String, key: Secret?, managementToken: Secret? = nil, project: String? = nil, serviceKey: Secret? = nil,
        emulator: DoctorEmulator? = nil, patience: Duration = .seconds(10), transport: some HTTPTransport, clock: any DeviceClock
    ) -> Doctor {
        let api = key.map { (name: "apikey", value: $0) }
        var readings = [
            Reading(.settings, url + "/settings", key: api, within: patience),
            Reading(.health, url + "/health", key: api, within: patience),
            Reading(.publishedKeys, url + "/.well-known/jwks.json", key: api, within: patience),
            Reading(.discovery, url + "/.well-known/openid-configuration", key: api, within: patience),
        ]
        var omitted: [Source: String] = [:]
        if let emulator {
            // The Management API names a setting as the server does, without the prefix and in lower case; the rotation of refresh
            // tokens has another name (https://api.supabase.com/api/v1).
            var reading = Reading(.management, emulator.base + "/__lockstep/settings", bearer: emulator.token, within: patience)
            reading.content = { document in
                let settings = document["settings"]?.array ?? []
                return .object(
                    JSONObject(
                        settings.compactMap { setting in
                            let name = setting["name"]?.string ?? ""
                            guard name.hasPrefix("GOTRUE_"), let value = setting["value"] else { return nil }
                            let key = name.dropFirst("GOTRUE_".count).lowercased()
                            return (
                                key.exact == "security_refresh_token_rotation_enabled".exact ? String(key.dropFirst(9)) : key,
                                value
                            )
                        }))
            }
            readings.append(reading)
        } else if let managementToken, let project = project ?? reference(of: url) {
            let address = "https://api.supabase.com/v1/projects/\(Percent.encode(project))/config/auth"
            readings.append(Reading(.management, address, bearer: managementToken, within: patience))
        } else if managementToken != nil {
            omitted[.management] = "The address does not contain the project's reference. Add it with --project."
        }
        if let serviceKey {
            readings.append(
                Reading(
                    .users, url + "/admin/users?per_page=1", key: (name: "apikey", value: serviceKey), bearer: serviceKey,
                    takesRefusal: true, within: patience))
        }
        return Doctor(
            provider: "gotrue", address: url, readings: readings, rules: GoTrueRules.all, rejectedKey: GoTrueRules.rejectedKey,
            keyFinding: GoTrueRules.administratorKey.keyFinding(isAdministrator: key.map(isAdministrator) ?? false),
            omitted: omitted, isEmulator: emulator != nil, transport: transport, clock: clock
        ) { facts in adapterLine(facts, hasKey: key != nil) }
    }

    /// Returns the reference in a hosted project's address.
    private static func reference(of url: String) -> String? {
        guard url.hasPrefix("https://") else { return nil }
        let host = url.dropFirst("https://".count).prefix { $0 != "/" }
        return host.hasSuffix(".supabase.co") ? String(host.dropLast(".supabase.co".count)) : nil
    }

    /// Whether a key gives access to the administrator's API: a secret key, or a token with a role other than `anon`.
    private static func isAdministrator(_ key: Secret) -> Bool {
        let text = key.reveal()
        if text.hasPrefix("sb_secret_") || text.hasPrefix("sbp_") { return true }
        let parts = text.split(separator: "." as Character, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decode(String(parts[1]), .url), let claims = try? JSON.parse(bytes) else {
            return false
        }
        return claims["role"]?.string.map { !["anon", "authenticated"].contains($0) } ?? false
    }

    private static func adapterLine(_ facts: Facts, hasKey: Bool) -> String {
        let config = facts.documents[.management]
        let listed = (config?["uri_allow_list"]?.string ?? "").split(separator: "," as Character).map { String($0.trimmed) }
        let callback = listed.first { !$0.hasPrefix("http") && !$0.contains("*") } ?? "myapp://auth/callback"
        var settings: [String] = []
        if let template = config?["mailer_templates_confirmation_content"]?.string,
            !template.contains(".Token ") && !template.contains(".Token}")
        {
            settings.append("configuration.mailsShowCodes = false")
        }
        if let life = config?["mailer_otp_exp"]?.int, life != 3600 {
            settings.append("configuration.emailProofLife = .seconds(\(life))")
        }
        if let life = config?["sms_otp_exp"]?.int, life != 60 {
            settings.append("configuration.smsProofLife = .seconds(\(life))")
        }
        if let interval = config?["smtp_max_frequency"]?.int, interval != 60 {
            settings.append("configuration.resendInterval = .seconds(\(interval))")
        }
        let arguments =
            "url: \(facts.address.debugDescription), key: \(hasKey ? "publishableKey" : "nil"), callback: \(callback.debugDescription)"
        guard !settings.isEmpty else { return "let adapter = try GoTrueAdapter(\(arguments), transport: .curl)" }
        return
            (["var configuration = try GoTrueConfiguration(\(arguments))"] + settings
            + ["let adapter = GoTrueAdapter(configuration, transport: .curl)"]).joined(separator: "\n")
    }
}
