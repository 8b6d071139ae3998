import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Features that no contract of all directories covers: service accounts, batches of a thousand, claims, exported hashes.
@Suite(.limitedConcurrency)
struct DirectoryTests {
    private static let password = "Correct-Horse-1"
    private let project: DirectoryProject
    private var directory: FirebaseDirectory { project.directory }

    init() async throws { project = try await DirectoryProject() }

    private func code<Value>(_ body: () async throws -> Value) async throws -> AuthError.Code? {
        do {
            _ = try await body()
            return nil
        } catch let error as AuthError {
            return error.code
        }
    }

    @Test func accessTokenIsCachedUntilItExpires() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { [directory] in _ = try await directory.page(after: nil, size: 1) } }
            try await group.waitForAll()
        }
        #expect(project.grants.emulator.grants == 1)
        project.clock.advance(by: .seconds(3530))
        _ = try await directory.page(after: nil, size: 1)
        #expect(project.grants.emulator.grants == 1)
        project.clock.advance(by: .seconds(10))
        _ = try await directory.page(after: nil, size: 1)
        #expect(project.grants.emulator.grants == 2)
    }

    /// Firebase replaces all claims of a user, so a change of one would round the others.
    @Test func claimsThatWouldBeRoundedAreNotWritten() async throws {
        let claims = #"{"big":18446744073709551615}"#
        let users: JSON = ["users": [["localId": "a", "email": "a@example.com", "customAttributes": .string(claims)]]]
        #expect(try await project.server.emulator.admin.importUsers(users).isEmpty)
        var changes = DirectoryChanges()
        changes.appMetadata = ["role": "admin"]
        #expect(try await code { try await directory.update("a", changes) } == .unsupported)
        #expect(try await directory.user(id: "a").fields["customAttributes"]?.string == claims)
    }

    @Test func rejectedAccessTokenIsReplacedOnce() async throws {
        let refusal = FaultEffect.status(
            401,
            body: [
                "error": [
                    "code": 401, "message": "Request had invalid authentication credentials.", "status": "UNAUTHENTICATED",
                ]
            ])
        _ = try await directory.page(after: nil, size: 1)
        try project.server.panel.fail("POST", "*/accounts", with: refusal)
        let user = try await directory.create(NewDirectoryUser(email: "a@example.com", password: .text(Secret(Self.password))))
        #expect(project.grants.emulator.grants == 2)
        #expect(try await directory.user(id: user.id) == user)
        try project.server.panel.fail(next: 2, "GET", with: refusal)
        #expect(try await code { try await directory.page(after: nil, size: 1) } == .invalidKey)
    }

    @Test func aWithdrawnKeyIsReported() async throws {
        project.grants.emulator.withdraw()
        do throws(AuthError) {
            _ = try await directory.page(after: nil, size: 1)
            Issue.record("a withdrawn key gets an access token")
        } catch {
            #expect(error.code == .invalidKey)
            #expect(!"\(error)".contains("eyJ"))
        }
        #expect(project.server.panel.transcript.count == 0)
    }

    @Test(arguments: ["type", "project_id", "client_email", "private_key", "token_uri"])
    func incompleteAccountFileIsRejected(_ name: String) async throws {
        var file = try #require(try JSON.parse(Array(project.grants.emulator.file.reveal().utf8)).object)
        file[name] = nil
        let text = Secret(JSON.object(file).text())
        #expect(try await code { try FirebaseServiceAccount(contents: text) } == .invalidConfiguration)
        file[name] = "http://tokens.example.com/"
        let other = Secret(JSON.object(file).text())
        let isFreeText = ["project_id", "client_email"].contains(name)
        #expect(try await code { try FirebaseServiceAccount(contents: other) } == (isFreeText ? nil : .invalidConfiguration))
    }

    @Test func accountDescriptionShowsNoKey() throws {
        let account = try FirebaseServiceAccount(contents: project.grants.emulator.file)
        var dumped = ""
        dump(account, to: &dumped)
        #expect("\(account)\(dumped)".contains("PRIVATE") == false)
        #expect("\(account)".contains(account.email))
    }

    @Test(arguments: ["", "a/b", "..", "a b", "a?x=y"])
    func malformedProjectOrTenantIsRejected(_ id: String) async throws {
        let base = project.server.base
        #expect(
            try await code { try FirebaseDirectory(url: base, project: id, transport: DirectoryProject.transport) }
                == .invalidConfiguration)
        #expect(
            try await code {
                try FirebaseDirectory(url: base, project: "demo", tenant: id, transport: DirectoryProject.transport)
            } == .invalidConfiguration)
    }

    @Test func tenantHasSeparateUsers() async throws {
        try project.server.emulator.admin.createTenant(id: "tenant-1")
        let tenant = try FirebaseDirectory(
            account: FirebaseServiceAccount(contents: project.grants.emulator.file), tenant: "tenant-1",
            url: project.server.base, transport: DirectoryProject.transport,
            clock: project.clock)
        let user = try await tenant.create(NewDirectoryUser(email: "a@example.com"))
        #expect(try await tenant.user(email: "a@example.com")?.id == user.id)
        #expect(try await directory.user(email: "a@example.com") == nil)
        #expect(try await code { try await directory.user(id: user.id) } == .userNotFound)
    }

    @Test func usersAreCreatedInCallsOf1000() async throws {
        let outcomes = await directory.create((0..<1001).map { NewDirectoryUser(email: "u\($0)@example.com") })
        #expect(outcomes.count == 1001)
        #expect(outcomes.allSatisfy { $0.error == nil })
        #expect(project.calls("batchCreate") == 2)
        var ids: [String] = []
        for try await user in directory.all(pageSize: 1000) { ids.append(user.id) }
        #expect(Set(ids).count == 1001)
        let deleted = await directory.delete(ids)
        #expect(deleted.allSatisfy { $0.error == nil })
        #expect(project.calls("batchDelete") == 2)
        #expect(try await directory.page(after: nil, size: 10).users.isEmpty)
    }

    /// A look-up contains at most 100 requests of any kind.
    @Test func usersAreLookedUpInCallsOf100() async throws {
        let outcomes = await directory.create((0..<130).map { NewDirectoryUser(email: "u\($0)@example.com") })
        let ids = outcomes.compactMap { if case .done(let id) = $0 { id } else { nil } }
        let requests = ids.map { RequestedUser.id($0) } + (0..<130).map { .email("u\($0)@example.com") }
        let found = try await directory.users(requests)
        #expect(found.map { $0?.id } == ids + ids)
        #expect(project.calls("lookup") == 3)
        #expect(
            try await directory.users(ids: ["", String(repeating: "a", count: 129), ids[0]]).map { $0?.id } == [nil, nil, ids[0]])
        #expect(try await directory.count() == 130)
        #expect(project.calls("query") == 1)
    }

    /// An identity is looked up by the provider's own id and by the provider's portable name.
    @Test func anIdentityIsLookedUp() async throws {
        let user = try await directory.create(NewDirectoryUser(email: "a@example.com"))
        let response = try await DirectoryProject.transport.send(
            HTTPRequest(
                .post,
                "\(project.server.base)/identitytoolkit.googleapis.com/v1/projects/\(FirebaseSettings(mode: .strict).project)/accounts:update",
                headers: ["Authorization": "Bearer owner"],
                body: .json([
                    "localId": .string(user.id), "linkProviderUserInfo": ["providerId": "google.com", "rawId": "g-1"],
                ])))
        #expect(response.status == 200)
        let identities = ["g-1", "g-2"].map { DirectoryIdentity(.google, subject: $0) }
        #expect(try await directory.users(identities: identities).map { $0?.id } == [user.id, nil])
    }

    @Test(.covers("M12")) func takenIDIsNotOverwritten() async throws {
        var first = NewDirectoryUser(email: "a@example.com")
        first.id = "legacy-1"
        _ = try await directory.create(first)
        for password in [NewDirectoryUser.Password.text(Secret(Self.password)), .hash(Secret(Self.bcrypt))] {
            var second = NewDirectoryUser(email: "b@example.com", password: password)
            second.id = "legacy-1"
            #expect(try await code { try await directory.create(second) } == .invalidInput)
        }
        #expect(try await directory.user(id: "legacy-1").email == "a@example.com")
    }

    private static let bcrypt = "$2b$06$nDfMrgWWFyM5QLIsa8q0v.Xn0BpJglYVwoYJKgmFOZ9VB3ljSaIz2"

    @Test(.covers("M08")) func claimsAreMergedAndNeverTruncated() async throws {
        var new = NewDirectoryUser(email: "a@example.com", password: .text(Secret(Self.password)))
        new.appMetadata = ["plan": "gold", "level": 2]
        let user = try await directory.create(new)
        #expect(user.appMetadata == ["plan": "gold", "level": 2])
        var changes = DirectoryChanges()
        changes.appMetadata = ["plan": nil, "colour": "green"]
        #expect(try await directory.update(user.id, changes).appMetadata == ["level": 2, "colour": "green"])
        changes.appMetadata = ["long": .string(String(repeating: "x", count: 1000))]
        #expect(try await code { try await directory.update(user.id, changes) } == .invalidInput)
        changes.appMetadata = ["sub": "another"]
        #expect(try await code { try await directory.update(user.id, changes) } == .invalidInput)
        #expect(try await directory.user(id: user.id).appMetadata == ["level": 2, "colour": "green"])
    }

    @Test func changesKeepOtherValues() async throws {
        var new = NewDirectoryUser(email: "a@example.com", phone: "+15551230000", password: .text(Secret(Self.password)))
        new.isEmailConfirmed = true
        new.isPhoneConfirmed = true
        new.displayName = "Ada"
        new.photoURL = "https://example.com/ada.png"
        let user = try await directory.create(new)
        var changes = DirectoryChanges()
        changes.displayName = ""
        changes.isEmailConfirmed = false
        changes.password = "Better-Horse-2"
        let changed = try await directory.update(user.id, changes)
        #expect(changed.displayName == nil)
        #expect(changed.photoURL == user.photoURL)
        #expect(changed.phone == user.phone)
        #expect(!changed.isEmailConfirmed)
        #expect(try await project.signIn("a@example.com", Self.password) == 400)
        #expect(try await project.signIn("a@example.com", "Better-Horse-2") == 200)
        changes = DirectoryChanges()
        changes.isPhoneConfirmed = false
        #expect(try await code { try await directory.update(user.id, changes) } == .unsupported)
    }

    /// A user with an unverified number could sign in with it.
    @Test(.covers("M19")) func unverifiedNumberIsRejected() async throws {
        #expect(try await code { try await directory.create(NewDirectoryUser(phone: "+15551230000")) } == .unsupported)
        #expect(project.server.panel.transcript.count == 0)
    }

    @Test func passwordPolicyAppliesToPlainPasswords() async throws {
        let short = NewDirectoryUser(email: "a@example.com", password: .text("short"))
        #expect(try await code { try await directory.create(short) } == .weakPassword)
        let outcomes = await directory.create([short])
        guard case .refused(let error) = outcomes[0] else {
            Issue.record("the outcome is \(outcomes[0])")
            return
        }
        #expect(error.code == .weakPassword)
        #expect(try await directory.user(email: "a@example.com") == nil)
    }

    @Test(.covers("M13")) func exportedHashesSignInToAnotherProject() async throws {
        var new = NewDirectoryUser(email: "a@example.com", password: .text(Secret(Self.password)))
        new.isEmailConfirmed = true
        let user = try await directory.create(new)
        _ = try await directory.create(NewDirectoryUser(email: "b@example.com", password: .hash(Secret(Self.bcrypt))))
        #expect(try await directory.page(after: nil, size: 10).users.allSatisfy { $0.passwordHash == nil })
        let source = try await directory.readingHashes()
        let users = try await source.page(after: nil, size: 10).users
        // The hash of another system is not reported as a hash of the project.
        #expect(users.first { $0.email == "b@example.com" }?.passwordHash == nil)
        #expect(users.allSatisfy { $0.hasPassword == true })
        let hash = try #require(users.first { $0.id == user.id }?.passwordHash)
        let target = try await DirectoryProject()
        _ = try await target.directory.create(NewDirectoryUser(email: "a@example.com", password: .hash(hash)))
        #expect(try await target.signIn("a@example.com", Self.password) == 200)
        #expect(try await target.signIn("a@example.com", "Wrong-Horse-2") == 400)
    }

    /// After a lost response between the two parts of a creation, the outcome of the user is unknown.
    @Test func partialCreationIsReported() async throws {
        var new = NewDirectoryUser(email: "a@example.com", password: .text(Secret(Self.password)))
        new.appMetadata = ["plan": "gold"]
        try project.server.panel.fail(
            "POST", "*/accounts:update", with: .status(400, body: ["error": ["message": "INVALID_CLAIMS"]]))
        do throws(AuthError) {
            _ = try await directory.create(new)
            Issue.record("the claims were refused, and the creation was not")
        } catch {
            #expect(error.completed == ["created"])
        }
        #expect(try await directory.user(email: "a@example.com") != nil)
    }

    @Test(arguments: ["", String(repeating: "a", count: 129)])
    func malformedIDIsRejectedUnsent(_ id: String) async throws {
        #expect(try await code { try await directory.user(id: id) } == .userNotFound)
        #expect(try await code { try await directory.delete(id) } == .userNotFound)
        #expect(project.server.panel.transcript.count == 0, "nothing was sent")
    }
}
