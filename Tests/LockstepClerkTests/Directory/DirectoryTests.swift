import LockstepClerk
import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Features that no contract of all directories covers: statuses of addresses, external ids, limits that several directories
/// share.
@Suite(.limitedConcurrency)
struct DirectoryTests {
    private static let password: Secret = "Correct-Horse-1"

    private func code<Value>(_ body: () async throws -> Value) async throws -> AuthError.Code? {
        do {
            _ = try await body()
            return nil
        } catch let error as AuthError {
            return error.code
        }
    }

    private func run(_ body: (Instance, ClerkDirectory) async throws -> Void) async throws {
        try await Instance.run([], { $0.phoneNumber = .optional }) { instance in
            try await body(instance, try directory(instance))
        }
    }

    private func directory(_ instance: Instance, limiter: RequestLimiter? = nil) throws -> ClerkDirectory {
        try ClerkDirectory(
            secretKey: instance.server.emulator.secretKey, url: instance.server.base, transport: instance.transport,
            clock: instance.clock, limiter: limiter)
    }

    @Test(.covers("M16")) func unverifiedAddressIsReserved() async throws {
        try await run { (instance, directory) async throws in
            let user = try await directory.create(NewDirectoryUser(email: "a@example.com", password: .text(Self.password)))
            #expect(!user.isEmailConfirmed)
            let address = user.fields["email_addresses"]?[0]
            #expect(address?["reserved"] == true)
            var changes = DirectoryChanges()
            changes.isEmailConfirmed = true
            #expect(try await directory.update(user.id, changes).isEmailConfirmed)
            changes.isEmailConfirmed = false
            let again = try await directory.update(user.id, changes)
            #expect(!again.isEmailConfirmed)
            #expect(again.email == "a@example.com")
        }
    }

    @Test func externalIDBelongsToOneUser() async throws {
        try await run { (instance, directory) async throws in
            var first = NewDirectoryUser(email: "a@example.com")
            first.externalID = "legacy-1"
            first.createdAt = Instant(milliseconds: 1_500_000_000_123)
            let user = try await directory.create(first)
            #expect(user.externalID == "legacy-1")
            #expect(user.createdAt == first.createdAt)
            var second = NewDirectoryUser(email: "b@example.com")
            second.externalID = "legacy-1"
            #expect(try await code { try await directory.create(second) } == .invalidInput)
            #expect(try await directory.user(email: "b@example.com") == nil)
        }
    }

    @Test func passwordPolicyAppliesUnlessExempt() async throws {
        try await run { (instance, directory) async throws in
            var user = NewDirectoryUser(email: "a@example.com", password: .text("short"))
            user.isEmailConfirmed = true
            #expect(try await code { try await directory.create(user) } == .weakPassword)
            user.isExemptFromPolicy = true
            _ = try await directory.create(user)
            #expect(
                try await instance.client().signIn(with: .password(email: "a@example.com", password: "short")).session != nil)
        }
    }

    @Test func changesKeepOtherValues() async throws {
        try await run { (instance, directory) async throws in
            var new = NewDirectoryUser(email: "a@example.com", phone: "+15551230000", password: .text(Self.password))
            new.isEmailConfirmed = true
            new.isPhoneConfirmed = true
            new.displayName = "Ada King Lovelace"
            new.userMetadata = ["colour": "green"]
            new.appMetadata = ["plan": "gold", "level": 2]
            new.privateMetadata = ["note": "old"]
            let user = try await directory.create(new)
            #expect(user.displayName == "Ada King Lovelace")
            var changes = DirectoryChanges()
            changes.email = "b@example.com"
            changes.isEmailConfirmed = true
            changes.phone = "+15551230001"
            changes.password = "Better-Horse-2"
            changes.appMetadata = ["plan": nil, "size": 3]
            changes.privateMetadata = ["note": "new"]
            let changed = try await directory.update(user.id, changes)
            #expect(changed.email == "b@example.com")
            #expect(changed.isEmailConfirmed)
            #expect(changed.phone == "+15551230001")
            #expect(changed.displayName == user.displayName)
            #expect(changed.userMetadata == ["colour": "green"])
            #expect(changed.appMetadata == ["level": 2, "size": 3])
            #expect(changed.privateMetadata == ["note": "new"])
            #expect(try await directory.user(email: "a@example.com") == nil)
            let credential = PasswordCredential.password(email: "b@example.com", password: "Better-Horse-2")
            #expect(try await instance.client().signIn(with: credential).session != nil)
        }
    }

    @Test func partialUpdateReportsWhatWasDone() async throws {
        try await run { (instance, directory) async throws in
            let user = try await directory.create(NewDirectoryUser(email: "a@example.com"))
            var changes = DirectoryChanges()
            changes.displayName = "Ada"
            changes.appMetadata = ["plan": "gold"]
            changes.isDisabled = true
            let asked = changes
            try instance.server.panel.fail("PATCH", "*/metadata", with: .loseResponse)
            do throws(AuthError) {
                _ = try await directory.update(user.id, asked)
                Issue.record("an answer was lost, and nothing failed")
            } catch {
                #expect(error.completed == ["ban", "profile"])
            }
            let read = try await directory.user(id: user.id)
            #expect(read.displayName == "Ada")
            #expect(read.isDisabled)
        }
    }

    /// A number that is a second factor can be the user's first number.
    @Test(.covers("M25")) func newNumberKeepsTheSecondFactor() async throws {
        try await run { (instance, directory) async throws in
            var new = NewDirectoryUser(email: "a@example.com", password: .text(Self.password))
            new.isEmailConfirmed = true
            new.factors = [DirectoryFactor(.phone("+15551230000"))]
            let user = try await directory.create(new)
            for number in ["+15551230001", "+15551230002"] {
                var changes = DirectoryChanges()
                changes.phone = number
                let changed = try await directory.update(user.id, changes)
                #expect(changed.phone == number && changed.factors.map(\.kind) == [.phone("+15551230000")])
                #expect(changed.phones.count == 2 && changed.fields["two_factor_enabled"] == true)
            }
        }
    }

    /// The number of the second factor is taken, and the half of the user stays.
    @Test(.covers("M53")) func halfThatIsNotRemovedIsReportedWithItsError() async throws {
        try await run { (instance, directory) async throws in
            var other = NewDirectoryUser(email: "b@example.com", phone: "+15551230000")
            other.isPhoneConfirmed = true
            _ = try await directory.create(other)
            var new = NewDirectoryUser(email: "a@example.com")
            new.factors = [DirectoryFactor(.phone("+15551230000"))]
            try instance.server.panel.fail(next: 9, "DELETE", with: .status(503))
            let asked = new
            let error = await #expect(throws: AuthError.self) { try await directory.create(asked) }
            #expect(error?.code == .serverUnavailable && error?.completed == ["user"], "\(String(describing: error))")
            #expect(try await directory.user(email: "a@example.com")?.isDisabled == true)
        }
    }

    @Test func changeOfOneAddressKeepsTheOthers() async throws {
        try await run { (instance, directory) async throws in
            var new = NewDirectoryUser(email: "a@example.com")
            new.isEmailConfirmed = true
            let user = try await directory.create(new)
            let answer = try await instance.transport.send(
                HTTPRequest(
                    .post, instance.server.base + "/v1/email_addresses",
                    headers: ["Authorization": "Bearer " + instance.server.emulator.secretKey.reveal()],
                    body: .json(["user_id": .string(user.id), "email_address": "second@example.com", "verified": true])))
            #expect(answer.status == 200)
            var changes = DirectoryChanges()
            changes.email = "b@example.com"
            #expect(try await code { try await directory.update(user.id, changes) } == .unsupported)
            changes.isEmailConfirmed = true
            #expect(try await directory.update(user.id, changes).email == "b@example.com")
            #expect(try await directory.user(email: "second@example.com")?.id == user.id)
            #expect(try await directory.user(email: "a@example.com") == nil)
        }
    }

    /// A filter has at most 100 values in a list, and each kind of request has its own filter.
    @Test func usersAreLookedUpInListsOf100() async throws {
        try await run { (instance, _) async throws in
            let directory = try directory(instance, limiter: RequestLimiter(clock: instance.clock))
            let users = (0..<130).map { number in
                var user = NewDirectoryUser(email: "u\(number)@example.com")
                user.externalID = "legacy-\(number)"
                return user
            }
            let outcomes = await directory.create(users)
            let ids = outcomes.compactMap { if case .done(let id) = $0 { id } else { nil } }
            #expect(ids.count == 130)
            let before = instance.server.panel.transcript.count
            let requests = ids.map { RequestedUser.id($0) } + (0..<130).map { .externalID("legacy-\($0)") }
            #expect(try await directory.users(requests).map { $0?.id } == ids + ids)
            #expect(instance.server.panel.transcript.count - before == 4)
            #expect(try await directory.count() == 130)
            let deleted = await directory.delete(ids)
            #expect(deleted.allSatisfy { $0.error == nil })
            #expect(try await directory.count() == 0)
        }
    }

    /// The next page starts after the time of a deleted user.
    @Test func pageAfterADeletedUserMissesNobody() async throws {
        try await run { (instance, directory) async throws in
            for number in 0..<6 { _ = try await directory.create(NewDirectoryUser(email: "u\(number)@example.com")) }
            let first = try await directory.page(after: nil, size: 2)
            let last = try #require(first.users.last)
            try await directory.delete(last.id)
            var emails = Set(first.users.compactMap(\.email))
            var cursor = first.next
            while let place = cursor {
                let page = try await directory.page(after: place, size: 2)
                emails.formUnion(page.users.compactMap(\.email))
                cursor = page.next
            }
            #expect(emails == Set((0..<6).map { "u\($0)@example.com" }))
        }
    }

    @Test(arguments: ["", "count", "ban", "../users", "user_/../x", "user_?x", "user_a b", "user_%2e%2e"])
    func malformedIDIsRejectedUnsent(_ id: String) async throws {
        try await run { (instance, directory) async throws in
            let before = instance.server.panel.transcript.count
            #expect(try await code { try await directory.user(id: id) } == .userNotFound)
            #expect(try await code { try await directory.delete(id) } == .userNotFound)
            #expect(try await code { try await directory.update(id, DirectoryChanges()) } == .userNotFound)
            #expect(instance.server.panel.transcript.count == before, "nothing was sent")
        }
    }

    @Test(arguments: ["", "pk_test_x", "sk_other", "sk_test_a b", "sk_test_\n"])
    func aKeyThatIsNotASecretOneIsRejected(_ key: String) async throws {
        try await run { (instance, _) async throws in
            #expect(
                try await code { try ClerkDirectory(secretKey: Secret(key), transport: instance.transport) }
                    == .invalidConfiguration)
        }
    }

    @Test(arguments: ["https://api.clerk.com", "https://api.clerk.com/", "https://api.clerk.com/v1", "https://api.clerk.com/v1/"])
    func addressCanContainTheVersion(_ url: String) async throws {
        try await run { instance, directory in
            let given = try ClerkDirectory(secretKey: "sk_test_1", url: url, transport: instance.transport)
            #expect(try given.backend == ClerkDirectory(secretKey: "sk_test_1", transport: instance.transport).backend)
            let local = try ClerkDirectory(
                secretKey: instance.server.emulator.secretKey,
                url: instance.server.base + url.dropFirst("https://api.clerk.com".count), transport: instance.transport,
                clock: instance.clock)
            #expect(local.backend == directory.backend)
            #expect(try await local.page(after: nil, size: 1).users.isEmpty)
        }
    }

    @Test func aKeyOfAnotherInstanceIsRejected() async throws {
        try await run { (instance, _) async throws in
            let other = try ClerkDirectory(
                secretKey: "sk_test_another", url: instance.server.base, transport: instance.transport, clock: instance.clock)
            #expect(try await code { try await other.page(after: nil, size: 1) } == .invalidKey)
        }
    }

    /// If Clerk has too many requests of one directory, every directory that shares the limiter waits.
    ///
    /// Clerk's body contains the time.
    @Test func oneRateLimitMakesAllDirectoriesWait() async throws {
        try await run { (instance, _) async throws in
            let limiter = RequestLimiter(clock: instance.clock)
            let (one, two) = (try directory(instance, limiter: limiter), try directory(instance, limiter: limiter))
            let refusal: JSON = ["errors": [["code": "too_many_requests", "message": "Too many", "meta": ["retryAfter": 7]]]]
            let before = instance.server.panel.transcript.count
            try instance.server.panel.fail("GET", "/v1/users", with: .status(429, body: refusal))
            let first = Task { try await one.page(after: nil, size: 1) }
            while instance.clock.sleeps != [.seconds(7)] { await Task.yield() }
            let second = Task { try await two.page(after: nil, size: 1) }
            let third = Task { try await code { try await two.page(after: nil, size: 1) } }
            while instance.clock.sleeps.count < 3 { await Task.yield() }
            third.cancel()
            #expect(try await third.value == .cancelled)
            #expect(instance.server.panel.transcript.count == before + 1)
            instance.clock.advance(by: .seconds(7))
            _ = (try await first.value, try await second.value)
            #expect(instance.server.panel.transcript.count == before + 3)
        }
    }

    /// Two directories with one limiter together send at most its number of requests.
    @Test func directoriesShareARateLimit() async throws {
        try await run { (instance, _) async throws in
            let limiter = RequestLimiter(3, per: .seconds(10), clock: instance.clock)
            let (one, two) = (try directory(instance, limiter: limiter), try directory(instance, limiter: limiter))
            let before = instance.server.panel.transcript.count
            for directory in [one, two, one] { _ = try await directory.page(after: nil, size: 1) }
            let fourth = Task { try await two.page(after: nil, size: 1) }
            while instance.clock.sleeps != [.seconds(10)] { await Task.yield() }
            #expect(instance.server.panel.transcript.count == before + 3)
            instance.clock.advance(by: .seconds(10))
            _ = try await fourth.value
            #expect(instance.server.panel.transcript.count == before + 4)
        }
    }
}
