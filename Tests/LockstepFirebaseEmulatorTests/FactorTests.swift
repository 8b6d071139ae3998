import LockstepCrypto
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Second factors by production's rules.
@Suite(.limitedConcurrency)
struct FactorTests {
    /// A code of six digits for a secret in base 32 (RFC 6238).
    private func code(_ secret: String, at now: Instant) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = secret.flatMap { character -> [Int] in
            let digit = alphabet.firstIndex(of: character) ?? 0
            return (0..<5).map { digit >> (4 - $0) & 1 }
        }
        let key = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
        }
        let counter = now.seconds / 30
        let mac = HashFunction.sha1.authenticate((0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }, key: key)
        let offset = Int(mac[19] & 15)
        let number = mac[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - text.count) + text
    }

    private func verified(_ emulator: TestEmulator) async throws -> String {
        try emulator.admin.createUser(email: "ada@example.com", password: Secret(TestEmulator.password))
        return try await emulator.signIn()["idToken"]
    }

    @Test func timeCodesEnrolAndSignIn() async throws {
        let emulator = try TestEmulator()
        let token = JSON.string(try await verified(emulator))
        let start = try await emulator.call2(
            "accounts/mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
        let info = try #require(start.json["totpSessionInfo"])
        let secret = try #require(info["sharedSecretKey"]?.string)
        let session = try #require(info["sessionInfo"])
        func enrol(_ code: String) async throws -> TestEmulator.TestResponse {
            try await emulator.call2(
                "accounts/mfaEnrollment:finalize",
                [
                    "idToken": token, "displayName": "app",
                    "totpVerificationInfo": ["sessionInfo": session, "verificationCode": .string(code)],
                ])
        }
        #expect(try await enrol("000000").code == "INVALID_CODE")
        let enrolled = try await enrol(code(secret, at: emulator.server.environment.now))
        #expect(try UnverifiedToken(enrolled["idToken"]).claims["firebase"]?["sign_in_second_factor"] == "totp")

        let pending = try await emulator.signIn()
        #expect(pending.json["idToken"] == nil)
        let factor = try #require(pending.json["mfaInfo"]?[0]?["mfaEnrollmentId"])
        #expect(pending.json["mfaInfo"]?[0]?["totpInfo"] == [:])
        let body: JSON = [
            "mfaPendingCredential": .string(pending["mfaPendingCredential"]), "mfaEnrollmentId": factor,
            "totpVerificationInfo": ["verificationCode": .string(code(secret, at: emulator.server.environment.now))],
        ]
        let done = try await emulator.call2("accounts/mfaSignIn:finalize", body)
        #expect(try await emulator.lookup(done["idToken"]).status == 200)
        #expect(try await emulator.call2("accounts/mfaSignIn:finalize", body).code == "INVALID_MFA_PENDING_CREDENTIAL")
    }

    @Test func textCodesEndAndComeByTextMessage() async throws {
        let emulator = try TestEmulator()
        let token = JSON.string(try await verified(emulator))
        let start = try await emulator.call2(
            "accounts/mfaEnrollment:start", ["idToken": token, "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]])
        let session = try #require(start.json["phoneSessionInfo"]?["sessionInfo"])
        let code = try #require(emulator.server.panel.outbox.shortMessages.first?.code)
        emulator.pass(601)
        let fresh = JSON.string(try await emulator.signIn()["idToken"])
        let late = try await emulator.call2(
            "accounts/mfaEnrollment:finalize",
            ["idToken": fresh, "phoneVerificationInfo": ["sessionInfo": session, "code": .string(code)]])
        #expect(late.code == "SESSION_EXPIRED")
    }

    @Test func enrolmentAsksForAProvenAddress() async throws {
        let emulator = try TestEmulator()
        let token = JSON.string(try await emulator.signUp()["idToken"])
        let start = try await emulator.call2(
            "accounts/mfaEnrollment:start", ["idToken": token, "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]])
        #expect(start.code == "UNVERIFIED_EMAIL")
    }
}
