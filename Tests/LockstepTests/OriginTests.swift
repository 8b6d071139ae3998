import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepTestSupport
import Testing

@Suite("Origins")
struct OriginTests {
    @Test(arguments: [
        ("https://api.example.com", "https://api.example.com"), ("HTTPS://API.Example.com:443/", "https://api.example.com"),
        ("https://api.example.com:8443", "https://api.example.com:8443"), ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://localhost:3000/", "http://localhost:3000"), ("http://[::1]:9/", "http://[::1]:9"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
    ])
    func originsAreParsed(address: String, origin: String) throws {
        #expect(try WebOrigin(address).description == origin)
        #expect(try WebOrigin(address) == WebOrigin(origin))
    }

    @Test(arguments: [
        "", "api.example.com", "//api.example.com", "https:", "https://", "https:///x", "https:api.example.com",
        "http://api.example.com",
        "http://127.1", "http://0x7f.0.0.1", "http://2130706433", "http://127.0.0.1.example.com", "http://127.0.0.01",
        "https://user@api.example.com", "https://:@api.example.com", "https://api.example.com.", "https://api..example.com",
        "https://.example.com", "https://api.example.com\\", "https://api\\.example.com", "https://bücher.example",
        "https://api.example.com:", "https://api.example.com:0", "https://api.example.com:65536", "https://api.example.com:+443",
        "https://api.example.com:443:443", "https://api%2eexample.com", "https://api.example.com /", "https://api.example.com\n",
        "https://api.example.com\0", "ftp://api.example.com", "javascript://api.example.com", "https://[::1", "https://[]",
        "https://[api]", "https://a,b", "https://*.example.com", "https://api.example.com/v1", "https://api.example.com?x",
        "https://api.example.com#x",
    ])
    func invalidOriginsAreRejected(address: String) {
        let error = #expect(throws: AuthError.self) { try WebOrigin(address) }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test func literalIsAnOrigin() async throws {
        let origins: Set<WebOrigin> = ["https://api.example.com", "HTTPS://API.Example.com:443/"]
        #expect(origins == [try WebOrigin(String("https://api.example.com"))])
        await #expect(processExitsWith: .failure) {
            let origin: WebOrigin = "http://api.example.com"
            print(origin)
        }
    }

    @Test func unlistedOriginIsNamedInTheError() async throws {
        let client = AuthClient(
            adapter: InMemoryAdapter(backend: InMemoryBackend()), store: MemorySessionStore(),
            effects: ClientEffects(clock: FixedClock(), randomness: SystemRandomness()))
        do {
            _ = try await client.authorized(AppRequest(url: "https://u:pw@api.example.com/")) { _ in
                AppResponse(status: 200, content: 0)
            }
            Issue.record("a user in the address was taken")
        } catch let error as AuthError {
            #expect(error.code == .invalidInput)
            #expect(!"\(error)".contains("pw"))
        }
        do {
            _ = try await client.authorized(AppRequest(url: "https://api.example.com/a?b")) { _ in
                AppResponse(status: 200, content: 0)
            }
            Issue.record("an origin that is not listed was taken")
        } catch let error as AuthError {
            #expect(error.code == .invalidConfiguration)
            #expect(error.message.contains("\"https://api.example.com\""))
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript://example.com/%0aalert(1)", "file:///etc/passwd", "data:text/html,<script>",
        "myapp://x",
        "intent://x#Intent;scheme=https;end", "http://example.com/", "https:example.com", "https://", "//example.com", "",
        "https://example.com\\@evil.example", "https://good.example@evil.example/", " https://example.com",
        "https://example.com/\nx",
        "https://éxample.com/", "blob:https://example.com/x", "vbscript:x", "about:blank",
    ])
    func unsafePagesAreRejected(page: String) async throws {
        let client = AuthClient(
            adapter: PageAdapter(page: page), store: MemorySessionStore(),
            effects: ClientEffects(clock: FixedClock(), randomness: SystemRandomness()))
        let error = await #expect(throws: AuthError.self) { try await client.signIn(with: .oauth(.github)) }
        #expect(error?.code == .invalidResponse)
        #expect(client.pending == nil)
    }

    @Test(arguments: [
        "https://id.example.com/authorize?state=a#b", "http://127.0.0.1:9099/page", "http://localhost/x", "http://[::1]:1/",
    ])
    func securePagesAreReturned(page: String) async throws {
        let client = AuthClient(
            adapter: PageAdapter(page: page), store: MemorySessionStore(),
            effects: ClientEffects(clock: FixedClock(), randomness: SystemRandomness()))
        guard case .redirect(let step) = try await client.signIn(with: .oauth(.github)) else {
            Issue.record("no page came")
            return
        }
        #expect(step.url == page)
    }
}

/// An adapter whose backend returns a page of its choice.
private struct PageAdapter: AuthAdapter {
    let base = InMemoryAdapter(backend: InMemoryBackend())
    let page: String

    var name: String { base.name }
    var backend: String { base.backend }
    var signIn: SignInStrategies { PageStrategy(page: page) }
    var verification: [any VerificationStrategy] { base.verification }
    var sessions: any SessionAuthority { base.sessions }
    var callbacks: any CallbackReading { base.callbacks }
}

private struct PageStrategy: SignInStrategy {
    let page: String

    func begin(_ credential: OAuthCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        .redirect(RedirectStep(flow: flow.flow, url: page))
    }
}
