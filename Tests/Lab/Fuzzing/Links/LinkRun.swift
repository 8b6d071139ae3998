internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTestSupport
internal import Synchronization

/// Opens clients of one provider with links that no backend has sent.
///
/// One client has a signed-in user and a flow that can wait for a link. In the other one nothing waits. No link may end the
/// process, change the signed-in user, or end the flow. If nothing waits, no link may cause a request.
package final class LinkRun: Sendable {
    /// The results.
    package struct Findings: Sendable {
        /// The number of links.
        package var links = 0
        /// The number of links that were recognized as the app's and rejected.
        package var refused = 0
        /// The number of requests that they caused while a flow waited.
        package var requests = 0
        /// The failures, a sentence each.
        package var faults: [String] = []
    }

    private let provider: String
    private let links: [String]
    private let backend: Backend
    private let waiting: AuthClient
    private let idle: AuthClient
    private let idleBackend: Backend
    private let userID: String?
    private let flow: Flow?

    /// A client with a signed-in user, or with a step before that, by responses of the provider's emulator.
    ///
    /// The client has both if the responses can be repeated (Clerk's belong to one attempt).
    ///
    /// - Throws: ``FuzzError`` if the responses reach no such state.
    package init(_ provider: String) async throws {
        let target = try await ReaderTarget.of(provider)
        self.provider = provider
        links = target.links
        let clock = ManualClock(base: FixedClock())
        backend = Backend(target.recorded)
        idleBackend = Backend(target.recorded)
        waiting = try Self.client(of: target, backend, clock)
        idle = try Self.client(of: target, idleBackend, clock)
        // The words of the recorded responses, because a client accepts no other user's.
        let words = ReaderWords()
        var session: Session?
        var flow: Flow?
        for _ in 0..<200 where session == nil {
            session = try? await waiting.signIn(with: .password(email: words.email, password: words.password)).session
            if session == nil { session = try? await waiting.signIn(with: .anonymous).session }
        }
        for _ in 0..<200 where flow == nil {
            guard let step = try? await waiting.signIn(with: .emailLink(words.email)), step.accepts.contains(.link) else {
                continue
            }
            flow = step.flow
        }
        if flow == nil {
            flow = try? await waiting.signUp(with: .password(email: words.email, password: words.password)).flow
        }
        guard session != nil || flow != nil else { throw FuzzError("no answer of the emulator of \(provider) leads anywhere") }
        userID = session?.user.id
        self.flow = flow
        for backend in [backend, idleBackend] { backend.refuseFromNowOn() }
    }

    private static func client(of target: ReaderTarget, _ backend: Backend, _ clock: ManualClock) throws -> AuthClient {
        let randomness = SeededRandomness(seed: 1)
        return AuthClient(
            adapter: try target.adapter(backend, clock, randomness), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: randomness))
    }

    /// Opens this many links, all of which depend only on the seed.
    package func handle(_ count: Int, seed: UInt64) async -> Findings {
        let dice = Dice(seed: seed)
        var findings = Findings()
        let (before, idleBefore) = (backend.requests, idleBackend.requests)
        while findings.links < count, findings.faults.count < 10 {
            let link = link(dice)
            findings.links += 1
            for client in [waiting, idle] {
                switch await client.handle(link) {
                case .notOurs: break
                case .refused: findings.refused += 1
                case .step(let step): findings.faults.append("it led to \(step): \(Self.shown(link))")
                }
            }
            let isIn = waiting.state.session?.user.id == userID
            if !isIn || waiting.pending?.flow?.id != flow?.id || idle.state.session != nil || idle.pending != nil
                || idleBackend.requests != idleBefore
            {
                findings.faults.append("\(provider), seed \(seed), link \(findings.links) changed something: \(Self.shown(link))")
            }
        }
        findings.requests = backend.requests - before
        return findings
    }

    private func link(_ dice: Dice) -> String {
        let mutation = TextMutation(dice: dice)
        switch dice.roll(10) {
        case 0: return String(decoding: dice.bytes(dice.roll(60)), as: UTF8.self)
        case 1: return mutation.mutated(dice.pick(Self.strange))
        case 2:
            // Parameters of one link after those of another.
            let tail = dice.pick(links).split(separator: "?", maxSplits: 1).last ?? ""
            return dice.pick(links) + dice.pick(["&", "?", "#", ";"]) + tail
        case 3 where dice.hits(oneIn: 400):
            return dice.pick(links) + String(repeating: dice.pick(["a", "%41", "&a="]), count: 40_000)
        case 4...7:
            // The address stays the app's own. The client reads what follows it.
            let link = dice.pick(links)
            guard link.hasPrefix(ReaderTarget.callback) else { return mutation.mutated(link) }
            let tail = String(link.dropFirst(ReaderTarget.callback.count))
            return ReaderTarget.callback + tail.prefix(1) + mutation.mutated(String(tail.dropFirst()))
        default: return mutation.mutated(dice.pick(links))
        }
    }

    private static let strange = [
        "myapp://auth/callback?code=%41&state=x#a=b", "https://user@App.Example.com:443/a/../callback?x=1&x=2#access_token=%zz",
        "http://[::1]:9/%2f?q", "https://app.example.com/callback/../callback?code=a", "https://app.example.com:443/callback#_=_",
        "javascript:alert(1)", "app.example.com/callback?code=a", "https://app.example.com.evil.example/callback?code=a",
        "//app.example.com/callback?token=a", "HTTPS://APP.EXAMPLE.COM/callback?error=a", "",
    ]

    private static func shown(_ link: String) -> String { String(reflecting: String(link.prefix(200))) }
}

/// Responds like an emulator until it is set to reject, and counts.
private final class Backend: HTTPTransport {
    private let recorded: RecordedResponses
    private let dice = Dice(seed: 2)
    private let state = Mutex((isOpen: true, requests: 0))

    init(_ recorded: RecordedResponses) { self.recorded = recorded }

    var requests: Int { state.withLock { $0.requests } }

    func refuseFromNowOn() { state.withLock { $0.isOpen = false } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let isOpen = state.withLock { state in
            state.requests += 1
            return state.isOpen
        }
        let answers = isOpen ? recorded.answers(to: request) : []
        return answers.isEmpty ? HTTPResponse(status: 400) : dice.pick(answers)
    }
}
