package import LockstepHTTP
package import LockstepPrimitives

extension Doctor {
    /// Creates a doctor for a Clerk instance.
    ///
    /// - Parameters:
    ///   - publishableKey: The publishable key, which contains the address of the Frontend API.
    ///   - url: The URL of a proxy in front of the Frontend API, or of an emulator.
    ///   - secretKey: The secret key; `nil` to run only the checks that need no secret key.
    ///   - isEmulator: Whether this user has started the emulator at `url`.
    ///   - patience: The longest time to wait for a response.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock of this machine.
    /// - Throws: ``DoctorError`` if the publishable key contains no address.
    package static func clerk(
        publishableKey: Secret, url: String? = nil, secretKey: Secret? = nil, backendURL: String = "https://api.clerk.com",
        isEmulator: Bool = false, patience: Duration = .seconds(10), transport: some HTTPTransport, clock: any DeviceClock
    ) throws(DoctorError) -> Doctor {
        let isSecret = publishableKey.reveal().hasPrefix("sk_")
        let named = frontend(of: publishableKey.reveal())
        guard let frontend = isSecret ? url ?? "" : named.map({ url ?? $0 }) else {
            throw DoctorError(
                "the publishable key contains no front-end API. Copy the key that begins with pk_test_ or pk_live_.",
                isUsage: true)
        }
        var readings = [
            Reading(.environment, frontend + "/v1/environment", within: patience),
            Reading(.publishedKeys, frontend + "/.well-known/jwks.json", within: patience),
        ]
        if let secretKey {
            for (source, path) in [
                (Source.instance, "instance"), (.domains, "domains"), (.redirectURLs, "redirect_urls"),
                (.organizationSettings, "instance/organization_settings"), (.communication, "instance/communication"),
                (.instanceKeys, "jwks"),
            ] {
                readings.append(Reading(source, "\(backendURL)/v1/\(path)", bearer: secretKey, within: patience))
            }
        }
        return Doctor(
            provider: "clerk", address: frontend, readings: readings, rules: ClerkRules.all, rejectedKey: ClerkRules.rejectedKey,
            keyFinding: ClerkRules.administratorKey.keyFinding(isAdministrator: isSecret), isEmulator: isEmulator,
            transport: transport, clock: clock
        ) { facts in
            let ways = facts.documents[.environment]?["user_settings"]?["attributes"]?["email_address"]?["verifications"]?.array
            let byLink = ways?.compactMap(\.string) == ["email_link"] ? ", confirmsByLink: true" : ""
            let place = url.map { "url: \($0.debugDescription), " } ?? ""
            return
                "let adapter = try ClerkAdapter(\(place)key: publishableKey, callback: \"myapp://auth/callback\"\(byLink), transport: .curl)"
        }
    }

    /// Returns the front-end API in a publishable key: `pk_test_`, then the host and a dollar sign in base64.
    private static func frontend(of key: String) -> String? {
        for prefix in ["pk_test_", "pk_live_"] where key.hasPrefix(prefix) {
            guard let bytes = Base64.decode(String(key.dropFirst(prefix.count)), .standard),
                let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("$")
            else { return nil }
            let host = text.dropLast()
            let isHost =
                !host.isEmpty
                && host.utf8.allSatisfy { unit in
                    switch unit {
                    case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A: true
                    default: "-.".utf8.contains(unit)
                    }
                }
            return isHost ? "https://" + host : nil
        }
        return nil
    }
}
