import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepCurl
import LockstepDirectoryContracts
import LockstepEmulation
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// What a backend refuses for a reason of its own: its rate limit, and the parameters of a password hash.
@Suite(.limitedConcurrency) struct RefusalTests {
    /// A server that allows few requests, and a directory whose limiter allows `own` of them in ten seconds.
    private func lookUps(_ count: Int, allowed: Int, own: Int?) async throws -> (outcomes: Int, refused: [String?]) {
        var settings = try ClerkSettings([("RATE_LIMITS", "true"), ("BACKEND_RATE_LIMIT", String(allowed))])
        settings.usesCheapHashes = true
        var options = EmulatorOptions()
        let clock = ManualClock(base: FixedClock())
        options.clock = clock
        let server = try ClerkEmulator.start(settings, options)
        defer { server.stop() }
        let directory = try ClerkDirectory(
            secretKey: server.emulator.secretKey, url: server.base, transport: CurlTransport(), clock: clock,
            limiter: own.map { RequestLimiter($0, per: .seconds(10), clock: clock) } ?? RequestLimiter(clock: clock))
        let time = Task {
            while !Task.isCancelled {
                if !clock.sleeps.isEmpty { clock.advance(by: .seconds(1)) }
                await Task.yield()
            }
        }
        defer { time.cancel() }
        var outcomes = 0
        for _ in 0..<count where try await directory.user(email: "nobody@example.com") == nil { outcomes += 1 }
        let refused = server.panel.transcript.entries.filter { $0.response.status == 429 }
        return (outcomes, refused.map { $0.response.headers["Retry-After"] })
    }

    @Test func clerksDirectoryWaitsAsLongAsTheServerAsks() async throws {
        let (outcomes, refused) = try await lookUps(12, allowed: 5, own: nil)
        #expect(outcomes == 12)
        #expect(!refused.isEmpty && refused.allSatisfy { $0 == "2" }, "\(refused)")
    }

    @Test func clerksDirectoryStaysBelowTheLimit() async throws {
        let (outcomes, refused) = try await lookUps(23, allowed: 10, own: 10)
        #expect(outcomes == 23 && refused.isEmpty, "\(refused)")
    }

    @Test(arguments: [
        "MISSING_HASH_ALGORITHM", "INVALID_HASH_ALGORITHM", "INVALID_HASH_ROUNDS", "INVALID_HASH_MEMORY_COST",
        "INVALID_HASH_PARALLELIZATION", "INVALID_HASH_BLOCK_SIZE", "INVALID_HASH_DERIVED_KEY_LENGTH", "INVALID_HASH_KEY",
        "INVALID_HASH_SALT_SEPARATOR",
    ])
    func firebasesDirectoryReportsAHashThatIsNotAccepted(_ code: String) async throws {
        try await DirectoryContractTests.firebase.withProject { project in
            let project = try #require(project as? EmulatedProject)
            let directory = try project.directory(clock: FixedClock())
            try project.panel.fail(
                "POST", "*accounts:batchCreate",
                with: .status(400, body: ["error": ["code": 400, "message": .string(code + " : 30001")]]))
            let hash: Secret = "$2b$04$abcdefghijklmnopqrstuuoVBYqJ6l3EFDwxVc5yIolXKLvX..La."
            let outcome = await directory.create([NewDirectoryUser(email: "ada@example.com", password: .hash(hash))]).first
            #expect(outcome?.error?.code == .invalidInput && outcome?.endsBatch == false, "\(String(describing: outcome))")
        }
    }
}
