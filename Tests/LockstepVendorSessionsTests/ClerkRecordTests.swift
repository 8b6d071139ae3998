import Lockstep
import LockstepCrypto
import LockstepKeychainStore
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepVendorSessions
import Testing

/// The forms in which versions of clerk-ios have stored the token and the client.
///
/// https://github.com/clerk/clerk-ios: ClerkKeychainKey.swift, ClerkIdentityStore.swift, SharedSessionLocalIdentityStore.swift
@Suite("Records of clerk-ios", .limitedConcurrency)
struct ClerkRecordTests {
    typealias Entry = (service: String, account: String, bytes: [UInt8])

    /// What one version has stored.
    enum Form: String, CaseIterable, Sendable {
        case early, separate, withItsToken, shared, sharedWithoutVersion, version3, version4, version4OfTheApp
    }

    /// An identity of the SDK, with dates that are fractions, as JSONEncoder writes them.
    private static func identity(_ client: JSONObject, _ token: String) -> JSON {
        [
            "state": "present", "device_token": .string(token), "client": .object(client),
            "server_date": .double(1_790_000_000_123.5),
        ]
    }

    private static let name = "com.example.app"
    private static let shared = "clerkSharedSessionLocalIdentityV2"

    /// The name of an instance in the records (`SharedSessionNamespace`).
    private static func fingerprint(_ key: String) -> String {
        let host = key.split(separator: "_").last.flatMap { Base64.decode($0) }.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return digest("clerk.shared-session-sync.v2\u{1F}https://\(host.dropLast())\u{1F}\(key)")
    }

    private static func digest(_ text: String) -> String { Hex.encode(HashFunction.sha256.digest(text)) }

    private static func entries(_ form: Form, _ client: JSONObject, _ token: String, of key: String) -> [Entry] {
        let instance = fingerprint(key)
        func record(_ version: Int64) -> [UInt8] {
            JSON.object([
                "schema_version": .int(version), "revision": "5E0C9E2B-1A0A-4B8F-9C3D-0A1B2C3D4E5F",
                "instance_fingerprint": .string(instance), "identity": identity(client, token),
            ]).bytes()
        }
        let (text, plain) = (Array(token.utf8), JSON.object(client).bytes())
        switch form {
        case .early: return [("clerk.Example", "deviceToken", text), ("clerk.Example", "client", plain)]
        case .separate: return [(name, "clerkDeviceToken", text), (name, "cachedClient", plain)]
        case .withItsToken:
            let cached: JSON = ["device_token": .string(token), "client": .object(client)]
            return [(name, "clerkDeviceToken", text), (name, "cachedClient", cached.bytes())]
        case .shared:
            let record: JSON = [
                "schema_version": 1, "accepted_identity": identity(client, token), "requires_legacy_adoption_publication": false,
            ]
            return [("\(name).clerk.identity.v2.\(instance)", shared, record.bytes())]
        case .sharedWithoutVersion:
            return [("\(name).clerk.identity.v2.\(instance)", shared, identity(client, token).bytes())]
        case .version3: return [(name, "clerkIdentityV3", record(1))]
        case .version4: return [(name, "clerkIdentityV4.\(instance)", record(2))]
        case .version4OfTheApp:
            return [("\(name).clerk.local-identity.\(digest(name))", "clerkIdentityV4.\(instance)", record(2))]
        }
    }

    /// A signed-in user of the SDK, and the source for the service of a form.
    private static func signedIn() async throws -> (app: VendorApp, client: JSONObject, session: Session) {
        let app = try VendorApp(.clerk)
        let session = try await app.vendorSignsIn()
        let client = try #require(try JSON.parse(try await app.entry(of: session)).object)
        app.keychain.clear()
        return (app, client, session)
    }

    private static func put(_ entries: [Entry], _ app: VendorApp) {
        for entry in entries {
            app.keychain.put(entry.bytes, entry.account, in: KeychainPlace(service: entry.service, accessGroup: nil))
        }
    }

    @Test(arguments: Form.allCases) func everyFormIsTakenOver(_ form: Form) async throws {
        let (app, client, session) = try await Self.signedIn()
        defer { app.stop() }
        Self.put(Self.entries(form, client, session.refreshToken.reveal(), of: app.publishableKey), app)
        let service = form == .early ? "clerk.Example" : Self.name
        let moved = app.launch(
            MemorySessionStore(), from: .clerk(in: app.keychain, service: service, publishableKey: app.publishableKey))
        #expect(await moved.restore().session?.user.id == session.user.id)
        #expect(app.requests == 0 && app.outcomes == ["ok"] && app.keychain.isEmpty)
        #expect(try await moved.refreshUser().id == session.user.id)
    }

    /// A record with the instance needs no key from the app, and its service begins with the bundle identifier.
    @Test func recordNamesItsInstance() async throws {
        let (app, client, session) = try await Self.signedIn()
        defer { app.stop() }
        Self.put(Self.entries(.shared, client, session.refreshToken.reveal(), of: app.publishableKey), app)
        let source = VendorSession.clerk(in: app.keychain, service: "com.example.shared", bundleIdentifier: Self.name)
        #expect(await app.launch(MemorySessionStore(), from: source).restore().session?.user.id == session.user.id)
    }

    /// A newer entry that says that nobody is signed in counts more than an older one, which the SDK may have left behind.
    @Test(arguments: [
        "signed out", "signed out since 4", "removed", "leaving", "another instance", "later", "published", "token only",
        "other session", "another token",
    ])
    func olderEntrySignsNobodyIn(_ what: String) async throws {
        let (app, client, session) = try await Self.signedIn()
        defer { app.stop() }
        let (key, token) = (app.publishableKey, session.refreshToken.reveal())
        let own = "\(Self.name).clerk.identity.v2.\(Self.fingerprint(key))"
        var older = Self.entries(.separate, client, token, of: key)
        let cleared: JSON = ["state": "cleared"]
        func record(_ version: Int64, _ instance: String, _ identity: JSON) -> [UInt8] {
            let record: JSON = ["schema_version": .int(version), "instance_fingerprint": .string(instance), "identity": identity]
            return record.bytes()
        }
        let (instance, whole) = (Self.fingerprint(key), Self.identity(client, token))
        let expected: String
        switch what {
        case "signed out":
            let record: JSON = ["schema_version": 1, "accepted_identity": cleared]
            older.append((own, Self.shared, record.bytes()))
            expected = "ended"
        case "signed out since 4":
            older.append((Self.name, "clerkIdentityV4.\(instance)", record(2, instance, cleared)))
            expected = "ended"
        case "removed":
            older.append((own, "clerkSharedSessionSyncAdoptedV2", Array("2".utf8)))
            expected = "ended"
        case "leaving":
            older = Self.entries(.shared, client, token, of: key)
            older.append(
                ("\(Self.name).clerk.shared-session-clear-recovery.v1", "clerkSharedSessionOwnerSlotClearIntentV1", [0x7B, 0x7D]))
            expected = "ended"
        case "another instance":
            older.append((Self.name, "clerkIdentityV3", record(1, "other", whole)))
            expected = "otherProject"
        case "later":
            older.append((Self.name, "clerkIdentityV4.\(instance)", record(3, instance, whole)))
            expected = "laterForm"
        case "published":
            let record: JSON = ["schema_version": 1, "accepted_identity": whole, "pending_publication": cleared]
            older.append((own, Self.shared, record.bytes()))
            expected = "ended"
        case "token only":
            older.append(
                (Self.name, "clerkIdentityV3", record(1, instance, ["state": "cleared", "device_token": .string(token)])))
            expected = "incomplete"
        case "other session":
            var other = client
            other["last_active_session_id"] = .null
            older = Self.entries(.separate, other, token, of: key)
            expected = "incomplete"
        default:
            let cached: JSON = ["device_token": "another", "client": .object(client)]
            older[1].bytes = cached.bytes()
            expected = "incomplete"
        }
        Self.put(older, app)
        let store = MemorySessionStore()
        for _ in 0..<2 { #expect(await app.launch(store).restore() == .signedOut(.neverSignedIn)) }
        #expect(app.outcomes == [expected] && app.requests == 0)
        let next = app.launch(store)
        _ = try await next.signIn(with: PasswordCredential(email: VendorApp.email, password: VendorApp.password))
        try await next.signOut()
        #expect(app.keychain.isEmpty, "a sign-out leaves the SDK's session")
    }
}
