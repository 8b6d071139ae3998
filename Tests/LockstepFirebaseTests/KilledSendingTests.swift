import Lockstep
import LockstepCurl
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Synchronization
import Testing

@testable import LockstepFirebase

/// Mails of a process that ended after the server received the request and before it read the response.
@Suite(.limitedConcurrency)
struct KilledSendingTests {
    private static let callback = "https://app.example.com/callback"
    private static let actionLinks = "https://app.example.com/__/auth/action"
    private static let transport = CurlTransport()
    private static let new = "grace@example.com"

    private let project: FirebaseProject
    private let store: MemorySessionStore

    init() throws {
        project = try FirebaseProject(callback: Self.callback, actionLinks: Self.actionLinks)
        store = MemorySessionStore(clock: project.clock)
    }

    /// The newest mail's link as the app gets it.
    private func link(to email: String = FirebaseProject.email) throws -> String {
        let link = try #require(project.server.panel.outbox.mails(to: email).first?.link)
        return Self.actionLinks + "?" + (link.split(separator: "?", maxSplits: 1).last ?? "")
    }

    private func client(_ transport: any HTTPTransport = transport) throws -> AuthClient {
        var configuration = try FirebaseConfiguration(
            url: project.server.base, key: "fake-api-key", callback: Self.callback, actionLinks: Self.actionLinks)
        configuration.deadline = .seconds(600)
        return AuthClient(
            adapter: FirebaseAdapter(configuration, transport: transport, clock: project.clock), store: store,
            effects: ClientEffects(clock: project.clock, randomness: SystemRandomness()))
    }

    /// Signs up and verifies the address.
    private func becomeMember() async throws -> User {
        let client = try client()
        _ = try await client.signUp(with: project.credential)
        try await project.tap(try project.link())
        let user = try await client.refreshUser()
        project.clock.advance(by: .seconds(61))
        return user
    }

    /// The result of a mail's link after a relaunch, if `body` requests the mail and the process ends before the response.
    private func outcome(
        to email: String = FirebaseProject.email, _ body: (AuthClient) async throws -> Void,
        then next: @escaping @Sendable (AuthClient, CallbackOutcome) async -> Void = { _, _ in }
    ) async throws -> CallbackOutcome? {
        let outcome = Mutex<CallbackOutcome?>(nil)
        let killed = AfterMail(base: Self.transport) {
            guard let relaunched = try? client(), let link = try? link(to: email) else { return }
            await relaunched.restore()
            let result = await relaunched.handle(link)
            outcome.withLock { $0 = result }
            await next(relaunched, result)
        }
        try? await body(try client(killed))
        return outcome.withLock { $0 }
    }

    @Test func signInLinkOfAKilledRequestBelongsToThisDevice() async throws {
        let result = try await outcome { _ = try await $0.signIn(with: .emailLink(FirebaseProject.email)) }
        guard case .step(.complete(let session))? = result else {
            Issue.record("the link returned \(String(describing: result))")
            return
        }
        #expect(session.user.email == FirebaseProject.email)
        let notes = try await store.load(StoreKey(provider: "firebase", backend: project.adapter.backend, slot: .device))
        let text = String(decoding: notes?.bytes ?? [], as: UTF8.self)
        #expect(!text.contains(FirebaseProject.email))
    }

    @Test func resetLinkOfAKilledRequestBelongsToThisDevice() async throws {
        let member = try await becomeMember()
        try await client().signOut()
        let user = Mutex<String?>(nil)
        let result = try await outcome {
            _ = try await $0.requestPasswordReset(email: FirebaseProject.email)
        } then: { client, result in
            guard case .step(let step) = result, let flow = step.flow, step.accepts == [.newPassword] else { return }
            let done = try? await client.respond(to: flow, with: .newPassword("Correct-Horse-2"))
            user.withLock { $0 = done?.session?.user.id }
        }
        let id = user.withLock { $0 }
        #expect(id == member.id, "the link returned \(String(describing: result))")
    }

    @Test func linkingLinkOfAKilledRequestBelongsToThisUser() async throws {
        let member = try await becomeMember()
        let result = try await outcome { _ = try await $0.account.link(.emailLink(FirebaseProject.email)) }
        guard case .step(.complete(let session))? = result else {
            Issue.record("the link returned \(String(describing: result))")
            return
        }
        #expect(session.user.id == member.id)
    }

    /// A change of address ends Firebase's sessions, as it does without a kill.
    @Test func addressChangeOfAKilledRequestCompletes() async throws {
        _ = try await becomeMember()
        let result = try await outcome(to: Self.new) { _ = try await $0.account.changeEmail(to: Self.new) }
        guard case .refused(let error)? = result else {
            Issue.record("the link returned \(String(describing: result))")
            return
        }
        #expect(error.code == .sessionRevoked)
        let changed = PasswordCredential(email: Self.new, password: FirebaseProject.password)
        #expect(try await project.client().signIn(with: changed).session != nil)
    }

    /// The adapter never reads the address from the link.
    @Test func aLinkToAnotherAddressIsRejected() async throws {
        let other = project.client()
        _ = try await other.signIn(with: .emailLink(Self.new))
        let result = try await outcome(to: Self.new) { _ = try await $0.signIn(with: .emailLink(FirebaseProject.email)) }
        guard case .refused(let error)? = result else {
            Issue.record("the link returned \(String(describing: result))")
            return
        }
        #expect(error.code == .linkInvalid)
    }
}

/// A transport that calls a function after the server has sent a mail, before the caller gets the response.
private struct AfterMail: HTTPTransport {
    let base: CurlTransport
    let body: @Sendable () async -> Void

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let response = try await base.send(request)
        if request.url.contains("sendOobCode") { await body() }
        return response
    }
}
