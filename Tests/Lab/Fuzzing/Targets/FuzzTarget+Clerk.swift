internal import LockstepClerkEmulator
internal import LockstepEmulation
internal import LockstepPrimitives

extension FuzzTarget {
    /// Clerk: the Frontend API, like an app that stores its client's token, and the Backend API.
    static func clerk(seed: UInt64) throws -> FuzzTarget {
        var settings = ClerkSettings()
        settings.usesCheapHashes = true
        settings.organizations.isEnabled = true
        settings.organizations.hasDomains = true
        settings.passkeys.isEnabled = true
        let server = try ClerkEmulator.start(settings, .fuzzed(seed), signingKey: signingKey)
        let described = try FuzzRoute.read("Clerk")
        let known = Set(described.map { "\($0.method) \($0.path)" })
        let own = server.emulator.router.routes.map { FuzzRoute(method: $0.method, path: $0.pattern.replacing("/?", with: "")) }
            .filter { !known.contains("\($0.method) \($0.path)") }
        let backend = FuzzCaller.fixed("Authorization", "Bearer " + server.emulator.secretKey.reveal())
        let client = FuzzCaller.known("Authorization", "", "client")
        return FuzzTarget(
            server: server, routes: (described + own).map { $0.asking(["_is_native": ["true"]]) },
            callers: [
                .none, client, client, backend, .damaged("Authorization", "", "client"), .fixed("Authorization", "Bearer a.b.c"),
            ],
            fitting: { $0.path.contains("/client") || $0.path.contains("/me") ? [client] : [backend, client] },
            isQuiet: { path in
                ["enterprise_connections", "saml", "billing", "scim", "directories", "machines"].contains { path.contains($0) }
            }, isForm: true,
            health: "/v1/environment",
            complaint: { response, _ in
                guard let first = response.json?["errors"]?[0] else { return "an error of another form: \(response.text)" }
                return first["code"]?.string != nil && first["message"]?.string != nil
                    ? nil : "an error of another form: \(response.text)"
            },
            // An unsupported operation is rejected by its name.
            documents: { response, _ in
                response.status == 501 && response.json?["errors"]?[0]?["code"] == "lockstep_operation_not_built"
            },
            known: [
                ("strategy", "password"), ("strategy", "email_code"), ("strategy", "phone_code"), ("strategy", "totp"),
                ("code", "424242"),
                ("first_name", "Ada"), ("ticket", "a.b.c"),
            ])
    }
}
