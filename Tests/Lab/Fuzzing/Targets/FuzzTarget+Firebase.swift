internal import LockstepEmulation
internal import LockstepFirebaseEmulator
internal import LockstepPrimitives
internal import LockstepTokens

extension FuzzTarget {
    /// One key for all runs, because generating one takes longer than most of them.
    static let signingKey = try? SigningKey.makeRSA(id: "fuzzed")

    /// Firebase, with production's rules if the seed is odd.
    static func firebase(seed: UInt64) throws -> FuzzTarget {
        var settings = FirebaseSettings(mode: seed % 2 == 0 ? .emulator : .strict)
        settings.hashing.memoryCost = 1
        settings.project = "demo-fuzzed"
        settings.methods = .all
        settings.signingKey = signingKey
        let server = try FirebaseEmulator.start(settings, .fuzzed(seed))
        let described = try FuzzRoute.read("Firebase", below: "/identitytoolkit.googleapis.com")
        let own = server.emulator.router.routes.map { FuzzRoute(method: $0.method, path: $0.pattern) }
        let administrator = FuzzCaller.fixed("Authorization", "Bearer owner")
        return FuzzTarget(
            server: server, routes: described.map { $0.asking(["key": ["any"]]) } + own,
            callers: [
                .none, .none, administrator, .known("Authorization", "Bearer ", "idToken"),
                .damaged("Authorization", "Bearer ", "idToken"), .fixed("Authorization", "Bearer"),
            ],
            fitting: { $0.path.contains("/projects/") ? [administrator] : [.none] },
            health: "/emulator/v1/projects/demo-fuzzed/config",
            complaint: { response, request in
                let error = response.json?["error"]
                return error?["code"]?.int == Int64(response.status) && error?["message"]?.string != nil
                    || response.status == 405 || response.json?["authEmulator"] != nil
                    // A page of another site requests a route for tests.
                    || response.status == 403 && error?.string != nil
                    // The hub of the Emulator Suite has its own format.
                    || request.target.hasPrefix("/functions/") && error?.string != nil
                    ? nil : "an error of another form: \(response.text)"
            },
            // Operations that Firebase's own emulator does not support are named as such.
            documents: { response, _ in response.status == 501 },
            known: [
                ("targetProjectId", "demo-fuzzed"), ("projectId", "demo-fuzzed"), ("project", "demo-fuzzed"), ("tenantId", "one"),
                ("postBody", "providerId=google.com&id_token={\"sub\":\"1\",\"email\":\"user1@example.com\"}"),
                ("requestUri", "http://localhost"), ("continueUrl", "http://localhost"), ("returnSecureToken", "true"),
                ("grant_type", "refresh_token"), ("requestType", "PASSWORD_RESET"), ("requestType", "EMAIL_SIGNIN"),
            ])
    }
}
