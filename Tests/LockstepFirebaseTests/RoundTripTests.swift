import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Sign-ins through an identity provider's pages.
@Suite(.limitedConcurrency)
struct RoundTripTests {
    private static let page = "https://accounts.example.com/auth?client_id=c&state=state-1&redirect_uri=x"
    private static let callback = "https://app.example.com/callback?state=state-1&code=code-1"
    private static let begun: HTTPResponse = .json(["authUri": .string(page), "sessionId": "told", "providerId": "google.com"])

    @Test func callbackIsSentUnchangedWithTheSessionOfItsFlow() async throws {
        let playback = Playback(
            Self.begun, .json(Firebase.tokens(provider: "google.com", verified: true)),
            .json(Firebase.lookup(verified: true, provider: "google.com")))
        let client = try Firebase.client(playback)
        let step = try await client.signIn(with: .oauth(.google, scopes: ["a", "b"], parameters: ["login_hint": "ada"]))
        guard case .redirect(let redirect) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(redirect.url == Self.page)
        let asked = try #require(playback.requests[0].json)
        #expect(asked["providerId"] == "google.com" && asked["continueUri"] == "https://app.example.com/callback")
        #expect(asked["oauthScope"] == "a b" && asked["customParameter"] == ["login_hint": "ada"])
        #expect(asked["authFlowType"] == "CODE_FLOW")
        let outcome = await client.handle(Self.callback)
        guard case .step(.complete(let session)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(session.user.id == "uid-1")
        let given = try #require(playback.requests[1].json)
        #expect(given["requestUri"] == .string(Self.callback) && given["sessionId"] == asked["sessionId"])
        #expect((asked["sessionId"]?.string?.count ?? 0) >= 32)
    }

    @Test(arguments: [
        "https://app.example.com/callback?state=state-2&code=code-1", "https://app.example.com/callback?state=&code=code-1",
        "https://app.example.com/callback#state=state-1&code=code-1", "https://app.example.com/callback?mode=signIn&oobCode=c",
        "https://app.example.com/callback?code=code-1",
    ])
    func callbackOfAnotherFlowSendsNothing(_ url: String) async throws {
        let playback = Playback(Self.begun)
        let client = try Firebase.client(playback)
        _ = try await client.signIn(with: .oauth(.google))
        if case .step(let step) = await client.handle(url) { Issue.record("\(step)") }
        #expect(playback.requests.count == 1)
        #expect(client.state.session == nil)
    }

    /// Firebase would read the identity from the callback.
    @Test(arguments: [
        "&providerId=google.com", "&id_token=t", "&access_token=t", "&oauth_token_secret=t", "&SAMLResponse=t", "&nonce=n",
        "&postBody=x", "#id_token=t&providerId=google.com", "#code=c", "#state=state-1",
    ])
    func callbackWithAnIdentitySendsNothing(_ addition: String) async throws {
        let playback = Playback(Self.begun)
        let client = try Firebase.client(playback)
        _ = try await client.signIn(with: .oauth(.google))
        guard case .refused(let error) = await client.handle(Self.callback + addition) else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.code == .linkInvalid && playback.requests.count == 1)
        let memory = Firebase.memory(.signIn, .oauth)
        memory[.roundTrip] = "session"
        let links = LinkVerification(api: try Firebase.adapter(playback).api)
        #expect(try await refusal { try await links.attempt(.link(Self.callback + addition), in: memory) }.code == .linkInvalid)
        #expect(playback.requests.count == 1)
    }

    @Test(arguments: ["#_=_", "#", "#utm_source=a", "&fbclid=a&fbclid=b", "&utm_term=%zz#x=y"])
    func addedParametersChangeNothing(_ addition: String) async throws {
        let playback = Playback(Self.begun, .json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)))
        let client = try Firebase.client(playback)
        _ = try await client.signIn(with: .oauth(.google))
        _ = await client.handle(Self.callback + addition)
        #expect(client.state.session?.user.id == "uid-1")
        #expect(playback.requests[1].json?["requestUri"]?.string?.contains("#") == false)
    }

    @Test func facebooksFragmentIsIgnored() async throws {
        let playback = Playback(Self.begun, .json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)))
        let client = try Firebase.client(playback)
        _ = try await client.signIn(with: .oauth(IdentityProvider(rawValue: "facebook.com")))
        _ = await client.handle(Self.callback + "#_=_")
        #expect(client.state.session?.user.id == "uid-1")
    }

    @Test func rejectedProviderCodeIsAnInvalidLink() async throws {
        let client = try Firebase.client(
            Playback(Self.begun, Firebase.refusal("INVALID_IDP_RESPONSE : Error getting verification code")))
        _ = try await client.signIn(with: .oauth(.google))
        guard case .refused(let error) = await client.handle(Self.callback) else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.code == .linkInvalid && error.remedies == [.startAgain])
    }

    @Test func linkWithoutAUserSignsNobodyIn() async throws {
        let playback = Playback()
        let memory = Firebase.memory(.linking, .emailLinkSignIn)
        memory[.email] = "ada@example.com"
        let links = LinkVerification(api: try Firebase.adapter(playback).api)
        let error = try await refusal { try await links.attempt(.link(Firebase.links + "?mode=signIn&oobCode=c"), in: memory) }
        #expect(error.code == .notSignedIn && playback.requests.isEmpty)
    }

    @Test func pageThatPostsItsResponseIsNotOpened() async throws {
        let page = "https://appleid.apple.com/auth/authorize?state=state-1&response_mode=form_post"
        let client = try Firebase.client(Playback(.json(["authUri": .string(page), "sessionId": "s"])))
        #expect(try await refusal { try await client.signIn(with: .oauth(.apple)) }.code == .unsupported)
        #expect(client.pending == nil)
    }

    @Test(arguments: ["saml.acme", "twitter.com"])
    func providerWithoutAStateIsNotUsed(_ provider: String) async throws {
        let playback = Playback()
        let client = try Firebase.client(playback)
        let error = try await refusal { try await client.signIn(with: .oauth(IdentityProvider(rawValue: provider))) }
        #expect(error.code == .unsupported && playback.requests.isEmpty)
    }

    @Test func aPageWithoutAStateIsNotOpened() async throws {
        for page in ["https://accounts.example.com/auth?state=", "https://accounts.example.com/auth", ""] {
            let client = try Firebase.client(Playback(.json(["authUri": .string(page), "sessionId": "s"])))
            #expect(try await refusal { try await client.signIn(with: .oauth(.google)) }.code == .invalidResponse)
            #expect(client.pending == nil)
        }
    }

    @Test func secondFactorIsRequiredAfterThePage() async throws {
        let pending: JSON = [
            "localId": "uid-1", "mfaPendingCredential": "p",
            "mfaInfo": [["mfaEnrollmentId": "m1", "displayName": "app", "totpInfo": [:]]],
        ]
        let client = try Firebase.client(Playback(Self.begun, .json(pending)))
        _ = try await client.signIn(with: .oauth(.google))
        guard case .step(.secondFactor) = await client.handle(Self.callback) else {
            Issue.record("no second factor")
            return
        }
        #expect(client.state.session == nil)
    }

    @Test func unverifiedAddressSignsNobodyIn() async throws {
        let client = try Firebase.client(
            Playback(Self.begun, .json(["needConfirmation": true, "localId": "x", "verifiedProvider": []])))
        _ = try await client.signIn(with: .oauth(.google))
        guard case .refused(let error) = await client.handle(Self.callback) else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == .emailAlreadyInUse)
    }

    /// Firebase returns 200 and a conflict if the user already has the identity.
    @Test(arguments: [("https://accounts.google.com/x", true), ("https://accounts.google.com/y", false), ("y", false)])
    func ownIdentityIsNotAConflict(_ federatedID: String, _ isOwn: Bool) async throws {
        let own = Firebase.lookup(verified: true, provider: "google.com")
        let member = [HTTPResponse.json(Firebase.tokens(verified: true)), .json(own)]
        let conflict: JSON = [
            "errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED", "providerId": "google.com", "federatedId": .string(federatedID),
        ]
        let playback = Playback(
            member + [.json(own), Self.begun, .json(conflict), .json(own), .json(Firebase.tokens(verified: true))])
        let client = try Firebase.client(playback)
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        _ = try await client.account.link(.oauth(.google))
        guard case .step(let step) = await client.handle(Self.callback) else {
            Issue.record("the callback is refused")
            return
        }
        let isConflict = if case .identityConflict(let step) = step { step.signInMethods == [.oauth] } else { false }
        #expect((step.session?.user.id == "uid-1") == isOwn && isConflict != isOwn)
        #expect(playback.requests[4].json?["idToken"]?.string == client.state.session?.accessToken.reveal())
    }

    @Test func customSchemeHasNoPages() throws {
        let adapter = FirebaseAdapter(
            try FirebaseConfiguration(key: "k", callback: "app://callback"), transport: Playback())
        #expect(!adapter.capabilities.contains(.oauth))
    }
}
