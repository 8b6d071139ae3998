import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Sign-ups with every kind of field that an instance can require.
@Suite("Clerk's sign-ups", .limitedConcurrency)
struct SignUpTests {
    @Test func nameIsStoredInMetadataIfTheInstanceHasNoNames() async throws {
        try await Instance.run([("FIRST_NAME", "off"), ("LAST_NAME", "off")]) { instance in
            let client = try instance.client()
            let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")
            let challenge = try #require(try await client.signUp(with: credential, displayName: "Ada Lovelace").challenge)
            let step = try await client.respond(to: challenge.flow, with: .code(instance.code(for: credential.email)))
            #expect(step.session?.user.displayName == "Ada Lovelace")
            try await client.account.update(displayName: "Countess")
            #expect(try await client.refreshUser().displayName == "Countess")
        }
    }

    @Test func signUpVerifiesBothAndAsksForMissingFields() async throws {
        try await Instance.run([("USERNAME", "required"), ("PHONE_NUMBER", "required")]) { instance in
            let client = try instance.client()
            let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")
            var challenge = try #require(try await client.signUp(with: credential).challenge)
            var step = try await client.respond(to: challenge.flow, with: .code(instance.code(for: credential.email)))
            guard case .moreInformation(let missing) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(missing.fields == [.phone, .username])
            step = try await client.respond(
                to:
                    missing.flow, with: .fields([.username: "countess", .phone: "+15551230000"]))
            challenge = try #require(step.challenge)
            #expect(challenge.channel == .sms)
            #expect(challenge.destination == "+•••0000")
            step = try await client.respond(to: challenge.flow, with: .code(instance.code(for: "+15551230000")))
            #expect(step.session?.user.phone == "+15551230000")
        }
    }

    @Test(arguments: [true, false])
    func signUpWithoutAPasswordCompletes(_ isByMail: Bool) async throws {
        try await Instance.run([("PASSWORD", "off"), ("EMAIL_ADDRESS", "optional")]) { instance in
            let client = try instance.client()
            let address = isByMail ? "ada@example.com" : "+15551230000"
            let step =
                isByMail
                ? try await client.signUp(with: .emailCode(address), displayName: "Ada Lovelace")
                : try await client.signUp(with: .phoneCode(address), displayName: "Ada Lovelace")
            let challenge = try #require(step.challenge)
            #expect(challenge.flow.kind == .confirmation)
            #expect(challenge.channel == (isByMail ? .email : .sms))
            let end = try await client.respond(to: challenge.flow, with: .code(instance.code(for: address)))
            #expect(end.session?.user.displayName == "Ada Lovelace")
            #expect((isByMail ? end.session?.user.email : end.session?.user.phone) == address)
        }
    }

    @Test func requiredPasswordIsAskedForAtSignUp() async throws {
        try await Instance.run { instance in
            let client = try instance.client()
            let challenge = try #require(try await client.signUp(with: .emailCode("ada@example.com")).challenge)
            let step = try await client.respond(to: challenge.flow, with: .code(instance.code(for: "ada@example.com")))
            guard case .moreInformation(let missing) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(missing.fields.map(\.rawValue) == ["password"])
            let password = MissingFieldsStep.Field(rawValue: "password")
            let end = try await client.respond(to: missing.flow, with: .fields([password: "Correct-Horse-1"]))
            #expect(end.session?.user.email == "ada@example.com")
        }
    }

    @Test func invitationTicketSignsUp() async throws {
        try await Instance.run([("SIGN_UP_MODE", "restricted"), ("PASSWORD", "off")]) { instance in
            let invitation = try await instance.backend(.post, "/invitations", ["email_address": "ada@example.com"])
            let url = try #require(invitation["url"]?.string)
            let ticket = try #require(try Callback(url).parameters["ticket"])
            #expect(
                try await refusal { try await instance.client().signUp(with: .emailCode("eve@example.com")) }.code
                    == .signUpDisabled)
            let step = try await instance.client().signUp(with: .ticket(Secret(ticket)))
            #expect(step.session?.user.email == "ada@example.com")
            #expect(step.session?.user.isEmailVerified == true)
        }
    }
}
