import Lockstep
import LockstepFirebase
import LockstepKeychainStore
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import LockstepVendorSessions
import LockstepVerifier
import Synchronization
import Testing

/// A client takes over the session that a vendor's SDK has left on the device.
@Suite("Sessions of vendors' SDKs", .limitedConcurrency)
struct VendorSessionTests {
    @Test(arguments: VendorApp.Vendor.allCases)
    func userStaysSignedIn(_ vendor: VendorApp.Vendor) async throws {
        let app = try VendorApp(vendor)
        defer { app.stop() }
        let former = try await app.vendorSignsIn()
        let store = MemorySessionStore()
        let client = app.launch(store)
        let state = await client.restore()
        #expect(state.session?.user.id == former.user.id, "\(state)")
        #expect(state.session?.user.standing == former.user.standing)
        #expect(app.requests == 0 && app.outcomes == ["ok"] && app.keychain.isEmpty)
        #expect(try await !client.accessToken().isEmpty)
        #expect(try await client.refreshUser().id == former.user.id)

        // A later launch and an entry that appears again change nothing.
        try await app.put(try await app.entry(of: former), token: former.refreshToken)
        let next = app.launch(store)
        #expect(await next.restore().session?.user.id == former.user.id)
        try await next.signOut(.local, discardingAnonymousUser: true)
        #expect(app.keychain.isEmpty, "a sign-out leaves the SDK's session")
        try await app.put(try await app.entry(of: former), token: former.refreshToken)
        #expect(await app.launch(store).restore() == .signedOut(.requested))
        #expect(app.outcomes == ["ok"])
    }

    /// What docs/coming-from.md promises: no screen, one refresh, a token that the app's server accepts, and one host.
    @Test(arguments: VendorApp.Vendor.allCases)
    func movedAppCallsItsServer(_ vendor: VendorApp.Vendor) async throws {
        let app = try VendorApp(vendor)
        defer { app.stop() }
        let former = try await app.vendorSignsIn()
        let client = app.launch(MemorySessionStore())
        guard case .signedIn = await client.restore() else {
            Issue.record("\(client.state)")
            return
        }
        let response = try await client.authorized(AppRequest(url: "https://api.example.com/orders")) { request in
            let session = try await app.verifier.verify(authorization: request.header("Authorization"))
            return AppResponse(status: 200, content: session.userID)
        }
        #expect(response.content == former.user.id)
        #expect(app.requests == 1, "\(app.requests) requests, but a refresh is one")
        #expect(app.origins == [try WebOrigin(app.base.split(separator: "/").prefix(2).joined(separator: "//"))])
    }

    @Test(arguments: [VendorApp.Vendor.supabase, .firebase])
    func anonymousUserStaysTheSame(_ vendor: VendorApp.Vendor) async throws {
        let app = try VendorApp(vendor)
        defer { app.stop() }
        let former = try await app.vendorSignsIn(anonymously: true)
        let client = app.launch(MemorySessionStore())
        guard case .anonymous(let session) = await client.restore() else {
            Issue.record("\(client.state)")
            return
        }
        #expect(session.user.id == former.user.id)
        #expect(try await client.refreshUser().isAnonymous)
    }

    @Test(arguments: VendorApp.Vendor.allCases)
    func killedStartFindsOneWholeSession(_ vendor: VendorApp.Vendor) async throws {
        let app = try VendorApp(vendor)
        defer { app.stop() }
        let former = try await app.vendorSignsIn()
        let entry = try await app.entry(of: former)
        for calls in 0..<10 {
            try await app.put(entry, token: former.refreshToken)
            let disk = MemorySessionStore()
            _ = await app.launch(BreakingStore(disk, calls)).restore()
            let client = app.launch(disk)
            #expect(await client.restore().session?.user.id == former.user.id, "after \(calls) calls: \(client.state)")
            #expect(app.keychain.isEmpty)
        }
        #expect(app.requests == 0)
        let client = app.launch(MemorySessionStore())
        #expect(await client.restore() == .signedOut(.neverSignedIn))
    }

    @Test(arguments: VendorApp.Vendor.allCases)
    func lockedKeychainIsNotASignOut(_ vendor: VendorApp.Vendor) async throws {
        let app = try VendorApp(vendor)
        defer { app.stop() }
        let former = try await app.vendorSignsIn()
        let store = MemorySessionStore()
        app.keychain.refuses(.interactionNotAllowed)
        let client = app.launch(store)
        guard case .unavailable = await client.restore() else {
            Issue.record("\(client.state)")
            return
        }
        app.keychain.refuses(nil)
        #expect(await client.restore().session?.user.id == former.user.id)
    }

    @Test(arguments: VendorApp.Vendor.allCases)
    func unusableEntryIsReportedOnce(_ vendor: VendorApp.Vendor) async throws {
        let app = try VendorApp(vendor)
        defer { app.stop() }
        for bytes in [
            [], Array("no session".utf8), [UInt8](repeating: 0x5B, count: 2 << 20), Array("{}".utf8), Array("bplist00".utf8),
        ] {
            let before = app.outcomes.count
            try await app.put(bytes, token: "token")
            let store = MemorySessionStore()
            for _ in 0..<2 { #expect(await app.launch(store).restore() == .signedOut(.neverSignedIn)) }
            #expect(app.outcomes.count == before + 1)
            #expect(!app.keychain.isEmpty)
        }
        #expect(!app.outcomes.contains("ok") && app.requests == 0)
        // An older version of the app may be able to read the entry, but after a sign-out nobody is signed in by it.
        let client = app.launch(MemorySessionStore())
        try await app.signIn(client)
        #expect(!app.keychain.isEmpty)
        try await client.signOut()
        #expect(app.keychain.isEmpty)
    }

    /// The entry of a shared group has the API key as its service (`useUserAccessGroup(_:)`).
    @Test func sharedGroupOfFirebaseIsRead() async throws {
        let app = try VendorApp(.firebase)
        defer { app.stop() }
        let former = try await app.vendorSignsIn()
        for (group, isRead) in [("TEAM.com.example.shared", true), ("TEAM.com.example.other", false)] {
            let place = KeychainPlace(service: "fake-api-key", accessGroup: "TEAM.com.example.shared")
            app.keychain.put(try await app.entry(of: former), "firebase_auth_firebase_user", in: place)
            let client = app.launch(
                MemorySessionStore(), from: .firebase(in: app.keychain, accessGroup: group, apiKey: "fake-api-key"))
            #expect((await client.restore().session?.user.id == former.user.id) == isRead)
        }
    }

    @Test func entryOfAnotherProjectIsNotUsed() async throws {
        let app = try VendorApp(.firebase)
        defer { app.stop() }
        let former = try await app.vendorSignsIn()
        try await app.put(try await app.entry(of: former, key: "another-key"), token: former.refreshToken)
        #expect(await app.launch(MemorySessionStore()).restore() == .signedOut(.neverSignedIn))
        #expect(app.outcomes == ["otherProject"] && app.requests == 0)
    }

    /// The older keys do not name the project, so the token's issuer must name it, or the app.
    @Test func olderSupabaseEntriesAreRead() async throws {
        let app = try VendorApp(.supabase)
        defer { app.stop() }
        let former = try await app.vendorSignsIn()
        let entry = try #require(try JSON.parse(try await app.entry(of: former)).object)
        let wrapped = JSON.object(["session": .object(entry), "expiration_date": "2026-11-29T00:00:00Z"]).bytes()
        func source(_ key: String?) -> VendorSession {
            .supabase(key: key, read: { $0 == "supabase.session" ? wrapped : nil }, remove: { _ in })
        }
        let named = AuthClient(adapter: app.adapter, store: MemorySessionStore(), adopting: source("supabase.session"))
        #expect(await named.restore().session?.user.id == former.user.id)
        var foreign = entry
        foreign["access_token"] = .string(
            "e30.\(Base64.encode(Array(#"{"iss":"https://other.supabase.co/auth/v1"}"#.utf8), .url)).x")
        let other = JSON.object(["session": .object(foreign)]).bytes()
        let unnamed = AuthClient(
            adapter: app.adapter, store: MemorySessionStore(),
            adopting: .supabase(read: { $0 == "supabase.session" ? other : nil }, remove: { _ in }))
        #expect(await unnamed.restore() == .signedOut(.neverSignedIn))
    }

    @Test func keptEntryStaysUntilTheSignOut() async throws {
        let app = try VendorApp(.firebase, keepsEntry: true)
        defer { app.stop() }
        _ = try await app.vendorSignsIn()
        let store = MemorySessionStore()
        let client = app.launch(store)
        #expect(await client.restore().session != nil)
        #expect(!app.keychain.isEmpty)
        try await client.signOut()
        #expect(app.keychain.isEmpty)
    }

    /// After a reinstallation, the policy of the store also holds for the SDK's session.
    @Test(arguments: [true, false]) func reinstallationRemovesTheSession(_ keepsEntry: Bool) async throws {
        let app = try VendorApp(.firebase, keepsEntry: keepsEntry)
        defer { app.stop() }
        _ = try await app.vendorSignsIn()
        let folder = try Folder.makeTemporary()
        let (disk, marker) = (MemorySessionStore(), folder + "/marker")
        for _ in 0..<2 {
            let store = FreshInstallStore(disk, policy: .purge, marker: marker)
            #expect(await app.launch(store).restore().session == nil)
            #expect(app.keychain.isEmpty)
        }
    }
}

/// A store that works for some calls and then fails, like the store of a killed process.
private final class BreakingStore: SessionStore {
    private let base: any SessionStore
    private let left: Mutex<Int>

    init(_ base: any SessionStore, _ calls: Int) {
        self.base = base
        left = Mutex(calls)
    }

    private func spend() throws(StoreError) {
        let isThere = left.withLock { left in
            left -= 1
            return left >= 0
        }
        if !isThere { throw StoreError(.unwritable, "It has broken.") }
    }

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try spend()
        return try await base.load(key)
    }

    func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        try spend()
        return try await base.replace(key, with: bytes, unlessChangedSince: revision)
    }

    func remove(_ key: StoreKey) async throws(StoreError) {
        try spend()
        try await base.remove(key)
    }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try spend()
        try await base.remove(key, unlessChangedSince: revision)
    }

    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try spend()
        try await base.quarantine(key, unlessChangedSince: revision)
    }

    func keys() async throws(StoreError) -> [StoreKey] {
        try spend()
        return try await base.keys()
    }

    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try spend()
        return try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }
}
