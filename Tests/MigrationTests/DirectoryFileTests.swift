import LockstepDirectory
import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI

@Suite("A file of directory users", .limitedConcurrency)
struct DirectoryFileTests {
    /// A user with every value that a directory reads.
    private static var full: DirectoryUser {
        var user = DirectoryUser(id: "ada")
        let time = { (day: Int64) in Instant(seconds: 1_700_000_000 + day * 86_400) }
        user.email = "ada@example.com"
        (user.isEmailConfirmed, user.emailConfirmedAt) = (true, time(1))
        user.phone = "+15550100"
        (user.isPhoneConfirmed, user.phoneConfirmedAt) = (true, time(2))
        user.otherEmails = [DirectoryAddress("b@example.com", isConfirmed: true, confirmedAt: time(3))]
        user.otherPhones = [DirectoryAddress("+15550101", isConfirmed: false, isSecondFactor: true)]
        (user.hasEmailIdentity, user.hasPhoneIdentity) = (false, true)
        (user.username, user.displayName, user.firstName, user.lastName) = ("ada", "Ada Lovelace", "Ada", "Lovelace")
        user.photoURL = "https://example.com/ada"
        (user.isDisabled, user.bannedUntil, user.isLocked) = (true, time(4), true)
        (user.tenant, user.isSingleSignOn, user.role, user.audience) = ("t1", true, "editor", "app")
        var identity = DirectoryIdentity(
            .google, subject: "1001", email: "g@example.com", data: ["hd": "example.com"], createdAt: time(5),
            lastSignInAt: time(6))
        (identity.displayName, identity.photoURL) = ("Ada G.", "https://example.com/g")
        user.providerIdentities = [identity]
        user.factors = [
            DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP"), friendlyName: "app", createdAt: time(7)),
            DirectoryFactor(.authenticatorApp(secret: nil), isVerified: false), DirectoryFactor(.phone("+15550102")),
            DirectoryFactor(.passkey, friendlyName: "key"), DirectoryFactor(.backupCodes(count: 3)),
            DirectoryFactor(.backupCodes(count: nil)), DirectoryFactor(.other("hardware"), createdAt: time(8)),
        ]
        user.notShown = [.identities, .roles]
        user.providers = [.email, .apple]
        user.userMetadata = ["a": 1]
        user.appMetadata = ["b": [true, .null]]
        user.privateMetadata = ["c": "\u{1F469}\u{200D}\u{1F467} O'Brien \u{202E}"]
        user.externalID = "ext-1"
        (user.passwordHash, user.hasPassword) = ("$2b$06$abc", true)
        (user.passwordChangedAt, user.sessionsValidSince) = (time(9), time(10))
        (user.createdAt, user.updatedAt, user.lastSignInAt) = (time(0), time(11), time(12))
        return user
    }

    /// Writes users as a file, and reads them with the directory of a move.
    private static func read(_ users: [DirectoryUser], pageSize: Int = 2) async throws -> [DirectoryUser] {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let path = folder + "/users.jsonl"
        var writer = try UserFileWriter(path, UserFile.Header(provider: "firebase", project: "demo", users: users.count))
        for user in users { try writer.write(SeedUser(user)) }
        try writer.finish()
        let directory = try FileDirectory(path)
        #expect(try await directory.count() == users.count)
        #expect(try await directory.users(ids: ["none"] + users.map(\.id)) == [nil] + users)
        return try await directory.all(pageSize: pageSize).reduce(into: []) { $0.append($1) }
    }

    @Test("every value of a directory is read back from a file")
    func fileKeepsEveryValue() async throws {
        var users = [Self.full]
        for child in Mirror(reflecting: Self.full).children where !["fields", "values", "irregularities"].contains(child.label) {
            // A new value of a directory needs a value in this test, and a member of the format.
            let isEmpty = ["identities", "missingHash"].contains(child.label)
            #expect(isEmpty == Self.isEmpty(child.value), "\(child.label ?? "")")
        }
        for field in UserFields.fields {
            #expect(field.isGiven(Self.full.values) == (field.name != "anonymous"), "\(field.name)")
        }
        for (index, reason) in MissingHash.allCases.enumerated() {
            var user = DirectoryUser(id: "user-\(index)")
            user.missingHash = reason
            user.hasPassword = reason != .noPassword
            users.append(user)
        }
        var anonymous = DirectoryUser(id: "anonymous")
        anonymous.isAnonymous = true
        (anonymous.missingHash, anonymous.hasPassword) = (.noPassword, false)
        users.append(anonymous)
        #expect(try await Self.read(users) == users)
    }

    private static func isEmpty(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional || mirror.displayStyle == .collection || mirror.displayStyle == .set {
            return mirror.children.isEmpty
        }
        return value as? Bool == false
    }

    @Test("pages of any size return each user once")
    func pagesGiveEachUserOnce() async throws {
        let users = (0..<7).map { number in
            var user = DirectoryUser(id: "user-\(number)")
            (user.missingHash, user.hasPassword) = (.noPassword, false)
            return user
        }
        for size in [1, 3, 7, 8] { #expect(try await Self.read(users, pageSize: size) == users) }
        #expect(try await Self.read([]) == [])
    }

    @Test("a value that a move cannot use is reported with its line")
    func errorsNameTheLine() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let path = folder + "/users.jsonl"
        for (line, words) in [
            (#"{"email":"a@b.example"}"#, ["line 3", "\"id\""]), (#"{"id":"a","password":"x"}"#, ["line 3", "\"passwordHash\""]),
            (#"{"id":"a","missingHash":"lost"}"#, ["line 3", "\"lost\"", "notRehashed"]),
        ] {
            let text = #"{"version":1,"source":{"provider":"a","project":"b"}}"# + "\n{\"id\":\"0\"}\n" + line + "\n"
            try AtomicFile.replace(path, with: Array(text.utf8))
            let directory = try FileDirectory(path)
            do {
                _ = try await directory.page(after: nil, size: 10)
                Issue.record("accepted: \(line)")
            } catch {
                for word in words {
                    #expect(error.message.contains(word) && directory.problem?.contains(word) == true, "\(error)")
                }
            }
        }
        await #expect(throws: AuthError.self) { try await FileDirectory(path).create(NewDirectoryUser()) }
    }
}
