import Lockstep
import LockstepCurl
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Synchronization
import Testing

@testable import LockstepGoTrue

/// Links of mails that were requested more than once, or whose response was lost.
@Suite(.limitedConcurrency)
struct LinkJourneyTests {
    private let credential = PasswordCredential(email: Project.email, password: Project.password)
    private static let transport = CurlTransport()

    private func project() throws -> Project {
        try Project { settings in settings.mail.interval = .seconds(60) }
    }

    /// The URL that opens the app when a person opens the link of the only mail.
    private static func callback(_ project: Project) async throws -> String {
        let mails = project.server.panel.outbox.mails
        #expect(mails.count == 1)
        let link = try #require(mails.last?.link)
        return try #require(try await transport.send(HTTPRequest(.get, link)).headers["Location"])
    }

    enum Between: CaseIterable { case nothing, cancellation, relaunch, wrongPassword }

    @Test(arguments: Between.allCases)
    func passwordSignInBeforeTheLinkKeepsTheLink(_ between: Between) async throws {
        let project = try project()
        let store = MemorySessionStore(clock: project.clock)
        var client = project.client(store: store)
        let challenge = try #require(try await client.signUp(with: credential).challenge)
        switch between {
        case .nothing: break
        case .cancellation: try await client.cancel(challenge.flow)
        case .relaunch: client = project.client(store: store)
        case .wrongPassword:
            _ = try? await client.signIn(with: .password(email: Project.email, password: "Wrong-Horse-1"))
        }
        project.advance(by: .seconds(5))
        let again = try #require(try await client.signIn(with: credential).challenge)
        #expect(again.flow.id != challenge.flow.id)
        let outcome = await client.handle(try await Self.callback(project))
        guard case .step(.complete(let session)) = outcome else {
            Issue.record("the link returned \(outcome)")
            return
        }
        #expect(session.user.email == Project.email)
        let key = StoreKey(provider: "gotrue", backend: project.adapter.backend, slot: .device)
        let notes = try await store.load(key)?.bytes ?? []
        #expect(!String(decoding: notes, as: UTF8.self).contains("sentVerifiers"))
    }

    /// The process ends after the server has received the request, and before it reads the response.
    @Test(arguments: ["/signup", "/otp", "/recover"])
    func mailOfAKilledRequestBelongsToThisDevice(_ path: String) async throws {
        let project = try project()
        if path == "/recover" { try project.ada() }
        let store = MemorySessionStore(clock: project.clock)
        let outcome = Mutex<CallbackOutcome?>(nil)
        let killed = AfterSending(base: Self.transport, path: path) {
            let relaunched = project.client(store: store)
            if let url = try? await Self.callback(project) {
                let result = await relaunched.handle(url)
                outcome.withLock { $0 = result }
            }
        }
        let adapter = GoTrueAdapter(
            try GoTrueConfiguration(url: project.server.base, key: nil, callback: Project.callback), transport: killed,
            clock: project.clock, randomness: SystemRandomness())
        let client = AuthClient(
            adapter: adapter, store: store, effects: ClientEffects(clock: project.clock, randomness: SystemRandomness()))
        switch path {
        case "/signup": _ = try? await client.signUp(with: credential)
        case "/otp": _ = try? await client.signIn(with: .emailLink(Project.email))
        default: _ = try? await client.requestPasswordReset(email: Project.email)
        }
        guard case .step(let step)? = outcome.withLock({ $0 }) else {
            Issue.record("the link returned \(String(describing: outcome.withLock { $0 }))")
            return
        }
        if path == "/recover" {
            #expect(step.accepts == [.newPassword])
        } else {
            #expect(step.session?.user.email == Project.email)
        }
    }

    /// A user, or a guest, requests a new address, and the process ends before it reads the response.
    @Test(arguments: [false, true])
    func addressChangeOfAKilledRequestBelongsToThisDevice(_ isGuest: Bool) async throws {
        let new = "grace@example.com"
        let project = try Project { settings in settings.mail.securesChange = false }
        if !isGuest { try project.ada() }
        let store = MemorySessionStore(clock: project.clock)
        let outcome = Mutex<CallbackOutcome?>(nil)
        let killed = AfterSending(base: Self.transport, path: "/user?") {
            let relaunched = project.client(store: store)
            await relaunched.restore()
            if let url = try? await Self.callback(project) {
                let result = await relaunched.handle(url)
                outcome.withLock { $0 = result }
            }
        }
        let adapter = GoTrueAdapter(
            try GoTrueConfiguration(url: project.server.base, key: nil, callback: Project.callback), transport: killed,
            clock: project.clock, randomness: SystemRandomness())
        let client = AuthClient(
            adapter: adapter, store: store, effects: ClientEffects(clock: project.clock, randomness: SystemRandomness()))
        let session =
            isGuest
            ? try await client.signIn(with: .anonymous).session : try await client.signIn(with: credential).session
        _ = try? await client.account.changeEmail(to: new)
        guard case .step(.complete(let changed))? = outcome.withLock({ $0 }) else {
            Issue.record("the link returned \(String(describing: outcome.withLock { $0 }))")
            return
        }
        #expect(changed.user.id == session?.user.id)
        #expect(changed.user.email == new && !changed.user.isAnonymous)
    }

    /// The link of a change that another user requested on this device does not belong to the signed-in user.
    @Test func addressChangeOfAnotherUserSignsNobodyIn() async throws {
        let project = try Project { settings in settings.mail.securesChange = false }
        try project.ada()
        try project.admin.createUser(email: "bob@example.com", password: Project.password)
        let store = MemorySessionStore(clock: project.clock)
        let outcomes = Mutex<[CallbackOutcome]>([])
        let killed = AfterSending(base: Self.transport, path: "/user?") {
            guard let url = try? await Self.callback(project) else { return }
            let relaunched = project.client(store: store)
            try? await relaunched.signOut()
            let signedOut = await relaunched.handle(url)
            _ = try? await relaunched.signIn(with: .password(email: "bob@example.com", password: Project.password))
            let other = await relaunched.handle(url)
            outcomes.withLock { $0 = [signedOut, other] }
            #expect(relaunched.state.session?.user.email == "bob@example.com")
        }
        let adapter = GoTrueAdapter(
            try GoTrueConfiguration(url: project.server.base, key: nil, callback: Project.callback), transport: killed,
            clock: project.clock, randomness: SystemRandomness())
        let client = AuthClient(
            adapter: adapter, store: store, effects: ClientEffects(clock: project.clock, randomness: SystemRandomness()))
        _ = try await client.signIn(with: credential)
        _ = try? await client.account.changeEmail(to: "grace@example.com")
        let codes = outcomes.withLock { $0 }.map { outcome -> AuthError.Code? in
            if case .refused(let error) = outcome { error.code } else { nil }
        }
        #expect(codes.count == 2 && codes[0] == .flowStartedElsewhere && codes[1] != nil, "\(codes)")
    }

    /// The process ends after the server has accepted the link's code, and before it reads the response.
    @Test func linkOfAKilledRequestIsReportedAsUsed() async throws {
        let project = try project()
        let store = MemorySessionStore(clock: project.clock)
        _ = try await project.client(store: store).signUp(with: credential)
        let url = try await Self.callback(project)
        let outcome = Mutex<CallbackOutcome?>(nil)
        let killed = AfterSending(base: Self.transport, path: "grant_type=pkce") {
            let result = await project.client(store: store).handle(url)
            outcome.withLock { $0 = result }
        }
        let adapter = GoTrueAdapter(
            try GoTrueConfiguration(url: project.server.base, key: nil, callback: Project.callback), transport: killed,
            clock: project.clock, randomness: SystemRandomness())
        let client = AuthClient(
            adapter: adapter, store: store, effects: ClientEffects(clock: project.clock, randomness: SystemRandomness()))
        _ = await client.handle(url)
        guard case .refused(let error)? = outcome.withLock({ $0 }) else {
            Issue.record("the link returned \(String(describing: outcome.withLock { $0 }))")
            return
        }
        #expect(error.code == .linkUsed)
    }

    @Test func linkOfAnotherDeviceIsRejected() async throws {
        let project = try project()
        _ = try await project.client().signUp(with: credential)
        guard case .refused(let error) = await project.client().handle(try await Self.callback(project)) else {
            Issue.record("it is taken")
            return
        }
        #expect(error.code == .flowStartedElsewhere && error.remedies == [.enterCode, .startAgain])
    }
}

/// A transport that calls a function after the server has responded, before the caller gets the response.
private struct AfterSending: HTTPTransport {
    let base: CurlTransport
    let path: String
    let body: @Sendable () async -> Void

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let response = try await base.send(request)
        if request.url.contains(path) { await body() }
        return response
    }
}
