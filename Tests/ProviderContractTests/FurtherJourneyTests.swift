import Lockstep
import LockstepContracts
import LockstepFirebaseHarness
import LockstepGoTrueHarness
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// What adapters claim and the contracts do not ask for yet, driven on the same environments.
@Suite("Further journeys", .limitedConcurrency)
struct FurtherJourneyTests {
    private static let harnesses: [any Harness] = [GoTrueHarness(), FirebaseHarness()]
    private static let old = "ada@example.com"
    private static let new = "countess@example.com"
    private static let password: Secret = "Correct-Horse-1"

    @Test("a new address counts when every address that was written to is proven", arguments: [0, 1], [false, true])
    func changesTheAddress(_ place: Int, byLink: Bool) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let client = try await environment.signedIn(Self.old, Self.password)
            var step = try await client.account.changeEmail(to: Self.new)
            #expect(step.challenge?.flow.kind == .emailChange)
            #expect(try await client.refreshUser().email == Self.old)
            let user = try #require(client.state.session?.user.id)
            // What is sent to the former address afterwards takes the change back.
            var proofs: [SentMessage] = []
            for address in [Self.new, Self.old] {
                if let message = try await environment.message(to: address) { proofs.append(message) }
            }
            do {
                for proof in proofs { step = try await environment.give(proof, to: client, step, byLink: byLink) }
                #expect(step.session?.user.email == Self.new)
            } catch let error as AuthError where error.code == .sessionRevoked && harness.name == "firebase" {
                // Firebase ends every session with a change of address, the one that asked for it too.
            }
            let again = try await environment.client().signIn(with: .password(email: Self.new, password: Self.password))
            #expect(again.session?.user.id == user)
        }
    }

    @Test("the last way to sign in stays", arguments: [0, 1])
    func keepsTheLastIdentity(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let client = try await environment.signedIn(Self.old, Self.password)
            let identity = try #require(try await client.refreshUser().identities.first)
            do throws(AuthError) {
                try await client.account.unlink(identity)
                Issue.record("the last identity was removed")
            } catch {
                #expect(error.code == .lastIdentity)
            }
        }
    }

    @Test("a round trip through an identity provider ends in a session, once")
    func goesThroughAProvider() async throws {
        let harness = Self.harnesses[0]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let client = environment.client()
            guard case .redirect(let step) = try await client.signIn(with: .oauth(.apple)) else {
                Issue.record("there is no page to open")
                return
            }
            let back = try #require(try await environment.browser?.follow(step.url))
            guard case .step(.complete(let session)) = await client.handle(back) else {
                Issue.record("the link back leads to no session")
                return
            }
            #expect(session.user.displayName == "Grace Hopper")
            let other = environment.client()
            guard case .refused(let elsewhere) = await other.handle(back) else {
                Issue.record("another device took the link")
                return
            }
            #expect(elsewhere.code == .flowStartedElsewhere)
            _ = try await other.signIn(with: .oauth(.apple))
            guard case .refused(let spent) = await other.handle(back) else {
                Issue.record("a spent link was taken")
                return
            }
            #expect(spent.code == .linkInvalid)
        }
    }

    @Test("a code by SMS signs in")
    func takesCodesBySMS() async throws {
        let harness = Self.harnesses[0]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let client = environment.client()
            let step = try await client.signIn(with: .phoneCode("+15551230001"))
            let code = try #require(try await environment.message(to: "+15551230001")?.code)
            let session = try await client.respond(to: try #require(step.flow), with: .code(Secret(code))).session
            #expect(session?.user.phone == "+15551230001")
            #expect(session?.user.standing == .verified)
        }
    }
}

extension TestEnvironment {
    fileprivate func client() -> AuthClient {
        AuthClient(
            adapter: adapter, store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: randomness))
    }

    fileprivate func signedIn(_ email: String, _ password: Secret) async throws -> AuthClient {
        _ = try await adminAPI?.create(email: email, password: password.reveal(), isEmailVerified: true, displayName: "Ada")
        let client = client()
        _ = try await client.signIn(with: .password(email: email, password: password))
        return client
    }

    fileprivate func message(to recipient: String) async throws -> SentMessage? {
        try await outbox?.messages().last { $0.recipient == recipient }
    }

    fileprivate func give(
        _ message: SentMessage, to client: AuthClient, _ step: SignInStep, byLink: Bool
    ) async throws -> SignInStep {
        let flow = try #require(step.flow)
        if !byLink, let code = message.code { return try await client.respond(to: flow, with: .code(Secret(code))) }
        let link = try #require(message.link)
        if !byLink {
            try await browser?.confirm(link)
            return try await client.respond(to: flow, with: .poll)
        }
        let url = try #require(try await browser?.follow(link))
        return try await client.respond(to: flow, with: .link(url))
    }
}
