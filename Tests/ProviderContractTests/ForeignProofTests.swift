import Lockstep
import LockstepContracts
import LockstepHarnesses
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Links and codes used by others than their recipients, over real HTTP.
@Suite("Codes and links of other users", .limitedConcurrency)
struct ForeignProofTests {
    private static let harnesses: [any Harness] = [FirebaseHarness(), GoTrueHarness(), ClerkHarness()]
    private static let (ada, eve, new) = ("ada@example.com", "eve@example.com", "countess@example.com")

    /// A mail scanner loads the link of a sign-up in every way before its owner reads the message.
    ///
    /// Firebase's page waits for a button, and Clerk's message contains only a code. The first GET uses up GoTrue's link, as on
    /// the original server: it verifies the address, and the sign-in is open.
    @Test("A link scanner does not complete a sign-up", arguments: [0, 1, 2])
    func linkScannerDoesNotCompleteTheSignUp(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let client = environment.app()
            let credential = PasswordCredential(email: Self.ada, password: TestEnvironment.password)
            let challenge = try #require(try await client.signUp(with: credential).challenge)
            let message = try #require(try await environment.messages(to: Self.ada).last)
            if let link = message.link { try await Self.scan(link, on: environment) }
            #expect(client.state.session?.user.isEmailVerified != true)
            let session = try await Self.succeed(client, challenge, message, credential, on: environment)
            #expect(session.user.email == Self.ada && session.user.isEmailVerified)
            #expect(try await environment.administrator?.users().count == 1)
            #expect(try await client.session(requiring: .verified).user.id == session.user.id)
        }
    }

    @Test("A link scanner does not complete a sign-in", arguments: [0, 1, 2])
    func linkScannerDoesNotCompleteTheSignIn(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            _ = try await environment.enrol(Self.ada)
            let client = environment.app()
            let challenge = try #require(try await client.signIn(with: .emailLink(Self.ada)).challenge)
            let link = try #require(try await environment.messages(to: Self.ada).last?.link)
            try await Self.scan(link, on: environment)
            var outcome = await client.handle(try await environment.opened(try await environment.messages(to: Self.ada).last))
            if outcome.session == nil {
                // The scanner has used it up. The app reports this, and a new one works.
                #expect(outcome.refusal == .linkExpired)
                try await environment.backendClock?.advance(by: .seconds(120))
                environment.clock.advance(by: .seconds(120))
                try await client.resend(challenge.flow)
                outcome = await client.handle(try await environment.opened(try await environment.messages(to: Self.ada).last))
            }
            #expect(outcome.session?.user.email == Self.ada)
        }
    }

    private static func scan(_ link: String, on environment: TestEnvironment) async throws {
        // A scanner cannot load a link that opens the app itself.
        guard let address = try? Callback(link), !environment.callbacks.contains(where: { $0.matches(address) }) else { return }
        for method in [ScanMethod.head, .get, .get, .get, .get] { try await environment.browser?.scan(link, method) }
    }

    /// The actions of a message's owner: the code, or the link, or the remedies of their error.
    private static func succeed(
        _ client: AuthClient, _ challenge: Challenge, _ message: SentMessage, _ credential: PasswordCredential,
        on environment: TestEnvironment
    ) async throws -> Session {
        do {
            if challenge.accepts.contains(.code), let code = message.code {
                return try #require(try await client.respond(to: challenge.flow, with: .code(Secret(code))).session)
            }
            try await environment.browser?.confirm(try #require(message.link))
            return try #require(try await client.respond(to: challenge.flow, with: .poll).session)
        } catch let error as AuthError {
            #expect([.invalidCode, .codeExpired, .linkExpired].contains(error.code))
            return try #require(try await client.signIn(with: credential).session)
        }
    }

    @Test("A link is rejected on another device", arguments: [0, 1, 2])
    func linkIsRejectedOnAnotherDevice(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            _ = try await environment.enrol(Self.ada)
            let (own, other) = (environment.app(), environment.app())
            _ = try await own.signIn(with: .emailLink(Self.ada))
            let url = try await environment.opened(try await environment.messages(to: Self.ada).last)
            let sent = try await environment.requests {
                #expect(await other.handle(url).refusal == .flowStartedElsewhere)
            }
            #expect(sent == 0 && other.state.session == nil)
            #expect(await own.handle(url).session?.user.email == Self.ada)
        }
    }

    /// The code of a message works on the device of its flow, also after a relaunch.
    ///
    /// A device without the flow sends nothing.
    ///
    /// Firebase's messages have no codes.
    @Test("A code works only with its flow", arguments: [1, 2])
    func codeWorksOnlyWithItsFlow(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let store = MemorySessionStore(clock: environment.clock)
            let credential = PasswordCredential(email: Self.ada, password: TestEnvironment.password)
            let challenge = try #require(try await environment.app(on: store).signUp(with: credential).challenge)
            let code = Secret(try #require(try await environment.messages(to: Self.ada).last?.code))
            let other = environment.app()
            let sent = try await environment.requests {
                let lost = try await refusal { try await other.respond(to: challenge.flow, with: .code(code)) }
                #expect(lost == .flowNotFound)
            }
            #expect(sent == 0)
            // Its own flow for another address does not help either.
            let own = try #require(
                try await other.signUp(with: .password(email: Self.eve, password: TestEnvironment.password)).challenge)
            #expect(try await refusal { try await other.respond(to: own.flow, with: .code(code)) } == .invalidCode)
            #expect(other.state.session == nil)
            let relaunched = environment.app(on: store)
            await relaunched.restore()
            #expect(try await relaunched.respond(to: challenge.flow, with: .code(code)).session?.user.email == Self.ada)
        }
    }

    @Test("A code or link of another user is rejected", arguments: [0, 1, 2])
    func verificationOfAnotherUserIsRejected(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            for email in [Self.ada, Self.eve] { _ = try await environment.enrol(email) }
            let (adas, eves) = (environment.app(), environment.app())
            let first = try await adas.requestPasswordReset(email: Self.ada)
            let second = try await eves.requestPasswordReset(email: Self.eve)
            let proof = try await environment.proof(to: Self.ada, for: first)
            let code = try await refusal { try await eves.respond(to: try #require(second.flow), with: proof) }
            #expect(code.map { [.invalidCode, .linkInvalid].contains($0) } == true)
            #expect(eves.state.session == nil && eves.pending?.flow == second.flow)
            guard case .newPassword = try await adas.respond(to: try #require(first.flow), with: proof) else {
                Issue.record("The proof does not work for its own user.")
                return
            }
        }
    }

    @Test("A code or link for another purpose is rejected", arguments: [0, 1, 2])
    func verificationForAnotherPurposeIsRejected(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let signedIn = try await environment.member(Self.ada)
            let change = try await signedIn.account.changeEmail(to: Self.new)
            let forgetful = environment.app()
            let reset = try await forgetful.requestPasswordReset(email: Self.ada)
            let proofs = (
                change: try await environment.proof(to: Self.new, for: change),
                reset: try await environment.proof(to: Self.ada, for: reset)
            )
            let codes: [AuthError.Code] = [.invalidCode, .linkInvalid, .flowStartedElsewhere, .codeExpired]
            let one = try await refusal { try await forgetful.respond(to: try #require(reset.flow), with: proofs.change) }
            #expect(one.map(codes.contains) == true)
            let other = try await refusal { try await signedIn.respond(to: try #require(change.flow), with: proofs.reset) }
            #expect(other.map(codes.contains) == true)
            #expect(forgetful.state.session == nil)
            #expect(try await signedIn.refreshUser().email == Self.ada)
        }
    }

    /// A flow of one project gets the response of another project of the same app.
    @Test("A response of another issuer is rejected", arguments: [0, 1, 2])
    func responseOfAnotherIssuerIsRejected(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { ours in
            try await harness.withEnvironment(harness.variants[0]) { theirs in
                for environment in [ours, theirs] { _ = try await environment.enrol(Self.ada) }
                let (client, attacker) = (ours.app(), theirs.app())
                _ = try await client.signIn(with: .emailLink(Self.ada))
                _ = try await attacker.signIn(with: .emailLink(Self.ada))
                let (foreign, own) = (
                    try await theirs.opened(theirs.messages(to: Self.ada).last),
                    try await ours.opened(ours.messages(to: Self.ada).last)
                )
                let outcome = await client.handle(foreign)
                #expect(outcome.session == nil && client.state.session == nil)
                #expect(client.pending != nil)
                #expect(await client.handle(own).session?.user.email == Self.ada)
            }
            // A token that another provider has issued, or for another app.
            let issuer = try #require(ours.issuer)
            for flaw in [IDTokenFlaw.wrongIssuer, .wrongAudience, .foreignKey] {
                let client = ours.app()
                let nonce = IDTokenNonce(randomness: ours.randomness)
                let subject = IdentitySubject(id: "grace", email: "grace@example.com", nonce: nonce.hashed)
                let token = try await issuer.idToken(for: subject, flaw: flaw)
                let credential = IDTokenCredential(provider: issuer.provider, token: token, nonce: nonce.raw)
                #expect(try await refusal { try await client.signIn(with: credential) } == .invalidIDToken, "\(flaw)")
                #expect(client.state.session == nil)
            }
        }
    }

    /// Another signed-in user has Ada's message: with her flow, with another flow, and on her device after her.
    @Test("A confirmation by another user is rejected", arguments: [0, 1, 2])
    func confirmationByAnotherUserIsRejected(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let device = MemorySessionStore(clock: environment.clock)
            let (adas, eves) = (try await environment.member(Self.ada, on: device), try await environment.member(Self.eve))
            let change = try await adas.account.changeEmail(to: Self.new)
            let flow = try #require(change.flow)
            let proof = try await environment.proof(to: Self.new, for: change)
            let without = try await refusal { try await eves.respond(to: flow, with: proof) }
            #expect(without == .flowNotFound)
            let own = try #require(try await eves.account.changeEmail(to: "mallory@example.com").flow)
            let within = try await refusal { try await eves.respond(to: own, with: proof) }
            #expect(within.map { [.invalidCode, .linkInvalid, .codeExpired].contains($0) } == true)
            #expect(eves.state.session?.user.email == Self.eve)

            try await adas.signOut()
            _ = try await adas.signIn(with: .password(email: Self.eve, password: TestEnvironment.password))
            let after = try await refusal { try await adas.respond(to: flow, with: proof) }
            #expect(after == .flowNotFound)
            let addresses = try await environment.administrator?.users().compactMap(\.email)
            #expect(addresses?.sorted() == [Self.ada, Self.eve])
        }
    }
}
