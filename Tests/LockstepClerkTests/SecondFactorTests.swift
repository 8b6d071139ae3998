import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Second factors that users add: what Clerk asks for before, and what is left of them.
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

    @Test func oldSessionIsProvenAnewBeforeAnApp() async throws {
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

    @Test func phoneIsAFactorAndNoWayIn() async throws {
        try await Instance.run(Self.phones) { instance in
            let number = "+15552345676"
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let factor = try await add(number, to: client, instance)
            #expect(factor.label == PhoneCodeCredential.masked(number))
            let user = try #require(client.state.session?.user)
            #expect(user.phone == nil)
            #expect(user.identities.map(\.provider) == [.email])
            // As a second factor the number finds no account.
            #expect(try await refusal { try await instance.client().signIn(with: .phoneCode(number)) }.code != .network)

            try await client.account.factors.remove(factor)
            #expect(try await client.account.factors.all().isEmpty)
            // It has not become a way to sign in, and can be added again.
            #expect(client.state.session?.user.identities.map(\.provider) == [.email])
            #expect(try await refusal { try await instance.client().signIn(with: .phoneCode(number)) }.code == .userNotFound)
            instance.advance(by: .seconds(60))
            _ = try await add(number, to: client, instance)
        }
    }

    @Test func numberThatSignsInIsNotTaken() async throws {
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

    @Test func enrolmentThatWasLeftGoesOnWithTheSameNumber() async throws {
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

    @Test func phonesThatTheInstanceHasNot() async throws {
        try await Instance.run([("PHONE_NUMBER", "off")]) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            #expect(try await refusal { _ = try await client.account.factors.add(.phone("+15552345679")) }.code == .notEnabled)
        }
    }
}
