import Lockstep
import LockstepCurl
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import LockstepTokens
import LockstepVerifier
import Testing

/// Features of the tokens of one provider only.
@Suite("Tokens of one provider", .limitedConcurrency, .timeLimit(.minutes(20)))
struct ProviderTokenTests {
    // MARK: Firebase

    @Test func tenantVerifierAcceptsOnlyTenantUsers() async throws {
        try await Backend.run(.firebase) { backend in
            let tenants = try backend.forged { $0["firebase"] = ["sign_in_provider": "password", "tenant": "north"] }
            #expect(await code { try await backend.verifier.verify(tenants) } == .wrongAudience)
            func verifier(_ tenant: String) throws -> SessionVerifier {
                try .firebase(
                    project: "orders", tenant: tenant, url: backend.base, transport: Backend.transport, clock: backend.clock)
            }
            let (north, south) = (try verifier("north"), try verifier("south"))
            #expect(await code { try await north.verify(tenants) } == nil)
            #expect(await code { try await north.verify(backend.token) } == .wrongAudience)
            #expect(await code { try await south.verify(tenants) } == .wrongAudience)
            // Two verifiers of one issuer: each token belongs to one of them or to neither.
            let both = SessionVerifier(south, or: north)
            #expect(await code { try await both.verify(tenants) } == nil)
            #expect(await code { try await both.verify(backend.token) } == .wrongAudience)
        }
    }

    /// After a password change the same sign-in gets new tokens, which are newer than the change.
    @Test func newPasswordEndsEarlierTokens() async throws {
        try await Backend.run(.firebase) { backend in
            backend.clock.advance(by: .seconds(60))
            try await backend.admin.setPassword("Better-Horse-2", of: backend.userID)
            #expect(await code { try await backend.asking.verify(backend.token) } == .sessionEnded)
            backend.clock.advance(by: .seconds(2))
            let newer = try backend.forged { $0["iat"] = .int(backend.clock.now.seconds) }
            #expect(await code { try await backend.asking.verify(newer) } == nil)
        }
    }

    @Test func futureSignInTimeIsRejected() async throws {
        try await Backend.run(.firebase) { backend in
            let token = try backend.forged { $0["auth_time"] = .int(backend.clock.now.seconds + 86_400) }
            #expect(await code { try await backend.verifier.verify(token) } == .invalidClaim)
        }
    }

    @Test(arguments: [.int(.min), .int(.min / 1000), -1, .double(-1e17), .int(.max), .double(1e300), "1700000000"] as [JSON])
    func rejectsImpossibleSignInTimes(_ time: JSON) async throws {
        try await Backend.run(.firebase) { backend in
            let token = try backend.forged { $0["auth_time"] = time }
            #expect(await code { try await backend.verifier.verify(token) } == .invalidClaim)
        }
    }

    /// The response about a Firebase user contains the time from which the user's tokens are valid.
    @Test(arguments: [
        ("99999999999999999999" as JSON, TokenError.Code.sessionUnknown), ("soon", .sessionUnknown), (true, .sessionUnknown),
        (.int(.max), .sessionEnded), ("9223372036854775807", .sessionEnded),
    ])
    func rejectsTokensIfValidSinceIsUnreadable(_ since: JSON, _ due: TokenError.Code) async throws {
        try await Backend.run(.firebase) { backend in
            let transport = ChangedLookup(since: since)
            let verifier = try backend.verifier(.session(key: backend.checkKey), over: transport)
            #expect(await code { try await verifier.verify(backend.token) } == due)
        }
    }

    /// A transport to a backend whose users have another `validSince`.
    private struct ChangedLookup: HTTPTransport {
        let since: JSON

        func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
            let response = try await Backend.transport.send(request)
            guard request.url.hasSuffix("accounts:lookup"), var body = (try? response.json())?.object,
                var user = body["users"]?[0]?.object
            else { return response }
            user["validSince"] = since
            body["users"] = [.object(user)]
            return HTTPResponse(status: response.status, headers: response.headers, body: JSON.object(body).bytes())
        }
    }

    @Test func firebaseGuestsAndSecondFactorsAreReported() async throws {
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

    /// A stranger can sign up with any address, and Firebase signs the stranger in.
    @Test("an unverified address is rejected unless the user has another identity", arguments: [true, false])
    func unverifiedAddressIsRejected(_ isRequired: Bool) async throws {
        try await Backend.run(.firebase) { backend in
            let verifier = try SessionVerifier.firebase(
                project: "orders", requiresVerifiedEmail: isRequired, url: backend.base, transport: Backend.transport,
                clock: backend.clock)
            func refusal(_ way: String, _ identities: JSONObject, email: JSON? = "ada@example.com") async throws -> TokenError
                .Code?
            {
                let token = try backend.forged {
                    ($0["email"], $0["email_verified"]) = (email, email.map { _ in false })
                    $0["firebase"] = ["sign_in_provider": .string(way), "identities": .object(identities)]
                }
                return await code { try await verifier.verify(token) }
            }
            let due: TokenError.Code? = isRequired ? .emailUnverified : nil
            let own: JSONObject = ["email": ["ada@example.com"]]
            for way in ["password", "emailLink", "passkey"] {
                #expect(try await refusal(way, own) == due)
                #expect(try await refusal(way, [:]) == due)
                #expect(try await refusal(way, ["email": ["ada@example.com"], "phone": ["+15555550100"]]) == nil)
                #expect(try await refusal(way, ["email": ["ada@example.com"], "google.com": ["1"]]) == nil)
            }
            for way in ["google.com", "phone", "custom"] { #expect(try await refusal(way, own) == nil) }
            #expect(try await refusal("anonymous", [:], email: nil) == nil)
            #expect(try await refusal("password", [:], email: nil) == nil)
            // The emulator's own token of a new user.
            let answer = try await Backend.transport.send(
                HTTPRequest(
                    .post, backend.base + "/identitytoolkit.googleapis.com/v1/accounts:signUp",
                    headers: ["X-Goog-Api-Key": backend.checkKey.reveal()],
                    body: .json(["email": "eve@example.com", "password": .string(Backend.password), "returnSecureToken": true])))
            let token = Secret(try answer.json()["idToken"]?.string ?? "")
            #expect(await code { try await verifier.verify(token) } == due)
            let checks = await verifier.checks(of: token)
            #expect(checks.contains { $0.subject == .backend && $0.verdict == (isRequired ? .failed : .passed) })
        }
    }

    // MARK: GoTrue

    @Test func projectKeysAreNotUsers() async throws {
        try await Backend.run(.goTrue) { backend in
            for role in ["anon", "service_role"] {
                let key = try backend.forged {
                    $0 = ["iss": $0["iss"] ?? .null, "aud": "authenticated", "role": .string(role), "exp": 4_102_444_800]
                }
                #expect(await code { try await backend.verifier.verify(key) } == .missingClaim)
            }
        }
    }

    /// A client of the project's OAuth server acts for the user in another app.
    ///
    /// Its token is not the user's own.
    @Test func tokenOfAnotherAppIsRejected() async throws {
        try await Backend.run(.goTrue) { backend in
            let token = try backend.forged { $0["client_id"] = "partner" }
            #expect(await code { try await backend.verifier.verify(token) } == .wrongAudience)
            let known = try SessionVerifier.goTrue(
                url: backend.base, oauthClients: ["partner"], transport: Backend.transport, clock: backend.clock)
            #expect(await code { try await known.verify(token) } == nil)
            #expect(await code { try await known.verify(backend.forged { $0["client_id"] = "other" }) } == .wrongAudience)
        }
    }

    @Test func secretAndKeysAreAcceptedDuringRotation() async throws {
        try await Backend.run(.goTrue) { backend in
            let secret = Secret("super-secret-jwt-token-with-at-least-32-characters-long")
            let legacy = try SessionVerifier.goTrue(
                url: backend.base, signedBy: .legacySecret(secret), transport: Backend.transport, clock: backend.clock)
            let both = SessionVerifier(backend.verifier, or: legacy)
            #expect(await code { try await both.verify(backend.token) } == nil)
            #expect(await code { try await both.verify(backend.forged(by: .secret(secret)) { _ in }) } == nil)
            #expect(await code { try await both.verify(backend.forged(by: .secret("another")) { _ in }) } == .wrongSignature)
        }
    }

    /// Old self-hosted servers write no issuer.
    ///
    /// Their tokens are accepted only if the caller says so.
    @Test func tokensWithoutAnIssuerAreAcceptedOnlyByChoice() async throws {
        let backend = try await Backend.goTrue(ManualClock(base: FixedClock()), issuer: "")
        defer { backend.stop() }
        #expect(try backend.claims()["iss"] == nil)
        #expect(await code { try await backend.verifier.verify(backend.token) } == .missingClaim)
        let nameless = try SessionVerifier.goTrue(
            url: backend.base, issuer: .absent, check: .session(key: backend.checkKey), transport: Backend.transport,
            clock: backend.clock)
        let session = try await nameless.verify(backend.token)
        #expect(session.userID == backend.userID && session.issuer == backend.base)
        // A token that names an issuer, even an empty one, belongs to another server.
        for issuer: JSON in [.string(backend.base), "", .null] {
            #expect(await code { try await nameless.verify(backend.forged { $0["iss"] = issuer }) } == .wrongIssuer)
        }
        for name in ["sub", "session_id", "exp", "aud"] {
            #expect(await code { try await nameless.verify(backend.forged { $0[name] = nil }) } == .missingClaim)
        }
        #expect(
            await code { try await nameless.verify(backend.forged(by: .makeP256(id: "platform")) { _ in }) } == .wrongSignature)
        // When the server gets a name, the earlier tokens are accepted in addition to the new ones.
        let both = SessionVerifier(backend.verifier, or: nameless)
        #expect(await code { try await both.verify(backend.token) } == nil)
        #expect(await code { try await both.verify(backend.forged { $0["iss"] = .string(backend.base) }) } == nil)
        #expect(await code { try await both.verify(backend.forged { $0["iss"] = "elsewhere" }) } == .wrongIssuer)
    }

    /// A gateway adds `/auth/v1`, and the server behind it uses a name with or without it.
    @Test func issuerIsAcceptedWithAndWithoutTheGatewayPath() async throws {
        try await Backend.run(.goTrue) { backend in
            for url in [backend.base, backend.base + "/auth/v1", backend.base + "/auth/v1/"] {
                for check in [SessionVerifier.Check.untilExpiry, .session(key: backend.checkKey)] {
                    let verifier = try SessionVerifier.goTrue(
                        url: url, check: check, transport: Backend.transport, clock: backend.clock)
                    #expect(await code { try await verifier.verify(backend.token) } == nil, "\(url)")
                    #expect(await code { try await verifier.verify(backend.forged { $0["iss"] = "elsewhere" }) } == .wrongIssuer)
                }
                let verifier = try SessionVerifier.goTrue(url: url, transport: Backend.transport, clock: backend.clock)
                let gateways = JSON.string(backend.base + "/auth/v1")
                #expect(await code { try await verifier.verify(backend.forged { $0["iss"] = gateways }) } == nil, "\(url)")
                let slash = JSON.string(backend.base + "/")
                #expect(await code { try await verifier.verify(backend.forged { $0["iss"] = slash }) } == .wrongIssuer, "\(url)")
            }
            // The hosted platform uses one name.
            let secret = Secret("super-secret-jwt-token-with-at-least-32-characters-long")
            for url in ["https://ref.supabase.co", "https://ref.supabase.co/auth/v1"] {
                let hosted = try SessionVerifier.goTrue(
                    url: url, signedBy: .legacySecret(secret), transport: Backend.transport, clock: backend.clock)
                let token = try backend.forged(by: .secret(secret)) { $0["iss"] = "https://ref.supabase.co" }
                let error = await #expect(throws: TokenError.self) { try await hosted.verify(token) }
                #expect(error?.code == .wrongIssuer)
                #expect(error?.message.hasSuffix("Expected: \"https://ref.supabase.co/auth/v1\".") == true)
            }
        }
    }

    @Test func userMetadataDoesNotVerifyAnAddress() async throws {
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
            let issuer: JSON = "https://ref.supabase.co/auth/v1"
            let token = try backend.forged(by: .secret(secret)) { $0["iss"] = issuer }
            #expect(try await verifier.verify(token).userID == backend.userID)
            let other = try backend.forged(by: .secret("another")) { $0["iss"] = issuer }
            #expect(await code { try await verifier.verify(other) } == .wrongSignature)
            #expect(await code { try await verifier.verify(backend.token) } == .wrongIssuer)
            // A verifier of published keys rejects tokens that the secret signed.
            #expect(
                await code { try await backend.verifier.verify(backend.forged(by: .secret(secret)) { _ in }) }
                    == .algorithmRefused)
        }
    }

    // MARK: Clerk

    @Test func authorizedPartyMustBeListed() async throws {
        try await Backend.run(.clerk) { backend in
            let own = try backend.forged { $0["azp"] = "https://orders.example" }
            #expect(await code { try await backend.verifier.verify(own) } == nil)
            let other = try backend.forged { $0["azp"] = "https://elsewhere.example" }
            #expect(await code { try await backend.verifier.verify(other) } == .wrongAudience)
            // A browser without an origin.
            #expect(await code { try await backend.verifier.verify(backend.forged { $0["azp"] = "" }) } == nil)
            let pagesOnly = try SessionVerifier.clerk(
                url: backend.base, authorizedParties: ["https://orders.example"], nativeApps: false,
                transport: Backend.transport, clock: backend.clock)
            #expect(await code { try await pagesOnly.verify(own) } == nil)
            #expect(await code { try await pagesOnly.verify(backend.token) } == .wrongAudience)
        }
    }

    @Test(.covers("M47")) func sessionMustBeActiveAndNamed() async throws {
        try await Backend.run(.clerk) { backend in
            #expect(await code { try await backend.verifier.verify(backend.forged { $0["sts"] = "pending" }) } == .sessionPending)
            #expect(await code { try await backend.verifier.verify(backend.forged { $0["sid"] = nil }) } == .missingClaim)
            #expect(await code { try await backend.asking.verify(backend.forged { $0["sid"] = "../users" }) } == .invalidClaim)
            let strong = try backend.forged {
                $0["fva"] = [3, 1]
                $0["act"] = ["sub": "user_admin"]
                $0["o"] = ["id": "org_1"]
            }
            let session = try await backend.verifier.verify(strong)
            #expect(session.hasSecondFactor && session.signedInAt == backend.clock.now - .seconds(60))
            #expect(session.actorID == "user_admin" && session.organizationID == "org_1")
            let first = try await backend.verifier.verify(
                backend.forged {
                    ($0["sts"], $0["v"], $0["o"], $0["fva"]) = (nil, nil, nil, nil)
                    $0["org_id"] = "org_2"
                })
            #expect(first.organizationID == "org_2" && first.signedInAt == nil && !first.hasSecondFactor)
        }
    }

    @Test func instanceCanAddAnAudience() async throws {
        try await Backend.run(.clerk) { backend in
            let verifier = try SessionVerifier.clerk(
                url: backend.base, authorizedParties: [], nativeApps: true, audience: ["orders"],
                transport: Backend.transport, clock: backend.clock)
            #expect(await code { try await verifier.verify(backend.forged { $0["aud"] = "orders" }) } == nil)
            #expect(await code { try await verifier.verify(backend.forged { $0["aud"] = "other" }) } == .wrongAudience)
            #expect(await code { try await verifier.verify(backend.token) } == .missingClaim)
        }
    }

    // MARK: Two backends

    @Test(.covers("M47")) func tokensOfBothProvidersAreAcceptedDuringAMove() async throws {
        try await Backend.run(.firebase) { old in
            try await Backend.run(.goTrue) { new in
                let both = SessionVerifier(old.verifier, or: new.asking)
                #expect(try await both.verify(old.token).userID == old.userID)
                #expect(try await both.verify(new.token).userID == new.userID)
                // Each token is checked with the rules and keys of its own backend.
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

    @Test func configurationWithoutProtectionIsRejected() throws {
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
        #expect(refused { try .firebase(project: "orders", url: "http://elsewhere.example", transport: transport) })
        #expect(refused { try .goTrue(url: "ref.supabase.co", transport: transport) })
        #expect(refused { try .goTrue(url: "https://ref.supabase.co/auth/v1", issuer: "", transport: transport) })
        #expect(refused { try .goTrue(url: "https://ref.supabase.co/auth/v1", audience: "", transport: transport) })
        #expect(
            refused { try .goTrue(url: "https://ref.supabase.co/auth/v1", signedBy: .legacySecret(""), transport: transport) })
        #expect(refused { try .firebase(project: "orders", tenant: "", transport: transport) })
        #expect(refused { try .goTrue(url: "https://ref.supabase.co/rest/v1", transport: transport) })
        #expect(!refused { try .goTrue(url: "https://ref.supabase.co/", transport: transport) })
        for key in ["", "sb_publishable_1\n", "two words"] {
            #expect(refused { try .firebase(project: "orders", check: .session(key: Secret(key)), transport: transport) })
        }
        for party in ["https://orders.example/", "orders.example", "https://", "https://orders.example/app", ""] {
            #expect(
                refused {
                    try .clerk(
                        url: "https://clerk.orders.example", authorizedParties: [party], nativeApps: true,
                        transport: transport)
                }, "\(party)")
        }
        #expect(
            refused {
                try .clerk(
                    url: "https://clerk.orders.example", authorizedParties: [], nativeApps: false, transport: transport)
            })
    }
}
