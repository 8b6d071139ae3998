import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Identity providers' pages and their callbacks.
@Suite("Clerk's redirects", .limitedConcurrency)
struct RoundTripTests {
    private static let github = LockstepClerkEmulator.IdentityProvider(name: "github", issuer: "https://github.example")

    private func begin(_ client: AuthClient) async throws -> RedirectStep {
        guard case .redirect(let step) = try await client.signIn(with: .oauth(.github)) else {
            throw AuthError(.unknown, "The sign-in is no round trip.")
        }
        return step
    }

    private func outcome(_ client: AuthClient, _ url: String) async throws -> AuthStep {
        switch await client.handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs: throw AuthError(.linkInvalid, "The link is another app's.")
        }
    }

    @Test func newUserSignsInAgain() async throws {
        try await Instance.run([], { $0.providers = [Self.github] }) { instance in
            var ids: Set<String> = []
            for _ in 0..<2 {
                let client = try instance.client()
                let page = try await begin(client).url + "&sub=gh-1&email=ada@example.com&given_name=Ada"
                let step = try await outcome(client, try await instance.browse(page))
                ids.insert(try #require(step.session?.user.id))
                #expect(step.session?.user.identities.contains { $0.provider == .github } == true)
            }
            #expect(ids.count == 1)
        }
    }

    @Test func errorAtTheProviderIsReported() async throws {
        try await Instance.run([], { $0.providers = [Self.github] }) { instance in
            let client = try instance.client()
            let back = try await instance.browse(try await begin(client).url + "&error=access_denied")
            let error = try await refusal { try await outcome(client, back) }
            #expect(error.code == .providerRefused)
            #expect(error.provider?.code == "oauth_access_denied")
        }
    }

    @Test func errorWhileLinkingKeepsTheSession() async throws {
        try await Instance.run([], { $0.providers = [Self.github] }) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            guard case .redirect(let page) = try await client.account.link(.oauth(.github, scopes: ["repo"])) else {
                throw AuthError(.unknown, "Linking is no round trip.")
            }
            let error = try await refusal {
                try await outcome(client, try await instance.browse(page.url + "&error=access_denied"))
            }
            #expect(error.code == .providerRefused)
            #expect(error.provider?.code == "oauth_access_denied")
            #expect(client.state.session?.user.identities.map(\.provider) == [.email])
        }
    }

    @Test func identityIsLinkedAndUnlinkedAndBelongsToOneUser() async throws {
        let key = try SigningKey.makeRSA(id: "apple-1")
        let apple = LockstepClerkEmulator.IdentityProvider(
            name: "apple", issuer: "https://appleid.apple.com", audiences: ["com.example.app"],
            keys: JSONWebKeySet(publishing: [key]).json)
        try await Instance.run([], { $0.providers = [apple] }) { instance in
            let now = instance.server.panel.clock.now.seconds
            let token = try TokenWriter.sign(
                [
                    "iss": "https://appleid.apple.com", "aud": "com.example.app", "sub": "001", "iat": .int(now),
                    "exp": .int(now + 600),
                ], with: key)
            let credential = IDTokenCredential(provider: .apple, token: Secret(token))
            let client = try instance.client()
            let own = try #require(try await client.signIn(with: try await instance.member()).session)
            let linked = try #require(try await client.account.link(credential).session)
            #expect(linked.user.id == own.user.id)
            let identity = try #require(linked.user.identities.first { $0.provider == .apple })
            #expect(try await instance.client().signIn(with: credential).session?.user.id == own.user.id)

            let other = try instance.client()
            _ = try await other.signIn(with: try await instance.member("eve@example.com"))
            guard case .identityConflict(let conflict) = try await other.account.link(credential) else {
                Issue.record("The identity of another user was linked.")
                return
            }
            #expect(conflict.signInMethods == [.idToken])
            #expect(other.state.session?.user.id == conflict.currentUserID)

            try await client.account.unlink(identity)
            #expect(client.state.session?.user.identities.contains { $0.provider == .apple } == false)
            #expect(try await refusal { try await client.account.unlink(identity) }.code == .invalidInput)
        }
    }

    @Test func emptyCallbackEndsNoLinkFlow() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let client = try instance.client()
            _ = try await client.signIn(with: .emailLink(credential.email))
            let error = try await refusal { try await outcome(client, Instance.callback) }
            #expect(error.code == .linkInvalid)
            #expect(instance.server.panel.outbox.mails.count == 1)
            let link = try #require(instance.server.panel.outbox.mails.first?.link)
            #expect(try await outcome(client, link).session?.user.email == credential.email)
        }
    }

    @Test func linkOfAnotherDeviceAndOldLinkAreRejected() async throws {
        try await Instance.run { instance in
            let credential = try await instance.member()
            let (client, other) = (try instance.client(), try instance.client())
            _ = try await client.signIn(with: .emailLink(credential.email))
            let link = try #require(instance.server.panel.outbox.mails.first?.link)
            #expect(try await refusal { try await outcome(other, link) }.code == .flowStartedElsewhere)
            _ = try await other.signIn(with: .emailLink(credential.email))
            #expect(try await refusal { try await outcome(other, link) }.code == .flowStartedElsewhere)
            instance.advance(by: .seconds(601))
            #expect(try await refusal { try await outcome(client, link) }.code == .linkExpired)
        }
    }
}
