import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Second factors that users add: the verification before it, and their removal.
@Suite("Clerk's second factors", .limitedConcurrency)
struct SecondFactorTests {
    private static let phones: [(name: String, value: String)] = [("PHONE_NUMBER", "optional"), ("PHONE_CODE_SIGN_IN", "true")]

    private func app(_ enrolment: FactorEnrolment, _ instance: Instance) throws -> Secret {
        let key = try #require(enrolment.key)
        return Secret(AuthenticatorApp(secret: key.reveal()).code(at: instance.server.panel.clock.now))
    }

    private func add(_ number: String, to client: AuthClient, _ instance: Instance) async throws -> FactorChoice {
        let challenge = try await client.account.factors.add(.phone(number)).challenge
        _ = try await client.respond(to: challenge.flow, with: .code(try instance.code(for: number)))
        return try #require(try await client.account.factors.all().first { $0.kind == .phone })
    }

    @Test func oldSessionIsReverifiedBeforeAddingAnApp() async throws {
        try await Instance.run([("REVERIFICATION", "true")]) { instance in
            let credential = try await instance.member()
            let client = try instance.client()
            _ = try await client.signIn(with: credential)
            instance.advance(by: .seconds(700))
            #expect(
                try await refusal { _ = try await client.account.factors.add(.authenticatorApp()) }.code
                    == .reauthenticationRequired)
            _ = try await client.account.reauthenticate(with: credential)
            let enrolment = try await client.account.factors.add(.authenticatorApp())
            #expect(enrolment.uri?.reveal().hasPrefix("otpauth://totp/") == true)
            let step = try await client.respond(to: enrolment.challenge.flow, with: .code(try app(enrolment, instance)))
            #expect(step.session?.user.fields["totp_enabled"]?.bool == true)
            instance.advance(by: .seconds(700))
            #expect(
                try await refusal { _ = try await client.account.factors.renewBackupCodes() }.code == .reauthenticationRequired)
            let factor = try #require(try await client.account.factors.all().first)
            #expect(try await refusal { try await client.account.factors.remove(factor) }.code == .reauthenticationRequired)
        }
    }

    /// The last verification of the second factor is valid, and its SMS can be sent again.
    @Test func oldSessionIsReverifiedByBothFactors() async throws {
        try await Instance.run(Self.phones + [("REVERIFICATION", "true")]) { instance in
            let (number, credential) = ("+15552345687", try await instance.member())
            let owner = try instance.client()
            _ = try await owner.signIn(with: credential)
            _ = try await add(number, to: owner, instance)
            instance.advance(by: .seconds(60))
            let client = try instance.client()
            guard case .secondFactor(let entry) = try await client.signIn(with: credential) else {
                Issue.record("no second factor was asked for")
                return
            }
            let chosen = try await client.respond(to: entry.flow, with: .factor(try #require(entry.choices.first)))
            _ = try await client.respond(to: try #require(chosen.flow), with: .code(try instance.code(for: number)))

            instance.advance(by: .seconds(700))
            #expect(
                try await refusal { _ = try await client.account.factors.add(.authenticatorApp()) }.code
                    == .reauthenticationRequired)
            guard case .secondFactor(let step) = try await client.account.reauthenticate(with: credential) else {
                Issue.record("the password alone has proven the session anew")
                return
            }
            // The first factor alone is not enough for the call.
            #expect(
                try await refusal { _ = try await client.account.factors.renewBackupCodes() }.code == .reauthenticationRequired)
            #expect(client.pending?.flow == step.flow)
            _ = try await client.respond(to: step.flow, with: .factor(try #require(step.choices.first { $0.kind == .phone })))
            instance.advance(by: .seconds(60))
            let again = try await client.resend(step.flow)
            let code = try instance.code(for: number)
            #expect(try await refusal { try await client.respond(to: again.flow, with: .code("000000")) }.code == .invalidCode)
            let end = try await client.respond(to: again.flow, with: .code(code))
            #expect(end.session?.id == client.state.session?.id && end.session?.assurance == .twoFactors)
            _ = try await client.account.factors.add(.authenticatorApp())
        }
    }

    @Test func secondFactorPhoneDoesNotSignIn() async throws {
        try await Instance.run(Self.phones) { instance in
            let number = "+15552345676"
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let factor = try await add(number, to: client, instance)
            #expect(factor.label == PhoneCodeCredential.masked(number))
            let user = try #require(client.state.session?.user)
            #expect(user.phone == nil)
            #expect(user.identities.map(\.provider) == [.email])
            // As a second factor the number does not sign in.
            #expect(try await refusal { try await instance.client().signIn(with: .phoneCode(number)) }.code == .notEnabled)

            try await client.account.factors.remove(factor)
            #expect(try await client.account.factors.all().isEmpty)
            // It has not become a sign-in method, and can be added again.
            #expect(client.state.session?.user.identities.map(\.provider) == [.email])
            #expect(try await refusal { try await instance.client().signIn(with: .phoneCode(number)) }.code == .userNotFound)
            instance.advance(by: .seconds(60))
            _ = try await add(number, to: client, instance)
        }
    }

    @Test func signInNumberIsNotUsedAsAFactor() async throws {
        try await Instance.run(Self.phones) { instance in
            let number = "+15552345677"
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let id = try #require(client.state.session?.user.id)
            _ = try await instance.backend(
                .post, "/phone_numbers", ["user_id": .string(id), "phone_number": .string(number), "verified": true])
            #expect(try await refusal { _ = try await client.account.factors.add(.phone(number)) }.code == .phoneAlreadyInUse)
            #expect(try await client.account.factors.all().isEmpty)
            #expect(try await client.refreshUser().phone == number)
        }
    }

    @Test func abandonedEnrollmentContinuesWithTheSameNumber() async throws {
        try await Instance.run(Self.phones) { instance in
            let number = "+15552345678"
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let left = try await client.account.factors.add(.phone(number)).challenge
            try await client.cancel(left.flow)
            instance.advance(by: .seconds(60))
            _ = try await add(number, to: client, instance)
            #expect(client.state.session?.user.fields["phone_numbers"]?.array?.count == 1)
        }
    }

    /// Between its verification and its reservation for second factors, the number would sign in alone.
    @Test func failedFactorNumberDoesNotSignIn() async throws {
        try await Instance.run(Self.phones + [("REVERIFICATION", "true")]) { instance in
            let number = "+15552345681"
            let credential = try await instance.member()
            let client = try instance.client()
            _ = try await client.signIn(with: credential)
            instance.advance(by: .seconds(300))
            let challenge = try await client.account.factors.add(.phone(number)).challenge
            let code = try instance.code(for: number)
            // The sign-in is eleven minutes old when the code is entered.
            instance.advance(by: .seconds(360))
            #expect(
                try await refusal { try await client.respond(to: challenge.flow, with: .code(code)) }.code
                    == .reauthenticationRequired)
            #expect(try await refusal { try await instance.client().signIn(with: .phoneCode(number)) }.code == .userNotFound)
            _ = try await client.account.reauthenticate(with: credential)
            _ = try await add(number, to: client, instance)
        }
        // Clerk does not reserve a number of a user without an address and a name (`identification_update_failed`).
        try await Instance.run(Self.phones + [("EMAIL_ADDRESS", "optional")]) { instance in
            let (own, number) = ("+15552345682", "+15552345683")
            try await instance.backend(.post, "/users", ["phone_number": [.string(own)], "skip_password_requirement": true])
            let client = try instance.client()
            let challenge = try #require(try await client.signIn(with: .phoneCode(own)).challenge)
            _ = try await client.respond(to: challenge.flow, with: .code(try instance.code(for: own)))
            let begun = try await client.account.factors.add(.phone(number)).challenge
            let code = try instance.code(for: number)
            #expect(
                try await refusal { try await client.respond(to: begun.flow, with: .code(code)) }.code == .invalidInput)
            #expect(try await refusal { try await instance.client().signIn(with: .phoneCode(number)) }.code == .userNotFound)
        }
    }

    @Test func requiredFactorCannotBeRemoved() async throws {
        try await Instance.run(Self.phones) { instance in
            let number = "+15552345684"
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let factor = try await add(number, to: client, instance)
            instance.admin.change { $0.phoneNumber = .required }
            #expect(try await refusal { try await client.account.factors.remove(factor) }.code == .lastIdentity)
            #expect(try await client.account.factors.all() == [factor])
        }
    }

    @Test func onlySecondFactorsCanBeRemovedAsFactors() async throws {
        try await Instance.run(Self.phones) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let user = try #require(client.state.session?.user.id)
            let row = try await instance.backend(
                .post, "/phone_numbers", ["user_id": .string(user), "phone_number": "+15552345685", "verified": true])
            let id = try #require(row["id"]?.string)
            let stale = FactorChoice(id: "phone_code \(id)", kind: .phone)
            #expect(try await refusal { try await client.account.factors.remove(stale) }.code == .invalidInput)
            #expect(try await client.refreshUser().phone == "+15552345685")
        }
    }

    @Test func lostResponseToTheFirstCodeStillAddsTheApp() async throws {
        try await Instance.run { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let enrolment = try await client.account.factors.add(.authenticatorApp())
            let code = try app(enrolment, instance)
            try instance.server.panel.fail(next: 1, "POST", "*/totp/attempt_verification*", with: .loseResponse)
            #expect(
                try await refusal { try await client.respond(to: enrolment.challenge.flow, with: .code(code)) }.code == .network)
            let step = try await client.respond(to: enrolment.challenge.flow, with: .code(code))
            #expect(step.session?.user.fields["totp_enabled"]?.bool == true)
        }
    }

    @Test func failedSMSKeepsTheAppStep() async throws {
        try await Instance.run(Self.phones) { instance in
            let (number, credential) = ("+15552345686", try await instance.member())
            let owner = try instance.client()
            _ = try await owner.signIn(with: credential)
            let enrolment = try await owner.account.factors.add(.authenticatorApp())
            _ = try await owner.respond(to: enrolment.challenge.flow, with: .code(try app(enrolment, instance)))
            _ = try await add(number, to: owner, instance)
            instance.advance(by: .seconds(60))

            let client = try instance.client()
            guard case .secondFactor(let step) = try await client.signIn(with: credential) else {
                Issue.record("no second factor was asked for")
                return
            }
            let byApp = try #require(step.choices.first { $0.kind == .authenticatorApp })
            let bySMS = try #require(step.choices.first { $0.kind == .phone })
            _ = try await client.respond(to: step.flow, with: .factor(byApp))
            try instance.server.panel.fail(next: 1, "POST", "*/prepare_second_factor*", with: .close)
            #expect(try await refusal { try await client.respond(to: step.flow, with: .factor(bySMS)) }.code == .network)
            let end = try await client.respond(to: step.flow, with: .code(try app(enrolment, instance)))
            #expect(end.session != nil)
        }
    }

    @Test func disabledPhoneFactorIsReported() async throws {
        try await Instance.run([("PHONE_NUMBER", "off")]) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            #expect(try await refusal { _ = try await client.account.factors.add(.phone("+15552345679")) }.code == .notEnabled)
        }
    }
}
