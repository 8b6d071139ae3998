import Lockstep
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepWire
import Testing

@testable import LockstepGoTrue

/// The whole life of second factors: added, asked for, removed.
@Suite(.limitedConcurrency)
struct SecondFactorTests {
    private let project: Project

    init() throws {
        project = try Project { settings in
            settings.factors.phone = settings.factors.totp
            settings.factors.webAuthn = settings.factors.totp
            settings.factors.phoneInterval = .milliseconds(1)
        }
        try project.ada()
    }

    private func signedIn() async throws -> AuthClient {
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        return client
    }

    /// Signs in on another device, up to the step that asks for a factor.
    private func askedForFactor(_ client: AuthClient) async throws -> SecondFactorStep {
        let step = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        guard case .secondFactor(let asked) = step else { throw AuthError(.unknown, "No factor is asked for: \(step)") }
        #expect(client.state.session == nil)
        return asked
    }

    /// Each part alone, neither, and both.
    @Test func requirementOfTwoPartsNeedsBoth() async throws {
        let both: Set<SessionRequirement> = [.verified, .secondFactor]
        let nobody = project.client()
        #expect(try await refusal { try await nobody.session(requiring: both) }.code == .notSignedIn)

        // Only a verified address.
        let client = try await signedIn()
        #expect(try await client.session(requiring: [.verified, .any]).user.email == Project.email)
        let half = try await refusal { try await client.session(requiring: both) }
        #expect(half.code == .secondFactorRequired && half.remedies == [.secondFactor])

        // Neither.
        let guest = project.client()
        _ = try await guest.signIn(with: .anonymous)
        #expect(try await refusal { try await guest.session(requiring: both) }.code == .verificationRequired)
        #expect(try await guest.session(requiring: []).user.isAnonymous)

        // Only a second factor, which no server should have.
        for (isGuest, isConfirmed) in [(true, true), (false, false)] {
            var user = try #require(GoTrue.user(confirmed: isConfirmed).object)
            user["is_anonymous"] = .bool(isGuest)
            let odd = AuthClient(
                adapter: try GoTrue.adapter(Playback(.json(GoTrue.session(.object(user), aal: "aal2")))),
                store: MemorySessionStore(clock: GoTrue.clock),
                effects: ClientEffects(clock: GoTrue.clock, randomness: SystemRandomness()))
            let session = try #require(
                try await odd.signIn(with: .password(email: Project.email, password: Project.password)).session)
            #expect(session.assurance == .twoFactors && session.user.standing != .verified)
            #expect(try await refusal { try await odd.session(requiring: both) }.code == .verificationRequired)
        }

        // Both.
        let own = try await client.account.factors.add(.authenticatorApp(label: "app"))
        _ = try await client.respond(to: own.challenge.flow, with: .code(try code(own)))
        #expect(try await client.session(requiring: both).assurance == .twoFactors)
        #expect(try await client.session(requiring: .secondFactor).assurance == .twoFactors)
    }

    private func code(_ enrolment: FactorEnrolment) throws -> Secret {
        Secret(AuthenticatorApp(secret: try #require(enrolment.key).reveal()).code(at: project.clock.now))
    }

    @Test func authenticatorAppIsActiveAfterItsFirstCode() async throws {
        let client = try await signedIn()
        let enrolment = try await client.account.factors.add(.authenticatorApp(label: "my app"))
        let app = AuthenticatorApp(secret: try #require(enrolment.key).reveal())
        #expect(enrolment.uri?.reveal().hasPrefix("otpauth://totp/") == true)
        #expect(try await client.account.factors.all() == [])
        #expect(try await project.session().assurance == .oneFactor)

        let flow = enrolment.challenge.flow
        let wrong = try await refusal { try await client.respond(to: flow, with: .code("000000")) }
        #expect(wrong.code == .invalidCode)
        let session = try await client.respond(to: flow, with: .code(Secret(app.code(at: project.clock.now)))).session
        #expect(session?.assurance == .twoFactors)
        #expect(try await client.session(requiring: .secondFactor).user.id == session?.user.id)

        let other = project.client()
        let asked = try await askedForFactor(other)
        #expect(asked.choices.map(\.label) == ["my app"])
        project.advance(by: .seconds(30))
        let step = try await other.respond(to: asked.flow, with: .code(Secret(app.code(at: project.clock.now))))
        #expect(step.session?.assurance == .twoFactors)

        try await other.account.factors.remove(try #require(try await other.account.factors.all().first))
        #expect(try await other.account.factors.all() == [])
        #expect(
            try await project.client().signIn(
                with: .password(email: Project.email, password: Project.password)
            ).session != nil)
    }

    /// The user answers more than an hour after the password.
    @Test(arguments: [false, true])
    func lateCodeNeedsTheFirstFactorsSession(_ hasEnded: Bool) async throws {
        let client = try await signedIn()
        let enrolment = try await client.account.factors.add(.authenticatorApp(label: "my app"))
        _ = try await client.respond(to: enrolment.challenge.flow, with: .code(try code(enrolment)))
        let other = project.client()
        let asked = try await askedForFactor(other)
        project.advance(by: .seconds(3601))
        guard hasEnded else {
            let step = try await other.respond(to: asked.flow, with: .code(try code(enrolment)))
            #expect(step.session?.assurance == .twoFactors)
            return
        }
        try project.admin.revokeSessions(of: try #require(client.state.session).user.id)
        let error = try await refusal { try await other.respond(to: asked.flow, with: .code(try code(enrolment))) }
        #expect(error.code == .codeExpired && error.remedies == [.startAgain])
        let again = try await askedForFactor(other)
        #expect(try await other.respond(to: again.flow, with: .code(try code(enrolment))).session != nil)
    }

    @Test func aPhoneGetsACodeAtEachSignIn() async throws {
        let number = "+15551230002"
        let client = try await signedIn()
        let enrolment = try await client.account.factors.add(.phone(number))
        #expect(enrolment.challenge.channel == .sms)
        #expect(enrolment.challenge.destination == "+•••0002")
        project.advance(by: .seconds(60))
        _ = try await client.resend(enrolment.challenge.flow)
        _ = try await client.respond(to: enrolment.challenge.flow, with: .code(try code(to: number)))

        let other = project.client()
        let asked = try await askedForFactor(other)
        let chosen = try await other.respond(to: asked.flow, with: .factor(try #require(asked.choices.first)))
        #expect(chosen.challenge?.channel == .sms)
        let wrong = try await refusal { try await other.respond(to: asked.flow, with: .code("000000")) }
        #expect(wrong.code == .invalidCode)
        #expect(try await other.respond(to: asked.flow, with: .code(try code(to: number))).session?.assurance == .twoFactors)
    }

    @Test func passkeyIsASecondFactor() async throws {
        let client = try await signedIn()
        let enrolment = try await client.account.factors.add(.passkey())
        let options = try #require(enrolment.challenge.passkeyOptions)
        let made = SoftwarePasskey(["do": "create", "seed": "a", "challenge": options["challenge"] ?? .null])
        _ = try await client.respond(to: enrolment.challenge.flow, with: .passkey(made.credential))

        let other = project.client()
        let asked = try await askedForFactor(other)
        let chosen = try await other.respond(to: asked.flow, with: .factor(try #require(asked.choices.first)))
        #expect(chosen.accepts.contains(.passkey))
        let challenge = try #require(chosen.challenge?.passkeyOptions?["challenge"])
        let stranger = SoftwarePasskey(["do": "get", "seed": "b", "challenge": challenge, "count": 1])
        let refused = try await refusal { try await other.respond(to: asked.flow, with: .passkey(stranger.credential)) }
        #expect(refused.code == .invalidCredentials)
        let used = SoftwarePasskey(["do": "get", "seed": "a", "challenge": challenge, "count": 1])
        #expect(try await other.respond(to: asked.flow, with: .passkey(used.credential)).session?.assurance == .twoFactors)
    }

    @Test func secondFactorNeedsTheFirst() async throws {
        try project.admin.addFactor(DirectoryFactor(.authenticatorApp(secret: nil)), to: try await project.session().user.id)
        let session = try await project.adapter.api.refresh(try await rawSession())
        let error = try await refusal {
            try await OwnSecondFactors(api: project.adapter.api).begin(
                .authenticatorApp(), of: session, in: GoTrue.memory(.linking))
        }
        #expect(error.code == .secondFactorRequired)
        #expect(error.remedies == [.secondFactor])
        let factor = try #require(session.user.goTrueFactors.first)
        let removal = try await refusal { try await OwnSecondFactors(api: project.adapter.api).remove(factor, from: session) }
        #expect(removal.code == .secondFactorRequired)
    }

    @Test func unsupportedFactorsAreRejectedUnsent() async throws {
        let client = try await signedIn()
        #expect(try await refusal { try await client.account.factors.add(NewFactor(.backupCode)) }.code == .unsupported)
        #expect(try await refusal { try await client.account.factors.add(NewFactor(.phone)) }.code == .invalidPhone)
        let strange = FactorChoice(id: "../user", kind: .phone)
        #expect(try await refusal { try await client.account.factors.remove(strange) }.code == .invalidInput)
    }

    /// The refresh token of a one-factor session, which the adapter never returns.
    private func rawSession() async throws -> Secret {
        let body: JSONObject = ["email": .string(Project.email), "password": .string(Project.password.reveal())]
        let response = try await project.adapter.api.call(.post, "/token", query: ["grant_type": "password"], body: body)
        return Secret(try #require(response.object["refresh_token"]?.string))
    }

    private func code(to number: String) throws -> Secret {
        let digits = number.dropFirst()
        let message = project.server.panel.outbox.shortMessages.first { $0.to.hasSuffix(digits) }
        return Secret(try #require(message?.code))
    }
}
