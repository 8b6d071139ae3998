import LockstepClerkDirectory
import LockstepCurl
import LockstepDirectoryContracts
import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepGoTrueDirectory
import LockstepTestConcurrency
import LockstepTestSupport
import Synchronization
import Testing

/// Impossible totals, lists at wrong addresses, and keys of other projects.
@Suite(.limitedConcurrency) struct HostileAnswerTests {
    private static let harnesses: [any DirectoryHarness] = [
        DirectoryContractTests.goTrue, DirectoryContractTests.firebase, DirectoryContractTests.clerk,
    ]

    /// Lists the users of a GoTrue server that returns these totals one after the other, again and again.
    private func list(_ totals: [String], size: Int = 2, users: Int = 5) async throws -> (Int, AuthError.Code?, requests: Int) {
        try await DirectoryContractTests.goTrue.withProject { project in
            let project = try #require(project as? EmulatedProject)
            let directory = try project.directory(clock: FixedClock())
            for number in 0..<users { _ = try await directory.create(NewDirectoryUser(email: "u\(number)@example.com")) }
            let place = Mutex(0)
            try project.panel.fail(
                next: .max, "GET", "*/admin/users",
                with: .changeResponse { response in
                    let total = place.withLock { place in
                        defer { place += 1 }
                        return totals[place % totals.count]
                    }
                    var changed = response
                    changed.headers["X-Total-Count"] = total
                    return changed
                })
            let before = project.panel.transcript.count
            var seen: Set<String> = []
            var code: AuthError.Code?
            do throws(AuthError) {
                for try await user in directory.all(pageSize: size) { seen.insert(user.id) }
            } catch {
                code = error.code
            }
            return (seen.count, code, project.panel.transcript.count - before)
        }
    }

    @Test(arguments: [
        ["5", "-9223372036854775808"], ["9223372036854775807", "-9223372036854775808"], ["-1", "5"],
        ["5", "99999999999999999999"],
        ["2147483648", "5"], ["", "5"], ["5", "٥"], ["5", "+5"], ["5.0", "1e9"], ["-0"],
    ])
    func readsAnyTotalWithoutATrap(_ totals: [String]) async throws {
        let (seen, code, requests) = try await list(totals)
        #expect(code == nil || code == .invalidResponse)
        #expect(code != nil || seen == 5)
        #expect(requests <= 20)
    }

    @Test(arguments: [["10", "5"], ["5", "10"], ["100", "1"], ["9", "7", "8"], ["2147483647", "0"]], [1, 2, 5])
    func endsAlthoughTheTotalGoesUpAndDown(_ totals: [String], _ size: Int) async throws {
        let (_, code, requests) = try await list(totals, size: size)
        #expect(code == nil || code == .invalidResponse)
        #expect(requests <= 30)
    }

    @Test(arguments: ["9223372036854775807", "2147483647:2147483647", "-5:-9223372036854775808", ":", "1:x", "0", "x"])
    func readsAnyCursorWithoutATrap(_ cursor: String) async throws {
        for harness in Self.harnesses {
            try await harness.withProject { project in
                let directory = try project.directory(clock: FixedClock())
                for size in [Int.min, -1, 0, .max] {
                    _ = try? await directory.page(after: DirectoryCursor(rawValue: cursor), size: size)
                    _ = try? await directory.page(after: DirectoryCursor(rawValue: "user_x@\(cursor)"), size: size)
                }
            }
        }
    }

    private func code(_ body: () async throws -> Void) async -> AuthError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? AuthError)?.code
        }
    }

    @Test func listFromAWrongAddressIsAConfigurationError() async throws {
        let transport = CurlTransport()
        for harness in Self.harnesses {
            try await harness.withProject { project in
                let base = try project.directory(clock: FixedClock()).backend.prefix { $0 != "#" } + "/elsewhere"
                let (url, clock) = (String(base), FixedClock())
                let directory: any UserDirectory =
                    switch harness.name {
                    case "gotrue": try GoTrueDirectory(url: url, adminKey: "sb_secret_x", transport: transport, clock: clock)
                    case "clerk": try ClerkDirectory(secretKey: "sk_test_x", url: url, transport: transport, clock: clock)
                    default: try FirebaseDirectory(url: url, project: "demo", transport: transport, clock: clock)
                    }
                let user = NewDirectoryUser(email: "ada@example.com", password: .text("Correct-Horse-1"))
                let codes = [
                    await code { _ = try await directory.page(after: nil, size: 1) },
                    await code { for try await _ in directory.all() {} },
                    await code { _ = try await directory.create(user) },
                ]
                #expect(codes.allSatisfy { $0 == .invalidConfiguration }, "\(harness.name): \(codes)")
            }
        }
    }

    // Firebase leaves the list out if nobody has the address.
    @Test func searchWithoutAListIsNotNobody() async throws {
        for harness in Self.harnesses where !harness.name.hasPrefix("firebase") {
            try await harness.withProject { project in
                let project = try #require(project as? EmulatedProject)
                let directory = try project.directory(clock: FixedClock())
                try project.panel.fail(next: 1, "GET", "*/users", with: .answer(.json([:])))
                let code = await code { _ = try await directory.user(email: "ada@example.com") }
                #expect(code == .invalidResponse, "\(harness.name): \(code?.rawValue ?? "nobody")")
            }
        }
    }
}
