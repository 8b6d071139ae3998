import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepCurl
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Synchronization
import Testing

/// Links of mails whose response was lost, and callbacks with added parameters.
@Suite("Clerk's links", .limitedConcurrency)
struct LinkJourneyTests {
    private static let github = LockstepClerkEmulator.IdentityProvider(name: "github", issuer: "https://github.example")

    /// A new user returns to the bare address, to which Facebook adds a fragment.
    @Test(arguments: ["#_=_", "#", "?utm_source=a&utm_source=b", "?fbclid=%zz#_=_", "/"])
    func callbackWithAdditionsCreatesAUser(_ addition: String) async throws {
        try await Instance.run([], { $0.providers = [Self.github] }) { instance in
            let client = try instance.client()
            guard case .redirect(let step) = try await client.signIn(with: .oauth(.github)) else {
                Issue.record("The sign-in is no round trip.")
                return
            }
            let back = try await instance.browse(step.url + "&sub=gh-1&email=ada@example.com&given_name=Ada")
            #expect(back == Instance.callback)
            guard case .step(let next) = await client.handle(back + addition) else {
                Issue.record("\(addition) is refused")
                return
            }
            #expect(next.session?.user.email == "ada@example.com")
        }
    }

    /// The app is opened at its bare address while the page is open, and afterwards by the page.
    @Test func earlyBareCallbackDecidesNothing() async throws {
        try await Instance.run([], { $0.providers = [Self.github] }) { instance in
            let client = try instance.client()
            guard case .redirect(let step) = try await client.signIn(with: .oauth(.github)) else {
                Issue.record("The sign-in is no round trip.")
                return
            }
            guard case .refused(let error) = await client.handle(Instance.callback) else {
                Issue.record("The bare address is taken.")
                return
            }
            #expect(error.code == .notConfirmedYet)
            let back = try await instance.browse(step.url + "&sub=gh-1&email=ada@example.com&given_name=Ada")
            guard case .step(let next) = await client.handle(back) else {
                Issue.record("The page's callback is refused.")
                return
            }
            #expect(next.session?.user.email == "ada@example.com")
        }
    }

    /// The process ends after the backend has sent the mail, and before it reads the response.
    @Test func mailOfAKilledRequestBelongsToThisDevice() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let store = MemorySessionStore(clock: instance.clock)
            let outcome = Mutex<CallbackOutcome?>(nil)
            let killed = AfterPreparing(base: CurlTransport()) {
                guard let link = instance.server.panel.outbox.mails.first?.link, let relaunched = try? instance.client(store)
                else { return }
                let result = await relaunched.handle(link)
                outcome.withLock { $0 = result }
            }
            let adapter = ClerkAdapter(
                try ClerkConfiguration(
                    url: instance.server.base, key: instance.server.emulator.publishableKey,
                    callback: Instance.callback), transport: killed, clock: instance.clock)
            let client = AuthClient(
                adapter: adapter, store: store,
                effects: ClientEffects(clock: instance.clock, randomness: SystemRandomness()))
            _ = try? await client.signIn(with: .emailLink(credential.email))
            guard case .step(let step)? = outcome.withLock({ $0 }) else {
                Issue.record("The link leads to \(String(describing: outcome.withLock { $0 })).")
                return
            }
            #expect(step.session?.user.email == credential.email)
        }
    }
}

/// A transport that calls a function after the backend has sent a mail, before the caller gets the response.
private struct AfterPreparing: HTTPTransport {
    let base: CurlTransport
    let body: @Sendable () async -> Void

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let response = try await base.send(request)
        if request.url.contains("/prepare_first_factor") { await body() }
        return response
    }
}
