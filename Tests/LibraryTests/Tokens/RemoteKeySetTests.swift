import LockstepPrimitives
import LockstepTestSupport
import LockstepTokens
import Synchronization
import Testing

/// When a key set fetches, and which callers wait for it.
@Suite struct RemoteKeySetTests {
    let clock = ManualClock(base: FixedClock())
    let issuer = Issuer()
    var keys: RemoteKeySet {
        RemoteKeySet(clock: clock, fetch: { [issuer] in try issuer.answer() })
    }
    let rules = TokenRules.few

    @Test func concurrentCallersShareOneFetch() async throws {
        let keys = keys
        let token = try issuer.token()
        try await withThrowingTaskGroup(of: VerifiedToken.self) { group in
            for _ in 0..<50 { group.addTask { try await keys.verify(token, rules: rules) } }
            for try await verified in group { #expect(verified.subject == "a") }
        }
        #expect(issuer.count == 1)
    }

    @Test func learnsNewKeysAfterTheCoolDown() async throws {
        let keys = keys
        _ = try await keys.verify(issuer.token(), rules: rules)
        try issuer.rotate()
        let token = try issuer.token()
        #expect(await tokenErrorCode { try await keys.verify(token, rules: rules) } == .unknownKey)
        #expect(issuer.count == 1)
        clock.advance(by: .seconds(30))
        #expect(try await keys.verify(token, rules: rules).subject == "a")
        #expect(issuer.count == 2)
    }

    @Test func unknownKeysCauseOneFetchPerCoolDown() async throws {
        let keys = keys
        for round in 0..<100 {
            let forged = try TokenWriter.sign(["sub": "x"], with: .secret("x", id: "random-\(round)"))
            #expect(await tokenErrorCode { try await keys.verify(forged, rules: rules) } == .unknownKey)
            clock.advance(by: .seconds(1))
        }
        #expect(issuer.count == 4)
    }

    @Test func malformedTokenCausesNoFetch() async {
        let keys = keys
        #expect(await tokenErrorCode { try await keys.verify("nonsense", rules: rules) } == .malformed)
        #expect(issuer.count == 0)
    }

    @Test func failedFetchReportsUnavailableKeys() async throws {
        issuer.breakDown(true)
        let keys = keys
        let token = try issuer.token()
        #expect(await tokenErrorCode { try await keys.verify(token, rules: rules) } == .keysUnavailable)
        #expect(await tokenErrorCode { try await keys.verify(token, rules: rules) } == .keysUnavailable)
        #expect(issuer.count == 1)
        issuer.breakDown(false)
        clock.advance(by: .seconds(30))
        #expect(try await keys.verify(token, rules: rules).subject == "a")
    }

    @Test func usesOldKeysIfAFetchFails() async throws {
        let keys = keys
        let token = try issuer.token()
        _ = try await keys.verify(token, rules: rules)
        issuer.breakDown(true)
        clock.advance(by: .seconds(3600))
        #expect(try await keys.verify(token, rules: rules).subject == "a")
        #expect(issuer.count == 2)
        issuer.breakDown(false)
        try issuer.rotate()
        clock.advance(by: .seconds(30))
        // The address has failed before, so the next fetch runs in the background.
        #expect(try await keys.verify(token, rules: rules).subject == "a")
        _ = try await keys.verify(issuer.token(), rules: rules)
        #expect(await tokenErrorCode { try await keys.verify(token, rules: rules) } == .unknownKey)
        #expect(issuer.count == 3)
    }

    @Test func hangingFetchBlocksNoCaller() async throws {
        let fetch = HangingFetch()
        let isHanging = Mutex(false)
        let keys = RemoteKeySet(
            clock: clock,
            fetch: { [issuer] in
                let response = try issuer.answer()
                if isHanging.withLock({ $0 }) { try await fetch.wait() }
                return response
            })
        let token = try issuer.token()
        _ = try await keys.verify(token, rules: rules)
        isHanging.withLock { $0 = true }
        // From half of the keys' lifetime each fetch hangs in the background, the first one and those after a failure, also at
        // the end of the lifetime.
        for round in 0..<4 {
            clock.advance(by: .seconds(300))
            #expect(try await keys.verify(token, rules: rules).subject == "a")
            await fetch.untilCalled()
            #expect(try await keys.verify(token, rules: rules).subject == "a")
            #expect(issuer.count == 2 + round)
            fetch.fail()
            // An unknown key waits for the running fetch until it ends.
            let forged = try TokenWriter.sign(["sub": "x"], with: .secret("x", id: "random"))
            #expect(await tokenErrorCode { try await keys.verify(forged, rules: rules) } == .keysUnavailable)
        }
    }

    /// The issuer rotates, and its key set then responds with an error: nothing shows that the new key does not exist.
    @Test func newKeyIsUnavailableWhileTheIssuerIsDown() async throws {
        let keys = keys
        let old = try issuer.token()
        _ = try await keys.verify(old, rules: rules)
        try issuer.rotate()
        issuer.breakDown(true)
        let new = try issuer.token()
        for round in 1...3 {
            clock.advance(by: .seconds(30))
            for _ in 0..<20 {
                #expect(await tokenErrorCode { try await keys.verify(new, rules: rules) } == .keysUnavailable)
            }
            #expect(issuer.count == 1 + round)
            #expect(try await keys.verify(old, rules: rules).subject == "a")
        }
        issuer.breakDown(false)
        clock.advance(by: .seconds(30))
        #expect(try await keys.verify(new, rules: rules).subject == "a")
        #expect(await tokenErrorCode { try await keys.verify(old, rules: rules) } == .unknownKey)
    }

    /// Keys are renewed before they expire, so that a busy server never waits for them.
    @Test func keysAreRenewedInTheBackgroundFromHalfTheirLifetime() async throws {
        let keys = keys
        let old = try issuer.token()
        _ = try await keys.verify(old, rules: rules)
        try issuer.rotate()
        clock.advance(by: .seconds(299))
        _ = try await keys.verify(old, rules: rules)
        #expect(issuer.count == 1)
        clock.advance(by: .seconds(1))
        _ = try await keys.verify(old, rules: rules)
        _ = try await keys.verify(issuer.token(), rules: rules)
        #expect(await tokenErrorCode { try await keys.verify(old, rules: rules) } == .unknownKey)
        #expect(issuer.count == 2)
    }
}
