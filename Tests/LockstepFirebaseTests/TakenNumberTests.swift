import Lockstep
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepFirebase

/// A number of another account: its temporary proof signs in there without another SMS.
@Suite(.limitedConcurrency)
struct TakenNumberTests {
    private static let number = "+15551230000"

    private static func client(_ project: FirebaseProject, _ store: MemorySessionStore) -> AuthClient {
        AuthClient(
            adapter: project.adapter, store: store,
            effects: ClientEffects(clock: project.clock, randomness: SystemRandomness()))
    }

    private static func code(_ project: FirebaseProject) throws -> ChallengeResponse {
        .code(Secret(try #require(project.server.panel.outbox.shortMessages.first?.code)))
    }

    /// A project, the number's owner, and a guest's device on which linking the number has led to a conflict.
    private static func conflict() async throws -> (
        project: FirebaseProject, owner: User.ID, client: AuthClient, store: MemorySessionStore, flow: Flow
    ) {
        let project = try FirebaseProject()
        let owner = project.client()
        let flow = try #require(try await owner.signIn(with: .phoneCode(number)).challenge).flow
        let user = try #require(try await owner.respond(to: flow, with: try code(project)).session).user
        let store = MemorySessionStore(clock: project.clock)
        let client = client(project, store)
        _ = try await client.signIn(with: .anonymous)
        let linking = try #require(try await client.signIn(with: .phoneCode(number)).challenge).flow
        guard case .identityConflict(let step) = try await client.respond(to: linking, with: try code(project)) else {
            throw AuthError(.unknown, "The number led to no conflict.")
        }
        #expect(project.server.panel.outbox.shortMessages.count == 2)
        return (project, user.id, client, store, step.flow)
    }

    private static func messages(_ project: FirebaseProject) -> Int { project.server.panel.outbox.shortMessages.count }

    @Test(arguments: [false, true])
    func guestSignsInToTheOwnersAccountWithoutAnotherSMS(_ isRelaunched: Bool) async throws {
        let (project, owner, first, store, _) = try await Self.conflict()
        let client = isRelaunched ? Self.client(project, store) : first
        await client.restore()
        let step = try await client.signIn(with: .phoneCode("+1 (555) 123-0000"), discardingAnonymousUser: true)
        #expect(step.session?.user.id == owner && client.state.session?.user.id == owner)
        #expect(Self.messages(project) == 2)
        let stored = try await store.load(
            StoreKey(provider: project.adapter.name, backend: project.adapter.backend, slot: .flow))
        #expect(stored == nil)
    }

    @Test func temporaryProofEndsWithItsFlow() async throws {
        for end in 0..<4 {
            let (project, _, client, _, flow) = try await Self.conflict()
            switch end {
            case 0: try await client.signOut(discardingAnonymousUser: true)
            case 1: try await client.cancel(flow)
            case 2: project.clock.advance(by: .seconds(15 * 60 + 1))
            default: break
            }
            let other = PhoneCodeCredential(phone: end == 3 ? "+15551230001" : Self.number)
            #expect(try await client.signIn(with: other, discardingAnonymousUser: true).challenge != nil, "\(end)")
            #expect(Self.messages(project) == 3, "\(end)")
        }
    }

    @Test func rejectedProofIsReplacedByAnSMS() async throws {
        let (project, owner, client, _, _) = try await Self.conflict()
        try project.server.panel.fail(
            "POST", "*signInWithPhoneNumber",
            with: .status(400, body: ["error": ["code": 400, "message": "INVALID_TEMPORARY_PROOF", "errors": []]]))
        let step = try await client.signIn(with: .phoneCode(Self.number), discardingAnonymousUser: true)
        let flow = try #require(step.challenge).flow
        #expect(try await client.respond(to: flow, with: try Self.code(project)).session?.user.id == owner)
    }

    @Test func lostResponseIsRetriedWithTheSameProof() async throws {
        let (project, owner, client, _, _) = try await Self.conflict()
        try project.server.panel.fail("POST", "*signInWithPhoneNumber", with: .loseResponse)
        let credential = PhoneCodeCredential(phone: Self.number)
        #expect(try await refusal { try await client.signIn(with: credential, discardingAnonymousUser: true) }.code == .network)
        #expect(try await client.signIn(with: credential, discardingAnonymousUser: true).session?.user.id == owner)
        #expect(Self.messages(project) == 2)
    }

    @Test func disabledOwnerIsRejected() async throws {
        let (project, owner, client, _, _) = try await Self.conflict()
        try await project.server.emulator.admin.setDisabled(true, of: owner)
        let error = try await refusal { try await client.signIn(with: .phoneCode(Self.number), discardingAnonymousUser: true) }
        #expect(error.code == .userDisabled)
        #expect(Self.messages(project) == 2)
    }

    /// The app's values and logs contain no temporary proof.
    @Test func conflictShowsNoProof() async throws {
        let playback = Playback(
            .json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)), .json(["sessionInfo": "s1"]),
            .json(["phoneNumber": .string(Self.number), "temporaryProof": "canary-proof", "temporaryProofExpiresIn": "3600"]),
            Firebase.refusal("USER_DISABLED : canary-proof"))
        let client = try Firebase.client(playback)
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        let linking = try await client.account.link(.phoneCode(Self.number))
        let step = try await client.respond(to: try #require(linking.challenge).flow, with: .code("123456"))
        var text = ""
        dump(step, to: &text)
        #expect(!text.contains("canary-proof"))
        let error = try await refusal { try await client.signIn(with: .phoneCode(Self.number)) }
        dump(error, to: &text)
        #expect(error.code == .userDisabled && !text.contains("canary-proof"))
        #expect(playback.requests[4].json == ["phoneNumber": .string(Self.number), "temporaryProof": "canary-proof"])
    }
}
