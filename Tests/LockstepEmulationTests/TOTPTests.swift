import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@Suite(.limitedConcurrency) struct TOTPTests {
    private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    /// The last six digits of the codes in RFC 6238, appendix B.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)]) func codesMatchTheStandard(seconds: Int64, code: String)
    {
        let now = Instant(seconds: seconds)
        let app = TOTP(secret: Self.secret)
        #expect(app.code(at: now) == code)
        #expect(app.accepts(code, at: now))
    }

    @Test func clockDifferenceIsToleratedUpToItsLimit() throws {
        let app = TOTP(secret: Self.secret)
        let now = Instant(seconds: 1_234_567_890)
        for (steps, later) in [(1, 30), (1, -30), (5, 150), (5, -150)] as [(Int64, Int64)] {
            let code = try #require(app.code(at: now + .seconds(later)))
            #expect(app.accepts(code, at: now, within: steps))
            let further = try #require(app.code(at: now + .seconds(later + (later > 0 ? 30 : -30))))
            #expect(!app.accepts(further, at: now, within: steps))
        }
        // There is no code before the first step.
        #expect(!app.accepts("", at: Instant(seconds: 0)))
    }

    @Test func secretIsReadInTypedForms() {
        let now = Instant(seconds: 59)
        #expect(TOTP(secret: Self.secret.lowercased() + "====").code(at: now) == "287082")
        for unreadable in ["", "=", "GEZ1", "GEZ DGNB", "ä"] {
            let app = TOTP(secret: unreadable)
            #expect(!app.isReadable)
            #expect(app.code(at: now) == nil)
            #expect(!app.accepts("000000", at: now))
        }
    }

    @Test func aNewSecretHasA160Bits() {
        let secret = TOTP.newSecret(SeededRandomness(seed: 1))
        #expect(secret.count == 32)
        #expect(TOTP(secret: secret).isReadable)
        #expect(secret != TOTP.newSecret(SeededRandomness(seed: 2)))
    }
}
