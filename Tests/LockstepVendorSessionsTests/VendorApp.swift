import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepCurl
import LockstepEmulation
import LockstepFirebase
import LockstepFirebaseEmulator
import LockstepGoTrue
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepKeychainStore
import LockstepPrimitives
import LockstepSystem
import LockstepVendorSessions
import LockstepVerifier
import Synchronization
import Testing

/// An app that has used a vendor's SDK, on one device: the vendor's entry, and the backend on its emulator.
struct VendorApp: Sendable {
    enum Vendor: String, CaseIterable, Sendable { case supabase, firebase, clerk }

    let vendor: Vendor
    let adapter: any AuthAdapter
    let keychain = MemoryKeychain()
    let clock: any DeviceClock
    let source: VendorSession
    /// The emulator's address, and the origins of all requests of the SDK and of the client.
    let base: String
    /// Clerk's publishable key.
    var publishableKey = ""
    private let wire = NotedTransport()
    /// The verifier of the app's server.
    let verifier: SessionVerifier
    /// Ends the emulator.
    let stop: @Sendable () -> Void
    private let signsIn: @Sendable (AuthClient) async throws -> Void
    private let events = Mutexed()

    static let email = "ada@example.com"
    static let password: Secret = "Correct-Horse-1"
    /// One key for all.
    private static let key = try? FirebaseSettings.makeSigningKey()

    final class Mutexed: Sendable {
        let all = Mutex<[AuthEvent]>([])
    }

    init(_ vendor: Vendor, keepsEntry: Bool = false) throws {
        self.vendor = vendor
        let clock = SystemClock()
        self.clock = clock
        let credential = PasswordCredential(email: Self.email, password: Self.password)
        switch vendor {
        case .supabase:
            var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
            settings.signIn.allowsAnonymous = true
            let server = try GoTrueEmulator.start(settings)
            base = server.base
            adapter = try GoTrueAdapter(url: base, key: nil, transport: wire)
            verifier = try .goTrue(
                url: base, signedBy: .legacySecret(server.emulator.settings.tokens.secret), transport: CurlTransport())
            source = .supabase(in: keychain)
            stop = { server.stop() }
            signsIn = { client in
                _ = try server.emulator.admin.createUser(email: Self.email, password: Self.password)
                _ = try await client.signIn(with: credential)
            }
        case .firebase:
            var settings = FirebaseSettings(mode: .strict)
            settings.hashing.memoryCost = 4
            settings.signingKey = Self.key
            let server = try FirebaseEmulator.start(settings)
            base = server.base
            adapter = try FirebaseAdapter(url: base, key: "fake-api-key", transport: wire)
            verifier = try .firebase(project: server.emulator.settings.project, url: base, transport: CurlTransport())
            source = .firebase(in: keychain, googleAppID: "1:2:ios:3", keepsEntry: keepsEntry)
            stop = { server.stop() }
            signsIn = { client in
                _ = try server.emulator.admin.createUser(email: Self.email, password: Self.password)
                _ = try await client.signIn(with: credential)
            }
        case .clerk:
            let server = try ClerkEmulator.start(try ClerkSettings([("PASSWORD_COST", "least")]))
            let key = server.emulator.publishableKey
            (base, publishableKey) = (server.base, key)
            adapter = try ClerkAdapter(url: base, key: key, transport: wire)
            verifier = try .clerk(url: base, authorizedParties: [], nativeApps: true, transport: CurlTransport())
            source = .clerk(in: keychain, service: "com.example.app", publishableKey: key)
            stop = { server.stop() }
            signsIn = { client in
                _ = try await server.emulator.admin.createUser(email: Self.email, password: Self.password)
                _ = try await client.signIn(with: credential)
            }
        }
    }

    /// The place of the vendor's entry.
    var place: (service: KeychainPlace, account: String) {
        switch vendor {
        case .supabase: (KeychainPlace(service: "supabase.gotrue.swift", accessGroup: nil), "sb-127-auth-token")
        case .firebase:
            (
                KeychainPlace(service: "firebase_auth_1:2:ios:3", accessGroup: nil),
                "firebase_auth_1___FIRAPP_DEFAULT_firebase_user"
            )
        case .clerk: (KeychainPlace(service: "com.example.app", accessGroup: nil), "cachedClient")
        }
    }

    /// Signs the user in with this client.
    func signIn(_ client: AuthClient) async throws { try await signsIn(client) }

    /// Signs the user in, and leaves the session to the vendor's SDK.
    func vendorSignsIn(anonymously isAnonymous: Bool = false) async throws -> Session {
        let client = AuthClient(adapter: adapter, store: MemorySessionStore())
        if isAnonymous { _ = try await client.signIn(with: .anonymous) } else { try await signsIn(client) }
        let session = try #require(client.state.session, "\(vendor): \(client.state)")
        try await put(try await entry(of: session), token: session.refreshToken)
        return session
    }

    /// Puts an entry into the Keychain.
    func put(_ bytes: [UInt8], token: Secret) async throws {
        keychain.put(bytes, place.account, in: place.service)
        if vendor == .clerk { keychain.put(Array((token.reveal() + "\n").utf8), "clerkDeviceToken", in: place.service) }
    }

    /// The vendor's form of a session.
    func entry(of session: Session, key: String = "fake-api-key") async throws -> [UInt8] {
        let (access, refresh) = (JSON.string(session.accessToken.reveal()), JSON.string(session.refreshToken.reveal()))
        switch vendor {
        case .supabase:
            return JSON.object([
                "access_token": access, "token_type": "bearer", "expires_in": 3600, "expires_at": 1_700_000_000,
                "refresh_token": refresh, "user": .object(session.user.fields),
            ]).bytes()
        case .firebase:
            return try await Self.archive([
                "userID": .string(session.user.id), "email": session.user.email.map { .string($0) } ?? .null,
                "emailVerified": .bool(session.user.isEmailVerified), "anonymous": .bool(session.user.isAnonymous),
                "APIKey": .string(key), "accessToken": access, "refreshToken": refresh,
            ])
        case .clerk:
            return JSON.object([
                "id": "client_1", "last_active_session_id": session.id.map { .string($0) } ?? .null,
                "sessions": [
                    [
                        "id": session.id.map { .string($0) } ?? .null, "status": "active",
                        "user": .object(session.user.fields), "last_active_token": ["object": "token", "jwt": access],
                    ]
                ],
            ]).bytes()
        }
    }

    /// A keyed archive that Python's plistlib writes.
    static func archive(_ members: JSONObject) async throws -> [UInt8] {
        let script = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let outcome = try await ChildProcess.run(
            "python3", ["/\(script)/Fixtures/keyed_archive.py"], input: JSON.object(members).bytes())
        #expect(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
        return outcome.output
    }

    /// Starts the app with this client.
    func launch(_ store: any SessionStore, from source: VendorSession? = nil) -> AuthClient {
        let sink = AuthEventSink { [events] event in events.all.withLock { $0.append(event) } }
        return AuthClient(
            adapter: adapter, store: store, adopting: source ?? self.source,
            effects: ClientEffects(clock: clock, randomness: SystemRandomness(), events: sink),
            options: .init(apiOrigins: ["https://api.example.com"]))
    }

    /// The origins to which the SDK and the client have sent requests.
    var origins: Set<WebOrigin> { wire.origins.withLock { $0 } }

    /// The outcomes of the events about the vendor's session.
    var outcomes: [String] { events.all.withLock { $0.filter { $0.name == .takenOver }.compactMap { $0[.outcome] } } }
    var requests: Int { events.all.withLock { $0.count { $0.name == .requestBegan } } }
}

/// Sends real requests, and notes where they go.
private final class NotedTransport: HTTPTransport {
    let origins = Mutex<Set<WebOrigin>>([])
    private let curl = CurlTransport()

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let origin = request.url.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
        if let origin = try? WebOrigin(origin) { origins.withLock { _ = $0.insert(origin) } }
        return try await curl.send(request)
    }
}
