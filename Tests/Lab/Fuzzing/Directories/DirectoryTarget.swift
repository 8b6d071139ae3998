internal import LockstepClerkDirectory
internal import LockstepClerkEmulator
internal import LockstepCurl
internal import LockstepDirectory
internal import LockstepEmulation
internal import LockstepEmulatorTestSupport
internal import LockstepFirebaseDirectory
internal import LockstepFirebaseEmulator
internal import LockstepGoTrueDirectory
internal import LockstepGoTrueEmulator
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTestSupport
internal import LockstepTokens

/// A directory under test, with genuine responses of its emulator.
struct DirectoryTarget: Sendable {
    /// The directory on a transport, at the time of a clock.
    let directory: @Sendable (any HTTPTransport, any DeviceClock, any Randomness) throws -> any UserDirectory
    let recorded: RecordedResponses
    /// Ids and addresses of users in the emulator.
    let users: [DirectoryUser]
    /// The administrator's keys, which no error may show.
    let secrets: [String]

    static func of(_ provider: String) async throws -> DirectoryTarget {
        switch provider {
        case "gotrue": try await goTrue()
        case "firebase": try await firebase()
        case "clerk": try await clerk()
        default: throw FuzzError("there is no directory \(provider)")
        }
    }

    /// Calls a directory over real HTTP, and stores every response.
    private init(
        secrets: [String],
        directory: @escaping @Sendable (any HTTPTransport, any DeviceClock, any Randomness) throws -> any UserDirectory
    ) async throws {
        let transport = RecordingTransport(CurlTransport())
        let honest = try directory(transport, FleetingClock(), SeededRandomness(seed: 1))
        let hand = DirectoryHand(directory: honest, dice: Dice(seed: 1), users: [])
        var users: [DirectoryUser] = []
        for number in 0..<6 {
            var new = NewDirectoryUser(email: "canary\(number)@example.com", password: hand.password)
            new.isEmailConfirmed = number != 3
            new.displayName = "Ada Byron"
            new.appMetadata = ["plan": "gold", "level": number > 2 ? 1 : nil]
            users.append(try await honest.create(new))
        }
        _ = await honest.create([
            NewDirectoryUser(email: "canary0@example.com"), NewDirectoryUser(email: "canary7@example.com"),
        ])
        for try await _ in honest.all(pageSize: 2) {}
        _ = try await honest.users(ids: users.map(\.id) + ["absent"])
        _ = try await honest.users(emails: users.compactMap(\.email))
        _ = try await (honest.count(), honest.demands())
        for user in users.prefix(4) {
            _ = try await honest.user(id: user.id)
            _ = try await honest.user(email: user.email ?? "")
            var changes = DirectoryChanges()
            (changes.displayName, changes.email, changes.isEmailConfirmed) = ("Ada Lovelace", "new-" + (user.email ?? ""), true)
            (changes.appMetadata, changes.isDisabled) = (["plan": nil, "size": 3], true)
            _ = try await honest.update(user.id, changes)
        }
        try await honest.delete(users[0].id)
        _ = await honest.delete([users[0].id, users[1].id])
        _ = try? await honest.user(id: users[0].id)
        self.directory = directory
        self.users = users
        self.secrets = secrets
        recorded = transport.answers
    }

    private static func goTrue() async throws -> DirectoryTarget {
        let server = try GoTrueEmulator.start(
            GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")]), options: .fuzzed(1))
        defer { server.stop() }
        let (base, key) = (server.base, server.emulator.serviceRoleKey)
        return try await DirectoryTarget(secrets: [key.reveal()]) { transport, clock, _ in
            try GoTrueDirectory(
                url: base, adminKey: key, transport: HTTPRelay(transport), clock: clock, limiter: inOrder(clock))
        }
    }

    private static func firebase() async throws -> DirectoryTarget {
        var settings = FirebaseSettings(mode: .strict)
        settings.hashing.memoryCost = 1
        settings.signingKey = FuzzTarget.signingKey
        let project = settings.project
        let server = try FirebaseEmulator.start(settings, .fuzzed(1))
        defer { server.stop() }
        let key = try GrantServer.Key()
        let grants = try EmulatorServer(.fuzzed(1)) { try GrantServer(project: project, key: key, in: $0) }
        defer { grants.stop() }
        let (base, file) = (server.base, grants.emulator.file)
        return try await DirectoryTarget(secrets: []) { transport, clock, randomness in
            try FirebaseDirectory(
                account: FirebaseServiceAccount(contents: file), url: base + "/identitytoolkit.googleapis.com",
                transport: HTTPRelay(transport), clock: clock, randomness: randomness, limiter: inOrder(clock))
        }
    }

    private static func clerk() async throws -> DirectoryTarget {
        var settings = ClerkSettings()
        settings.usesCheapHashes = true
        let server = try ClerkEmulator.start(settings, .fuzzed(1), signingKey: FuzzTarget.signingKey)
        defer { server.stop() }
        let (base, key) = (server.base, server.emulator.secretKey)
        return try await DirectoryTarget(secrets: [key.reveal()]) { transport, clock, _ in
            try ClerkDirectory(
                secretKey: key, url: base, transport: HTTPRelay(transport), clock: clock, limiter: inOrder(clock))
        }
    }

    /// One request after the other, so that everything depends only on the seed.
    private static func inOrder(_ clock: any DeviceClock) -> RequestLimiter { RequestLimiter(width: 1, clock: clock) }
}
