import Lockstep
import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// A project's users, managed by an administrator over real HTTP.
@Suite(.limitedConcurrency)
struct DirectoryTests {
    private final class Project: Sendable {
        static let transport = CurlTransport()
        let server: EmulatorServer<GoTrueEmulator>
        let clock = ManualClock(base: FixedClock())
        let directory: GoTrueDirectory

        init() throws {
            var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
            settings.signIn.allowsPhone = true
            var options = EmulatorOptions()
            options.clock = clock
            server = try GoTrueEmulator.start(settings, options: options)
            directory = try GoTrueDirectory(
                url: server.base + "/auth/v1", adminKey: server.emulator.serviceRoleKey, transport: Self.transport, clock: clock)
        }

        deinit { server.stop() }

        /// The status of a sign-in by password.
        func signIn(_ email: String, _ password: String) async throws -> Int {
            let body: JSON = ["email": .string(email), "password": .string(password)]
            return try await Self.transport.send(
                HTTPRequest(.post, server.base + "/token?grant_type=password", body: .json(body))
            ).status
        }
    }

    private static let password = "Correct-Horse-1"
    private let project: Project
    private var directory: GoTrueDirectory { project.directory }

    init() throws { project = try Project() }

    private func ada() -> NewDirectoryUser {
        var user = NewDirectoryUser(email: "Ada@Example.com", phone: "+15551230000", password: .text(Secret(Self.password)))
        user.isEmailConfirmed = true
        user.isPhoneConfirmed = true
        user.displayName = "Ada"
        user.userMetadata = ["colour": "green"]
        user.appMetadata = ["plan": "gold"]
        return user
    }

    @Test func projectSecretKeyIsAccepted() async throws {
        let directory = try GoTrueDirectory(
            url: project.server.base + "/auth/v1", adminKey: project.server.emulator.secretKey, transport: Project.transport)
        let made = try await directory.create(ada())
        #expect(try await directory.user(id: made.id).email == "ada@example.com")
    }

    @Test func userIsCreatedWithAllValues() async throws {
        var new = ada()
        new.id = "8d3b8a52-2a55-4f0e-9d8f-4b4f5f0d2c11"
        let user = try await directory.create(new)
        #expect(user.id == new.id)
        #expect(user.email == "ada@example.com")
        #expect(user.phone == "+15551230000")
        #expect(user.isEmailConfirmed)
        #expect(user.emailConfirmedAt == project.clock.now)
        #expect(user.phoneConfirmedAt == project.clock.now)
        #expect(user.displayName == "Ada")
        #expect(user.userMetadata["colour"]?.string == "green")
        #expect(user.appMetadata["plan"]?.string == "gold")
        #expect(Set(user.providers) == [.email, .phone])
        #expect(Set(user.identities.map(\.provider)) == [.email, .phone])
        #expect(!user.isDisabled)
        #expect(try await directory.user(id: user.id) == user)
        #expect(try await project.signIn("ada@example.com", Self.password) == 200)
        #expect(project.server.panel.outbox.mails.isEmpty)
    }

    /// The server would return 500 for a long password, and generate a random one for an empty one.
    @Test(arguments: [
        (String(repeating: "x", count: 73), "tooLong"), (String(repeating: "\u{e9}", count: 37), "tooLong"), ("", "length"),
        ("Correct\0Horse", "characters"),
    ])
    func unhashablePasswordIsRejected(_ password: String, _ reason: String) async throws {
        let user = NewDirectoryUser(email: "a@example.com", password: .text(Secret(password)))
        let made = try await refusal { try await directory.create(user) }
        #expect(made.code == .weakPassword && made.reasons == [reason])
        let id = try await directory.create(NewDirectoryUser(email: "b@example.com")).id
        var changes = DirectoryChanges()
        changes.password = Secret(password)
        let changed = try await refusal { [changes] in try await directory.update(id, changes) }
        #expect(changed.code == .weakPassword && changed.reasons == [reason])
    }

    @Test(.covers("M16")) func unverifiedAddressStaysUnverified() async throws {
        let user = try await directory.create(NewDirectoryUser(email: "a@example.com", password: .text("Correct-Horse-1")))
        #expect(!user.isEmailConfirmed)
        #expect(try await project.signIn("a@example.com", Self.password) == 400)
        var changes = DirectoryChanges()
        changes.isEmailConfirmed = true
        #expect(try await directory.update(user.id, changes).isEmailConfirmed)
        #expect(try await project.signIn("a@example.com", Self.password) == 200)
    }

    @Test(arguments: ImportedHash.all)
    func aHashOfAnotherBackendSignsIn(_ hash: ImportedHash) async throws {
        var user = NewDirectoryUser(email: "a@example.com", password: .hash(Secret(hash.text)))
        user.isEmailConfirmed = true
        _ = try await directory.create(user)
        #expect(try await project.signIn("a@example.com", hash.password) == 200)
        #expect(try await project.signIn("a@example.com", hash.password + "x") == 400)
    }

    @Test(.covers("M03")) func unverifiableHashCreatesNoUser() async throws {
        let user = NewDirectoryUser(email: "a@example.com", password: .hash("$argon2d$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA"))
        #expect(try await code { try await directory.create(user) } == .invalidInput)
        #expect(try await directory.user(email: "a@example.com") == nil)
    }

    @Test func takenValuesAreReported() async throws {
        let user = try await directory.create(ada())
        #expect(try await code { try await directory.create(ada()) } == .emailAlreadyInUse)
        #expect(try await code { try await directory.create(NewDirectoryUser(phone: "+15551230000")) } == .phoneAlreadyInUse)
        var twin = NewDirectoryUser(email: "b@example.com")
        twin.id = user.id
        #expect(try await code { try await directory.create(twin) } == .invalidInput)
        let other = try await directory.create(NewDirectoryUser(email: "b@example.com"))
        var changes = DirectoryChanges()
        changes.email = "ada@example.com"
        #expect(try await code { try await directory.update(other.id, changes) } == .emailAlreadyInUse)
        #expect(try await directory.user(id: other.id).email == "b@example.com")
    }

    @Test func changesKeepOtherValues() async throws {
        let user = try await directory.create(ada())
        var changes = DirectoryChanges()
        changes.displayName = ""
        changes.photoURL = "https://example.com/ada.png"
        changes.userMetadata = ["size": 3]
        changes.password = "Better-Horse-2"
        changes.email = "grace@example.com"
        let changed = try await directory.update(user.id, changes)
        #expect(changed.displayName == nil)
        #expect(changed.photoURL == "https://example.com/ada.png")
        #expect(changed.userMetadata["colour"]?.string == "green")
        #expect(changed.userMetadata["size"]?.int == 3)
        #expect(changed.appMetadata["plan"]?.string == "gold")
        #expect(changed.email == "grace@example.com")
        #expect(changed.phone == user.phone)
        #expect(try await project.signIn("grace@example.com", "Better-Horse-2") == 200)
    }

    @Test(.covers("M25")) func aDisabledUserIsRejectedUntilEnabled() async throws {
        var new = ada()
        new.isDisabled = true
        let user = try await directory.create(new)
        #expect(user.isDisabled)
        #expect(try await project.signIn("ada@example.com", Self.password) == 400)
        var changes = DirectoryChanges()
        changes.isDisabled = false
        #expect(try await !directory.update(user.id, changes).isDisabled)
        #expect(try await project.signIn("ada@example.com", Self.password) == 200)
    }

    @Test func verificationCannotBeRevoked() async throws {
        let user = try await directory.create(ada())
        var changes = DirectoryChanges()
        changes.isEmailConfirmed = false
        #expect(try await code { try await directory.update(user.id, changes) } == .unsupported)
    }

    @Test(arguments: [1, 3, 7, 100])
    func everyUserIsListedOnce(_ size: Int) async throws {
        var made: Set<String> = []
        for number in 0..<7 { made.insert(try await directory.create(NewDirectoryUser(email: "u\(number)@example.com")).id) }
        var found: [String] = []
        for try await user in directory.all(pageSize: size) { found.append(user.id) }
        #expect(found.count == 7)
        #expect(Set(found) == made)
        #expect(try await directory.page(after: nil, size: size).total == 7)
    }

    /// The newest users come first, so an added user pushes another one onto the next page again.
    @Test func userAddedMeanwhileRepeatsNobody() async throws {
        for number in 0..<4 { _ = try await directory.create(NewDirectoryUser(email: "u\(number)@example.com")) }
        var found: [String?] = []
        for try await user in directory.all(pageSize: 2) {
            found.append(user.email)
            if found.count == 2 { _ = try await directory.create(NewDirectoryUser(email: "new@example.com")) }
        }
        #expect(found.count == Set(found).count)
        #expect(Set(found).isSuperset(of: (0..<4).map { "u\($0)@example.com" }))
    }

    @Test func emptyDirectoryHasNoUsers() async throws {
        for try await user in directory.all() { Issue.record("\(user.id) is there") }
        #expect(try await directory.page(after: nil, size: 10).total == 0)
    }

    @Test func userIsFoundOnlyByTheWholeAddress() async throws {
        let longer = try await directory.create(NewDirectoryUser(email: "grace.ada@example.com"))
        #expect(try await directory.user(email: "ada@example.com") == nil)
        let user = try await directory.create(ada())
        #expect(try await directory.user(email: "ADA@example.com")?.id == user.id)
        #expect(try await directory.user(email: "Grace.Ada@example.com")?.id == longer.id)
    }

    @Test func missingUserIsReported() async throws {
        let user = try await directory.create(ada())
        try await directory.delete(user.id)
        #expect(try await code { try await directory.user(id: user.id) } == .userNotFound)
        #expect(try await code { try await directory.update(user.id, DirectoryChanges()) } == .userNotFound)
        #expect(try await code { try await directory.delete(user.id) } == .userNotFound)
        #expect(try await code { try await directory.delete("../users") } == .userNotFound)
        #expect(try await project.signIn("ada@example.com", Self.password) == 400)
    }

    @Test(arguments: [
        "", "../users", "../admin", "..", ".", "?x=", "x?y=z", "#x", "a\0b", "%2e%2e%2fusers", "a/b", "\\x", "a b",
        "00000000-0000-0000-0000-00000000000/", "00000000-0000-0000-0000-0000000000\u{661}", "\r\nX: y",
        String(repeating: "a", count: 10_000),
    ])
    func malformedIDIsRejectedUnsent(_ id: String) async throws {
        _ = try await directory.create(ada())
        var banned = DirectoryChanges()
        banned.isDisabled = true
        let changes = banned
        let before = project.server.panel.transcript.count
        #expect(try await code { try await directory.user(id: id) } == .userNotFound)
        #expect(try await code { try await directory.update(id, changes) } == .userNotFound)
        #expect(try await code { try await directory.delete(id) } == .userNotFound)
        #expect(project.server.panel.transcript.count == before, "nothing was sent")
        #expect(try await project.signIn("ada@example.com", Self.password) == 200)
    }

    @Test(arguments: ["", "a b", "sb_publishable_x"])
    func publicOrMalformedKeyIsRejected(_ key: String) async throws {
        #expect(
            try await code { try GoTrueDirectory(url: project.server.base, adminKey: Secret(key), transport: Project.transport) }
                == .invalidConfiguration)
    }

    @Test func aKeyOfAnotherProjectIsRejected() async throws {
        let other = try GoTrueDirectory(url: project.server.base, adminKey: "sb_secret_x", transport: Project.transport)
        #expect(try await code { try await other.page(after: nil, size: 1) } == .invalidKey)
    }

    private func code<Value>(_ body: () async throws -> Value) async throws -> AuthError.Code? {
        do {
            _ = try await body()
            return nil
        } catch let error as AuthError {
            return error.code
        }
    }
}
