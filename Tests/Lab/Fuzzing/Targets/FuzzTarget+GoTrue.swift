internal import LockstepEmulation
internal import LockstepGoTrueEmulator
internal import LockstepPrimitives
internal import LockstepSystem
internal import LockstepTestSupport

extension FuzzTarget {
    /// GoTrue in one of the configurations of its recordings.
    ///
    /// The seed decides which one.
    static func goTrue(seed: UInt64) throws -> FuzzTarget {
        let variants = ["full", "autoc", "strict", "es256", "sessions", "disabled", "captcha"]
        let variant = variants[Int(seed % UInt64(variants.count))]
        let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/Fixtures/Settings/gotrue"
        guard let bytes = try AtomicFile.read("\(folder)/\(variant).env") else {
            throw FuzzError("there are no settings \(variant)")
        }
        let pairs = try EnvironmentFile.parse(String(decoding: bytes, as: UTF8.self)).filter { !$0.name.contains("HOOK") }
        let settings = try GoTrueSettings(environment: pairs + [("LOCKSTEP_PASSWORD_COST", "least")])
        let server = try GoTrueEmulator.start(settings, options: .fuzzed(seed))
        let service = server.emulator.serviceRoleKey.reveal()
        let routes = try FuzzRoute.read("GoTrue")
        let described = Set(routes.map { "\($0.method) \($0.path)" })
        let own = server.emulator.router.routes.filter { !described.contains("\($0.method) \($0.pattern)") }.map {
            FuzzRoute(method: $0.method, path: $0.pattern.replacing("/?", with: ""))
        }
        return FuzzTarget(
            server: server, routes: routes + own,
            callers: [
                .none, .fixed("Authorization", "Bearer " + service), .fixed("Authorization", "Bearer " + service),
                .fixed("Authorization", "Bearer " + server.emulator.anonKey), .known("Authorization", "Bearer ", "access_token"),
                .known("Authorization", "Bearer ", "access_token"), .known("Authorization", "Bearer ", "access_token"),
                .damaged("Authorization", "Bearer ", "access_token"), .fixed("Authorization", "Bearer a.b.c"),
                .fixed("Authorization", "Bearer"), .fixed("Authorization", "Bearer eyJhbGciOiJub25lIn0.e30."),
            ],
            fitting: { route in
                if route.path.hasPrefix("/admin") || route.path == "/invite" {
                    return [.fixed("Authorization", "Bearer " + service)]
                }
                let isOwn = ["/user", "/factors", "/passkeys", "/logout", "/reauthenticate"].contains { route.path.hasPrefix($0) }
                return isOwn ? [.known("Authorization", "Bearer ", "access_token")] : [.none]
            },
            isQuiet: { path in ["oauth", "sso", "saml", "scim", "custom-providers"].contains { path.contains($0) } },
            health: "/health", complaint: complaintOfGoTrue, documents: documentsGoTrue)
    }

    /// Three formats: by version of the API, the older one, and OAuth's.
    private static func complaintOfGoTrue(_ response: FuzzResponse, to request: FuzzRequest) -> String? {
        guard let body = response.json?.object else { return "an error that is no object: \(response.text)" }
        if body["code"]?.string != nil, body["message"]?.string != nil { return nil }
        if body["code"]?.int == Int64(response.status), body["msg"]?.string != nil { return nil }
        if body["error"]?.string != nil { return nil }
        return "an error of another form: \(response.text)"
    }

    /// Internal errors that the real server also returns: from recordings, and the notes in the emulator's sources.
    private static func documentsGoTrue(_ response: FuzzResponse, _ request: FuzzRequest) -> Bool {
        guard let body = response.json else { return false }
        // A constraint of the database, if a user who was not looked up has the name.
        if body["code"]?.string == "23505" { return request.method == "PUT" || request.target.contains("verify") }
        switch body["msg"]?.string ?? body["message"]?.string ?? "" {
        case "Unexpected failure, please check server logs for more information":
            let text = request.target + String(decoding: request.body, as: UTF8.self)
            return text.contains("code_challenge") || text.contains("pkce_")
        case "Database error saving new user", "Database error creating new user", "Error creating user", "Error updating user",
            "Error generating QR Code", "Internal Server Error", "Unable to get SMS provider":
            return true
        default: return false
        }
    }
}

extension EmulatorOptions {
    /// All randomness comes from the seed, and time stands still.
    static func fuzzed(_ seed: UInt64) -> EmulatorOptions {
        var options = EmulatorOptions()
        options.randomness = SeededRandomness(seed: seed)
        options.clock = ManualClock(base: FixedClock())
        return options
    }
}
