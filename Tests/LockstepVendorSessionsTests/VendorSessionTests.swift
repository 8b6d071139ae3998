import Lockstep
import LockstepFirebase
import LockstepKeychainStore
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import LockstepVendorSessions
import LockstepVerifier
import LockstepWire
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
            let isKilled = WatchedStore(disk) { call, _ throws(StoreError) in
                if call >= calls { throw StoreError(.unwritable, "The process has ended.") }
            }
            _ = await app.launch(isKilled).restore()
            let client = app.launch(disk)
            #expect(await client.restore().session?.user.id == former.user.id, "after \(calls) calls: \(client.state)")
            #expect(app.keychain.isEmpty)
        }
        for calls in 0..<20 {
            try await app.put(entry, token: former.refreshToken)
            let disk = MemorySessionStore()
            app.keychain.refuses(.interactionNotAllowed, after: calls)
            _ = await app.launch(disk).restore()
            app.keychain.refuses(nil)
            let client = app.launch(disk)
            #expect(await client.restore().session?.user.id == former.user.id, "after \(calls) calls of the Keychain")
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

    /// The API key, or the issuer of the token, names the project if the app does not.
    @Test(arguments: VendorApp.Vendor.allCases)
    func entryOfAnotherProjectIsNotUsed(_ vendor: VendorApp.Vendor) async throws {
        let app = try VendorApp(vendor)
        defer { app.stop() }
        var former = try await app.vendorSignsIn()
        app.keychain.clear()
        let claims = Base64.encode(Array(#"{"iss":"https://other.example.com/auth/v1"}"#.utf8), .url)
        if vendor != .firebase { former.accessToken = Secret("e30.\(claims).x") }
        let entry = try await app.entry(of: former, key: "another-key")
        var source = app.source
        switch vendor {
        case .supabase: app.keychain.put(entry, "supabase.auth.token", in: app.place.service)
        case .firebase: try await app.put(entry, token: former.refreshToken)
        case .clerk:
            try await app.put(entry, token: former.refreshToken)
            source = .clerk(in: app.keychain, service: "com.example.app")
        }
        #expect(await app.launch(MemorySessionStore(), from: source).restore() == .signedOut(.neverSignedIn))
        #expect(app.outcomes == ["otherProject"] && app.requests == 0)
    }

    /// Two apps of one access group with stores of their own: a refresh token that works once must not be in both.
    @Test(arguments: VendorApp.Vendor.allCases)
    func oneOfTwoAppsTakesTheSessionOver(_ vendor: VendorApp.Vendor) async throws {
        let app = try VendorApp(vendor)
        defer { app.stop() }
        let former = try await app.vendorSignsIn()
        let other = app.launch(MemorySessionStore())
        // The other app starts between this app's read of the entry and its removal.
        let store = WatchedStore(MemorySessionStore()) { _, isWrite in if isWrite { _ = await other.restore() } }
        let client = app.launch(store)
        #expect(await client.restore() == .signedOut(.neverSignedIn))
        #expect(other.state.session?.user.id == former.user.id)
        #expect(app.outcomes == ["ok", "claimed"] && app.keychain.isEmpty && app.requests == 0)
        #expect(try await other.refreshUser().id == former.user.id)
    }

    /// Whatever bytes an entry has, reading it ends.
    @Test(arguments: [VendorApp.Vendor.supabase, .clerk])
    func damagedEntriesAreRead(_ vendor: VendorApp.Vendor) async throws {
        let app = try VendorApp(vendor)
        defer { app.stop() }
        let whole = try await app.entry(of: app.vendorSignsIn())
        let reader = try #require(app.adapter as? any VendorSessionReading)
        var seed: UInt64 = 11
        func next(_ limit: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
        var refused = 0
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0...next(4) { bytes[next(bytes.count)] = Array(#"{}[]",:0nt\#0"#.utf8)[next(11)] }
            let entries =
                [VendorEntry(account: app.place.account, bytes: bytes)]
                + (vendor == .clerk ? [VendorEntry(account: "clerkDeviceToken", bytes: Array("token".utf8))] : [])
            do throws(VendorRefusal) {
                let session = try reader.session(
                    in: entries, of: VendorSetup(project: app.publishableKey.isEmpty ? nil : app.publishableKey))
                #expect(session.provider == reader.name)
            } catch { refused += 1 }
        }
        #expect(refused > 1000)
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
    @Test(arguments: VendorApp.Vendor.allCases, [true, false])
    func reinstallationRemovesTheSession(_ vendor: VendorApp.Vendor, _ keepsEntry: Bool) async throws {
        let app = try VendorApp(vendor, keepsEntry: keepsEntry)
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
