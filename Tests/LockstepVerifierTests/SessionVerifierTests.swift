import Lockstep
import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import LockstepTokens
import LockstepVerifier
import Testing

/// The tokens of the three backends, verified over real HTTP with their published keys.
@Suite("Verifying on a server", .limitedConcurrency, .timeLimit(.minutes(20)))
struct SessionVerifierTests {
    @Test("a token names its user", arguments: Backend.Provider.allCases)
    func readsTheUser(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { backend in
            let session = try await backend.verifier.verify(authorization: "Bearer " + backend.token.reveal())
            #expect(session.userID == backend.userID && !session.isAnonymous && !session.hasSecondFactor)
            #expect(session.issuer == (try backend.claims()["iss"]?.string) && session.actorID == nil)
            #expect(session.expiresAt > backend.clock.now && session.signedInAt == backend.clock.now)
            #expect((session.sessionID == nil) == (provider == .firebase))
            #expect(session.email == (provider == .clerk ? nil : "ada@example.com"))
            #expect(session.isEmailVerified == (provider == .firebase ? true : nil))
            #expect(try await backend.asking.verify(backend.token) == session)
        }
    }

    @Test("a request without a bearer token is reported", arguments: [nil, "", "Bearer", "Basic YTpi", "bearer"])
    func missingTokenIsReported(_ header: String?) async throws {
        try await Backend.run(.goTrue) { backend in
            #expect(await code { try await backend.verifier.verify(authorization: header) } == .missing)
        }
    }

    @Test("a token that the backend's key has not signed is rejected", arguments: Backend.Provider.allCases)
    func rejectsOtherSignatures(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { backend in
            let text = backend.token.reveal()
            let parts = text.split(separator: ".").map(String.init)
            let claims = try backend.forged { $0["sub"] = "another" }.reveal().split(separator: ".")[1]
            #expect(
                await code { try await backend.verifier.verify(Secret("\(parts[0]).\(claims).\(parts[2])")) } == .wrongSignature)
            let unsigned = TokenWriter.unsigned(try backend.claims())
            #expect(await code { try await backend.verifier.verify(Secret(unsigned)) } == .algorithmRefused)
            // A key with the same id that is not the backend's.
            let key = try SigningKey.makeRSA(id: backend.key.id)
            let forged = try backend.forged(by: key) { _ in }
            #expect([.wrongSignature, .algorithmRefused].contains(await code { try await backend.verifier.verify(forged) }))
            // The public key used as a shared secret.
            let secret = SigningKey.secret("published", id: backend.key.id)
            #expect(await code { try await backend.verifier.verify(backend.forged(by: secret) { _ in }) } == .algorithmRefused)
            #expect(await code { try await backend.verifier.verify("no token") } == .malformed)
        }
    }

    @Test(
        "a token for another project is rejected despite the right signature", .covers("M46"),
        arguments: Backend.Provider.allCases)
    func rejectsOtherProjects(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { backend in
            let verifier = backend.verifier
            #expect(
                await code { try await verifier.verify(backend.forged { $0["iss"] = "https://elsewhere.example" }) }
                    == .wrongIssuer)
            #expect(await code { try await verifier.verify(backend.forged { $0["iss"] = nil }) } == .missingClaim)
            #expect(await code { try await verifier.verify(backend.forged { $0["aud"] = "elsewhere" }) } == .wrongAudience)
            #expect(
                await code { try await verifier.verify(backend.forged { $0["aud"] = ["elsewhere", "other"] }) } == .wrongAudience)
            if provider != .clerk {
                #expect(await code { try await verifier.verify(backend.forged { $0["aud"] = nil }) } == .missingClaim)
            }
            #expect(await code { try await verifier.verify(backend.forged { $0["sub"] = nil }) } == .missingClaim)
            #expect(await code { try await verifier.verify(backend.forged { $0["sub"] = "" }) } == .invalidClaim)
            #expect(await code { try await verifier.verify(backend.forged { $0["sub"] = 7 }) } == .invalidClaim)
        }
    }

    @Test("a token expires by the clock, with five seconds of tolerance", arguments: Backend.Provider.allCases)
    func expiresByTheClock(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { backend in
            let life = try await backend.verifier.verify(backend.token).expiresAt - backend.clock.now
            backend.clock.advance(by: life + .seconds(4))
            #expect(await code { try await backend.verifier.verify(backend.token) } == nil)
            // The backend has no tolerance: the token is reported as expired, and its session not as ended.
            #expect(await code { try await backend.asking.verify(backend.token) } == .expired)
            backend.clock.advance(by: .seconds(1))
            #expect(await code { try await backend.verifier.verify(backend.token) } == .expired)
        }
    }

    @Test(
        "an ended session is rejected immediately if the backend is asked, otherwise when the token expires",
        arguments: Backend.Provider.allCases, ["revoked", "disabled", "deleted"])
    func endedSessionIsRejected(_ provider: Backend.Provider, _ end: String) async throws {
        try await Backend.run(provider) { backend in
            // Firebase counts in seconds: a revocation in the second of the sign-in has no effect.
            backend.clock.advance(by: .seconds(2))
            #expect(await code { try await backend.asking.verify(backend.token) } == nil)
            switch end {
            case "revoked": try backend.admin.revokeSessions(of: backend.userID)
            case "disabled": try await backend.admin.setDisabled(true, of: backend.userID)
            default: try backend.admin.deleteUser(backend.userID)
            }
            #expect(await code { try await backend.asking.verify(backend.token) } == .sessionEnded)
            #expect(await code { try await backend.verifier.verify(backend.token) } == nil)
        }
    }

    @Test("an unreachable backend does not make a token invalid", arguments: Backend.Provider.allCases)
    func unreachableBackendIsReported(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { backend in
            // From now on the keys are known.
            _ = try await backend.asking.verify(backend.token)
            backend.stop()
            let asked = await error { try await backend.asking.verify(backend.token) }
            #expect(asked?.code == .sessionUnknown && asked?.isTransient == true)
            let unknown = await error { try await backend.verifier.verify(backend.token) }
            #expect(unknown?.code == .keysUnavailable && unknown?.isTransient == true)
        }
    }

    @Test("impossible times are rejected", arguments: Backend.Provider.allCases)
    func rejectsAbsurdNumbers(_ provider: Backend.Provider) async throws {
        try await Backend.run(provider) { backend in
            let odd: [JSON] = [
                .double(1e300), .int(.max), .int(.min), "soon", true, [], -1, .int(-62_135_596_801), .int(.min / 1000),
                .double(-1e18), .double(0.5), .int(253_402_300_800), .int(.max / 1000),
            ]
            for value in odd {
                let endless = try backend.forged { $0["exp"] = value }
                #expect(await code { try await backend.verifier.verify(endless) } != nil, "\(value)")
                // If they can be read at all, they are not a sign-in time.
                let signedIn = try backend.forged { $0["auth_time"] = value }
                let issued = try backend.forged { $0["iat"] = value }
                let proven = try backend.forged {
                    $0["fva"] = [value, value]
                    $0["amr"] = [["timestamp": value], value]
                }
                for token in [signedIn, issued, proven] {
                    let session = try? await backend.verifier.verify(token)
                    #expect(session?.signedInAt.map { (0..<253_402_300_800).contains($0.seconds) } != false, "\(value)")
                }
            }
        }
    }

    @Test("claims are decoded as the server's own type", arguments: Backend.Provider.allCases)
    func readsClaims(_ provider: Backend.Provider) async throws {
        struct Plan: Decodable {
            struct Limits: Decodable { var seats: Int }
            var plan: String
            var limits: Limits
        }
        try await Backend.run(provider) { backend in
            let token = try backend.forged { claims in
                claims["plan"] = "gold"
                claims["limits"] = ["seats": 5]
            }
            let plan = try await backend.verifier.verify(token).claims(as: Plan.self)
            #expect(plan.plan == "gold" && plan.limits.seats == 5)
            let session = try await backend.verifier.verify(backend.forged { $0["plan"] = "gold" })
            #expect(await error { try session.claims(as: Plan.self) }?.code == .invalidClaim)
            let odd = try await backend.verifier.verify(
                backend.forged {
                    $0["limits"] = ["seats": "many"]; $0["plan"] = "gold"
                })
            let refusal = await error { try odd.claims(as: Plan.self) }
            #expect(refusal?.code == .invalidClaim && refusal?.message.contains("limits.seats") == true)
        }
    }
}

/// The error of a verification.
func error<Value>(_ body: () async throws -> Value) async -> TokenError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? TokenError ?? TokenError(.init(rawValue: "other"), "\(error)")
    }
}

/// The code of its error; `nil` if it succeeds.
func code<Value>(_ body: () async throws -> Value) async -> TokenError.Code? { await error(body)?.code }
