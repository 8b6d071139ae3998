import LockstepCurl
import LockstepDirectory
import LockstepEmulatorTestSupport
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Values of a user that the directory reads and does not write: identities, second factors, times, reasons of missing hashes.
@Suite(.limitedConcurrency)
struct UserReadingTests {
    private let project: DirectoryProject

    init() async throws { project = try await DirectoryProject() }

    /// Imports users in Firebase's own format.
    private func importUsers(_ users: [JSONObject], hashing: JSONObject = [:]) async throws {
        var body: JSONObject = ["users": .array(users.map(JSON.object))]
        for (name, value) in hashing { body[name] = value }
        let id = FirebaseSettings(mode: .strict).project
        let response = try await DirectoryProject.transport.send(
            HTTPRequest(
                .post, "\(project.server.base)/identitytoolkit.googleapis.com/v1/projects/\(id)/accounts:batchCreate",
                headers: ["Authorization": "Bearer owner"], body: .json(.object(body))))
        #expect(response.status == 200)
        #expect(try JSON.parse(response.body)["error"] == nil)
    }

    @Test func readsIdentitiesFactorsAndTimes() async throws {
        try await importUsers([
            [
                "localId": "ada", "email": "ada@example.com", "emailVerified": true, "phoneNumber": "+15551230000",
                "createdAt": "1500000000000", "lastLoginAt": "1600000000123",
                "providerUserInfo": [
                    ["providerId": "google.com", "rawId": "g-1", "email": "ada@gmail.example", "displayName": "Ada"],
                    ["providerId": "facebook.com", "rawId": "f-1", "photoUrl": "https://example.com/ada.png"],
                    ["providerId": "oidc.acme", "rawId": "o-1"],
                ],
                "mfaInfo": [
                    [
                        "mfaEnrollmentId": "1", "phoneInfo": "+15551239999", "displayName": "phone",
                        "enrolledAt": "2020-01-02T03:04:05Z",
                    ],
                    ["mfaEnrollmentId": "2", "emulatorTotpSecret": "JBSWY3DPEHPK3PXP", "displayName": "app"],
                ],
            ],
            ["localId": "guest"],
        ])
        let listed = try await project.directory.page(after: nil, size: 10).users
        let looked = try await project.directory.user(id: "ada")
        for user in [try #require(listed.first { $0.id == "ada" }), looked] {
            #expect(user.providerIdentities.map(\.provider.rawValue) == ["google", "facebook", "oidc.acme"])
            #expect(user.providerIdentities.map(\.subject) == ["g-1", "f-1", "o-1"])
            #expect(user.providerIdentities[0].email == "ada@gmail.example" && user.providerIdentities[0].displayName == "Ada")
            #expect(user.providerIdentities[1].photoURL == "https://example.com/ada.png")
            #expect(user.factors.map(\.kind) == [.phone("+15551239999"), .authenticatorApp(secret: nil)])
            #expect(user.factors.map(\.friendlyName) == ["phone", "app"])
            #expect(user.factors[0].createdAt == Instant(rfc3339: "2020-01-02T03:04:05Z"))
            #expect(user.emails == [DirectoryAddress("ada@example.com", isConfirmed: true, isPrimary: true)])
            #expect(user.phones == [DirectoryAddress("+15551230000", isConfirmed: true, isPrimary: true)])
            #expect(user.createdAt == Instant(seconds: 1_500_000_000))
            #expect(user.lastSignInAt == Instant(milliseconds: 1_600_000_000_123))
            #expect(user.sessionsValidSince == project.clock.now)
            #expect(user.passwordChangedAt == nil && user.missingHash == .noPassword)
            #expect(!user.isAnonymous && !user.isSingleSignOn && user.notShown.isEmpty)
        }
        let guest = try #require(listed.first { $0.id == "guest" })
        #expect(guest.isAnonymous && guest.emails.isEmpty && guest.phones.isEmpty)
    }

    /// Each reason needs another action: request hashes, add a permission, let the user sign in once.
    @Test(.covers("M04")) func reportsWhyAHashIsMissing() async throws {
        try await importUsers(
            [["localId": "imported", "email": "a@example.com", "passwordHash": "JDJiJDA2JG4"]],
            hashing: ["hashAlgorithm": "BCRYPT"])
        _ = try await project.directory.create(
            NewDirectoryUser(email: "own@example.com", password: .text("Correct-Horse-1")))
        _ = try await project.directory.create(NewDirectoryUser(email: "none@example.com"))
        func reasons(_ directory: FirebaseDirectory) async throws -> [String: MissingHash] {
            let users = try await directory.page(after: nil, size: 10).users
            return Dictionary(uniqueKeysWithValues: users.compactMap { user in user.missingHash.map { (user.email ?? "", $0) } })
        }
        let unasked: [String: MissingHash] = [
            "a@example.com": .notRequested, "own@example.com": .notRequested, "none@example.com": .noPassword,
        ]
        #expect(try await reasons(project.directory) == unasked)
        let reading = try await project.directory.readingHashes()
        #expect(try await reasons(reading) == ["a@example.com": .notRehashed, "none@example.com": .noPassword])
        #expect(try await reading.user(email: "own@example.com")?.missingHash == .notInAPI)
        #expect(try await reading.user(email: "own@example.com")?.passwordChangedAt == project.clock.now)
        try project.server.panel.fail(
            "GET",
            with: .changeResponse { response in
                var response = response
                response.body = Array(
                    String(decoding: response.body, as: UTF8.self).replacing(
                        #/"passwordHash":"[^"]*"/#, with: #""passwordHash":"UkVEQUNURUQ=""#
                    ).utf8)
                return response
            })
        let redacted = try await reasons(reading)
        #expect(redacted["own@example.com"] == .notPermitted && redacted["a@example.com"] == .notPermitted)
    }

    @Test func userOfATenantNamesTheTenant() async throws {
        try project.server.emulator.admin.createTenant(id: "tenant-1")
        let tenant = try FirebaseDirectory(
            account: FirebaseServiceAccount(contents: project.grants.emulator.file), tenant: "tenant-1",
            url: project.server.base, transport: DirectoryProject.transport,
            clock: project.clock)
        var user = NewDirectoryUser(email: "a@example.com")
        user.tenant = "tenant-1"
        #expect(try await tenant.create(user).tenant == "tenant-1")
        user.tenant = "tenant-2"
        let outcomes = await tenant.create([user])
        #expect(outcomes.first?.error?.code == .invalidInput)
    }
}
