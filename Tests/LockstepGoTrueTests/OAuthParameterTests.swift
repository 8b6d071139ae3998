import Lockstep
import LockstepEmulatorTestSupport
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepGoTrue

/// Parameters that an app adds to an identity provider's page.
@Suite(.limitedConcurrency)
struct OAuthParameterTests {
    private func client() throws -> (AuthClient, Playback) {
        let playback = Playback()
        let client = AuthClient(
            adapter: try GoTrue.adapter(playback), store: MemorySessionStore(clock: GoTrue.clock),
            effects: ClientEffects(clock: GoTrue.clock, randomness: SeededRandomness(seed: 1)))
        return (client, playback)
    }

    @Test func parametersAreOnlyEncoded() async throws {
        let (client, playback) = try client()
        let hint = "a+b&state=x=y#z ü@example.com"
        let step = try await client.signIn(
            with: .oauth(
                .github, scopes: ["repo", "gist&client_id=x"],
                parameters: ["login_hint": hint, "a&b": "1", "prompt": "none"]))
        guard case .redirect(let page) = step else {
            Issue.record("The step is \(step)")
            return
        }
        let query = try #require(page.url.split(separator: "?", maxSplits: 1).last)
        let pairs = try #require(Percent.decodeForm(query))
        #expect(!page.url.contains("#"))
        #expect(
            pairs.map(\.name).sorted() == [
                "a&b", "code_challenge", "code_challenge_method", "login_hint", "prompt", "provider", "redirect_to", "scopes",
            ])
        #expect(pairs.first { $0.name == "login_hint" }?.value == hint)
        #expect(pairs.first { $0.name == "scopes" }?.value == "repo gist&client_id=x")
        #expect(playback.requests.isEmpty)
    }

    /// The server would forward them in place of its own.
    @Test(arguments: [
        "state", "STATE", "client_id", "redirect_uri", "redirect_to", "response_type", "response_mode", "code_challenge",
        "code_challenge_method", "scope", "scopes", "provider", "request", "request_uri", "skip_http_redirect", "invite_token",
        "",
    ])
    func reservedParametersAreRejected(_ name: String) async throws {
        let (client, playback) = try client()
        let error = try await refusal { try await client.signIn(with: .oauth(.github, parameters: [name: "x"])) }
        #expect(error.code == .invalidInput)
        #expect(playback.requests.isEmpty)
        #expect(client.pending == nil)
    }
}
