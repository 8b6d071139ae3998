import Lockstep
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import LockstepTokens
import LockstepVerifier
import LockstepVerifierTestSupport
import Testing

/// The backend for a server's own tests, compared with the emulators over real HTTP.
@Suite("The backend of a server's tests", .limitedConcurrency, .timeLimit(.minutes(20)))
struct TestBackendTests {
    private static let rsa = Result { try SigningKey.makeRSA(id: "test") }
    private static let clock = FixedClock()

    private static func backend(_ provider: Backend.Provider, _ clock: any DeviceClock = Self.clock) throws -> TestBackend {
        switch provider {
        case .firebase: try .firebase(project: "orders", signedBy: rsa.get(), clock: clock)
        case .goTrue: try .goTrue(url: "https://ref.supabase.co/auth/v1", clock: clock)
        case .clerk: try .clerk(url: "https://clerk.orders.example", signedBy: rsa.get(), clock: clock)
        }
    }

    private static func verifier(
        _ provider: Backend.Provider, _ backend: TestBackend, _ check: SessionVerifier.Check = .session(key: "any"),
        _ clock: any DeviceClock = Self.clock
    ) throws -> SessionVerifier {
        switch provider {
        case .firebase: try .firebase(project: "orders", check: check, transport: backend, clock: clock)
        case .goTrue: try .goTrue(url: "https://ref.supabase.co/auth/v1", check: check, transport: backend, clock: clock)
        case .clerk:
            try .clerk(
                url: "https://clerk.orders.example", authorizedParties: ["https://orders.example"], nativeApps: true,
                check: check, transport: backend, clock: clock)
        }
    }

    /// The names of the claims and the kinds of their values, also inside objects.
    private static func shape(_ json: JSON) -> String {
        switch json {
        case .object(let object):
            "{" + object.map { "\($0.0):\(shape($0.1))" }.sorted().joined(separator: ",") + "}"
        case .array(let elements): "[" + Set(elements.map(shape)).sorted().joined(separator: "|") + "]"
        case .string: "text"
        case .bool: "bool"
        case .null: "null"
        default: "number"
        }
    }

    @Test("its tokens have the backend's claims", arguments: Backend.Provider.allCases)
    func writesTheBackendsClaims(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { emulated in
            let backend = try Self.backend(provider, emulated.clock)
            let token = try backend.token(for: TestUser(emulated.userID, email: "ada@example.com"))
            var (own, real) = (try UnverifiedToken(token.reveal()).claims, try emulated.claims())
            // Custom data of users, which a test fills in itself.
            for name in ["user_metadata", "app_metadata"] { (own[name], real[name]) = (nil, nil) }
            #expect(Self.shape(.object(own)) == Self.shape(.object(real)))
            #expect(own["exp"] == real["exp"] && own["iat"] == real["iat"] && own["sub"] == real["sub"])
            let session = try await Self.verifier(provider, backend, .session(key: "any"), emulated.clock).verify(token)
            let seen = try await emulated.verifier.verify(emulated.token)
            #expect(session.userID == seen.userID && session.email == seen.email && session.signedInAt == seen.signedInAt)
            #expect(session.isEmailVerified == seen.isEmailVerified && session.hasSecondFactor == seen.hasSecondFactor)
            #expect((session.sessionID == nil) == (seen.sessionID == nil) && session.expiresAt == seen.expiresAt)
        }
    }

    @Test("the verifier returns the user that the test describes", arguments: Backend.Provider.allCases)
    func returnsTheGivenUser(_ provider: Backend.Provider) async throws {
        let backend = try Self.backend(provider)
        let verifier = try Self.verifier(provider, backend)
        var user = TestUser("user-1", email: "ada@example.com")
        user.isEmailVerified = true
        user.phone = "+15555550100"
        (user.hasSecondFactor, user.organizationID, user.actorID) = (true, "org_1", "user_admin")
        user.signInAge = .seconds(600)
        user.claims = ["plan": "gold"]
        let session = try await verifier.verify(backend.token(for: user))
        #expect(session.userID == "user-1" && session.hasSecondFactor && !session.isAnonymous)
        #expect(session.signedInAt == Self.clock.now - .seconds(600))
        #expect(session.email == (provider == .clerk ? nil : "ada@example.com"))
        #expect(session.phone == (provider == .clerk ? nil : "+15555550100"))
        #expect(session.isEmailVerified == (provider == .firebase ? true : nil))
        #expect(session.organizationID == (provider == .clerk ? "org_1" : nil))
        #expect(session.actorID == (provider == .clerk ? "user_admin" : nil))
        #expect(session.claims["plan"] == "gold")
        var guest = TestUser("user-2")
        guest.isAnonymous = true
        #expect(try await verifier.verify(backend.token(for: guest)).isAnonymous == (provider != .clerk))
    }

    @Test("a token with another key or audience is rejected", arguments: Backend.Provider.allCases)
    func rejectsForgedAndForeignTokens(_ provider: Backend.Provider) async throws {
        let clock = ManualClock(base: FixedClock())
        let backend = try Self.backend(provider, clock)
        let verifier = try Self.verifier(provider, backend, .untilExpiry, clock)
        func refusal(_ change: (inout TestUser) -> Void) async -> TokenError.Code? {
            await code {
                var user = TestUser("user-1")
                change(&user)
                return try await verifier.verify(backend.token(for: user))
            }
        }
        #expect(await refusal { _ in } == nil)
        #expect(await refusal { $0.claims = ["iss": "https://elsewhere.example"] } == .wrongIssuer)
        #expect(await refusal { $0.claims = ["aud": "elsewhere"] } == .wrongAudience)
        #expect(await refusal { $0.id = "" } == .invalidClaim)
        if provider == .clerk { #expect(await refusal { $0.claims = ["azp": "https://elsewhere.example"] } == .wrongAudience) }
        // Another test's backend, with its own key.
        let other: TestBackend =
            switch provider {
            case .firebase: try .firebase(project: "orders", clock: clock)
            case .goTrue: try Self.backend(provider, clock)
            case .clerk: try .clerk(url: "https://clerk.orders.example", clock: clock)
            }
        let foreign = try other.token(for: TestUser("user-1"))
        #expect(await code { try await verifier.verify(foreign) } == .wrongSignature)
        let token = try backend.token(for: TestUser("user-1"), life: .seconds(20))
        clock.advance(by: .seconds(24))
        #expect(await code { try await verifier.verify(token) } == nil)
        clock.advance(by: .seconds(1))
        #expect(await code { try await verifier.verify(token) } == .expired)
    }

    /// The platform's address with and without its only path is the same project, for the verifier and for the test's backend.
    @Test func hostedProjectAddressCanOmitItsPath() async throws {
        let urls = ["https://ref.supabase.co", "https://ref.supabase.co/auth/v1"]
        for (own, verifiers) in urls.flatMap({ own in urls.map { (own, $0) } }) {
            let backend = try TestBackend.goTrue(url: own, clock: Self.clock)
            let verifier = try SessionVerifier.goTrue(
                url: verifiers, check: .session(key: "any"), transport: backend, clock: Self.clock)
            let token = try backend.token(for: TestUser("user-1"))
            #expect(await code { try await verifier.verify(token) } == nil, "\(own), \(verifiers)")
        }
    }

    @Test("an ended session and a missing backend are reported", arguments: Backend.Provider.allCases)
    func reportsEndedSessionsAndAnAbsentBackend(_ provider: Backend.Provider) async throws {
        let backend = try Self.backend(provider)
        let (asking, offline) = (try Self.verifier(provider, backend), try Self.verifier(provider, backend, .untilExpiry))
        let (ada, bob) = (try backend.token(for: TestUser("ada")), try backend.token(for: TestUser("bob")))
        #expect(await code { try await asking.verify(ada) } == nil)
        backend.endSession(of: ada)
        #expect(await code { try await asking.verify(ada) } == .sessionEnded)
        #expect(await code { try await offline.verify(ada) } == nil)
        #expect(await code { try await asking.verify(bob) } == nil)
        backend.isReachable = false
        #expect(await code { try await asking.verify(bob) } == .sessionUnknown)
        let fresh = try Self.verifier(provider, backend)
        #expect(await code { try await fresh.verify(bob) } == .keysUnavailable)
        backend.isReachable = true
        #expect(await code { try await asking.verify(bob) } == nil)
    }

    /// The tokens of an instance's own audience, of a page, of a tenant, and of a project with a legacy secret or without an
    /// issuer.
    @Test func everyVerifierSettingHasATestBackend() async throws {
        let (clock, rsa) = (Self.clock, try Self.rsa.get())
        let tenant = try TestBackend.firebase(project: "orders", tenant: "north", signedBy: rsa, clock: clock)
        let north = try SessionVerifier.firebase(project: "orders", tenant: "north", transport: tenant, clock: clock)
        #expect(try await north.verify(tenant.token(for: TestUser("ada"))).userID == "ada")
        let page = try TestBackend.clerk(
            url: "https://clerk.orders.example", page: "https://orders.example", audience: "orders", signedBy: rsa,
            clock: clock)
        let pages = try SessionVerifier.clerk(
            url: "https://clerk.orders.example", authorizedParties: ["https://orders.example"], nativeApps: false,
            audience: ["orders"], transport: page, clock: clock)
        #expect(try await pages.verify(page.token(for: TestUser("ada"))).userID == "ada")
        let legacy = try TestBackend.goTrue(
            url: "http://127.0.0.1:9999", issuer: .absent, audience: "app", signedBy: .secret("secret"), clock: clock)
        let secret = try SessionVerifier.goTrue(
            url: "http://127.0.0.1:9999", issuer: .absent, audience: "app", signedBy: .legacySecret("secret"),
            check: .session(key: "any"), transport: legacy, clock: clock)
        #expect(try await secret.verify(legacy.token(for: TestUser("ada"))).issuer == "http://127.0.0.1:9999")
        let named = try TestBackend.goTrue(url: "http://127.0.0.1:9999", issuer: "orders", clock: clock)
        let verifier = try SessionVerifier.goTrue(url: "http://127.0.0.1:9999", issuer: "orders", transport: named, clock: clock)
        #expect(try await verifier.verify(named.token(for: TestUser("ada"))).issuer == "orders")
        // A legacy secret is not published.
        let published = try SessionVerifier.goTrue(
            url: "http://127.0.0.1:9999", issuer: .absent, transport: legacy, clock: clock)
        #expect(await code { try await published.verify(legacy.token(for: TestUser("ada"))) } == .noPublicKeys)
        // Another address is not a backend of the test.
        let elsewhere = try SessionVerifier.goTrue(
            url: "http://127.0.0.1:9998", issuer: "orders", transport: named, clock: clock)
        #expect(await code { try await elsewhere.verify(named.token(for: TestUser("ada"))) } == .keysUnavailable)
    }
}
