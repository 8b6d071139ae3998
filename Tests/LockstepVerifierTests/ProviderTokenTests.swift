import Lockstep
import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import LockstepTokens
import LockstepVerifier
import Testing

/// What only one provider's tokens have.
@Suite("Tokens of one provider", .limitedConcurrency, .timeLimit(.minutes(5)))
struct ProviderTokenTests {
    // MARK: Firebase

    @Test func aTenantsUsersAreTheTenants() async throws {
        try await Backend.run(.firebase) { backend in
            let tenants = try backend.forged { $0["firebase"] = ["sign_in_provider": "password", "tenant": "north"] }
            #expect(await code { try await backend.verifier.verify(tenants) } == .wrongAudience)
        }
    }

    @Test func guestsAndSecondFactorsOfFirebaseAreTold() async throws {
        try await Backend.run(.firebase) { backend in
            let guest = try backend.forged { $0["firebase"] = ["sign_in_provider": "anonymous"] }
            #expect(try await backend.verifier.verify(guest).isAnonymous)
            let strong = try backend.forged {
                $0["firebase"] = ["sign_in_provider": "password", "sign_in_second_factor": "totp"]
                $0["email_verified"] = true
            }
            let session = try await backend.verifier.verify(strong)
            #expect(session.hasSecondFactor && session.isEmailVerified == true)
            #expect(await code { try await backend.verifier.verify(backend.forged { $0["auth_time"] = nil }) } == .missingClaim)
        }
    }

    // MARK: GoTrue

    @Test func theKeysOfTheProjectAreNoUsers() async throws {
        try await Backend.run(.goTrue) { backend in
            for role in ["anon", "service_role"] {
                let key = try backend.forged {
                    $0 = ["iss": $0["iss"] ?? .null, "aud": "authenticated", "role": .string(role), "exp": 4_102_444_800]
                }
                #expect(await code { try await backend.verifier.verify(key) } == .missingClaim)
            }
        }
    }

    @Test func whatUsersWriteIsNoProofOfTheirAddress() async throws {
        try await Backend.run(.goTrue) { backend in
            let token = try backend.forged { $0["user_metadata"] = ["email_verified": true] }
            #expect(try await backend.verifier.verify(token).isEmailVerified == nil)
            let session = try await backend.verifier.verify(
                backend.forged {
                    $0["aal"] = "aal2"
                    $0["is_anonymous"] = true
                    $0["email"] = ""
                    $0["amr"] = [
                        ["method": "totp", "timestamp": 1_800_000_000], ["method": "password", "timestamp": 1_700_000_000],
                    ]
                })
            #expect(session.hasSecondFactor && session.isAnonymous && session.email == nil)
            #expect(session.signedInAt == Instant(seconds: 1_800_000_000))
        }
    }

    @Test func aLegacySecretVerifiesWithoutAnyRequest() async throws {
        try await Backend.run(.goTrue) { backend in
            let secret = Secret("super-secret-jwt-token-with-at-least-32-characters-long")
            let verifier = try SessionVerifier.goTrue(
                url: "https://ref.supabase.co/auth/v1", signedBy: .legacySecret(secret), transport: Backend.transport,
                clock: backend.clock)
            let token = try backend.forged(by: .secret(secret)) { $0["iss"] = "https://ref.supabase.co/auth/v1" }
            #expect(try await verifier.verify(token).userID == backend.userID)
            #expect(await code { try await verifier.verify(backend.forged(by: .secret("another")) { _ in }) } == .wrongSignature)
            // Its tokens are not taken by a verifier of published keys.
            #expect(await code { try await backend.verifier.verify(token) } == .algorithmRefused)
        }
    }

    // MARK: Clerk

    @Test func aPageMustBeOneOfTheServers() async throws {
        try await Backend.run(.clerk) { backend in
            let own = try backend.forged { $0["azp"] = "https://orders.example" }
            #expect(await code { try await backend.verifier.verify(own) } == nil)
            let other = try backend.forged { $0["azp"] = "https://elsewhere.example" }
            #expect(await code { try await backend.verifier.verify(other) } == .wrongAudience)
            let issuer = try backend.claims()["iss"]?.string ?? ""
            let pagesOnly = try SessionVerifier.clerk(
                frontendAPI: issuer, authorizedParties: ["https://orders.example"], nativeApps: false,
                transport: Backend.transport, clock: backend.clock)
            #expect(await code { try await pagesOnly.verify(own) } == nil)
            #expect(await code { try await pagesOnly.verify(backend.token) } == .wrongAudience)
        }
    }

    @Test func aSessionMustBeActiveAndNamed() async throws {
        try await Backend.run(.clerk) { backend in
            #expect(await code { try await backend.verifier.verify(backend.forged { $0["sts"] = "pending" }) } == .sessionPending)
            #expect(await code { try await backend.verifier.verify(backend.forged { $0["sid"] = nil }) } == .missingClaim)
            #expect(await code { try await backend.asking.verify(backend.forged { $0["sid"] = "../users" }) } == .invalidClaim)
            let strong = try backend.forged { $0["fva"] = [3, 1] }
            let session = try await backend.verifier.verify(strong)
            #expect(session.hasSecondFactor && session.signedInAt == backend.clock.now - .seconds(180))
        }
    }

    // MARK: Two backends

    @Test func whileUsersMoveTheTokensOfBothAreTaken() async throws {
        try await Backend.run(.firebase) { old in
            try await Backend.run(.goTrue) { new in
                let both = SessionVerifier(old.verifier, or: new.asking)
                #expect(try await both.verify(old.token).userID == old.userID)
                #expect(try await both.verify(new.token).userID == new.userID)
                // Each is held to its own backend's rules and keys.
                let issuer = try old.claims()["iss"] ?? .null
                #expect(
                    [.unknownKey, .algorithmRefused].contains(
                        await code { try await both.verify(new.forged { $0["iss"] = issuer }) }))
                #expect(await code { try await both.verify(new.forged { $0["iss"] = "elsewhere" }) } != nil)
                try new.admin.deleteUser(new.userID)
                #expect(await code { try await both.verify(new.token) } == .sessionEnded)
            }
        }
    }

    // MARK: Configurations

    @Test func aConfigurationThatProtectsNothingIsRefused() throws {
        let transport = Backend.transport
        func refused(_ body: () throws -> SessionVerifier) -> Bool {
            do {
                _ = try body()
                return false
            } catch {
                return (error as? AuthError)?.code == .invalidConfiguration
            }
        }
        #expect(refused { try .firebase(project: "", transport: transport) })
        #expect(refused { try .firebase(project: "orders/../other", transport: transport) })
        #expect(refused { try .firebase(project: "orders", emulator: "http://elsewhere.example", transport: transport) })
        #expect(refused { try .goTrue(url: "ref.supabase.co", transport: transport) })
        #expect(refused { try .goTrue(url: "https://ref.supabase.co/auth/v1", issuer: "", transport: transport) })
        #expect(refused { try .goTrue(url: "https://ref.supabase.co/auth/v1", audience: "", transport: transport) })
        #expect(
            refused { try .goTrue(url: "https://ref.supabase.co/auth/v1", signedBy: .legacySecret(""), transport: transport) })
        #expect(
            refused {
                try .clerk(
                    frontendAPI: "https://clerk.orders.example", authorizedParties: [], nativeApps: false, transport: transport)
            })
    }
}
