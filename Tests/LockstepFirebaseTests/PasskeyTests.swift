import Lockstep
import LockstepCurl
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Passkeys: the app sends the signed result of the platform's sheet.
@Suite(.limitedConcurrency)
struct PasskeyTests {
    /// The user's sheet: a key by its seed, and its signature count.
    private func sheet(_ ceremony: JSON, _ step: AuthStep, count: Int64, seed: JSON = "a") throws -> ChallengeResponse {
        let options = try #require(step.challenge?.passkeyOptions)
        return .passkey(
            SoftwarePasskey([
                "do": ceremony, "seed": seed, "challenge": options["challenge"] ?? .null, "count": .int(count),
            ]).credential)
    }

    /// A project with passkeys, and a device of a user whose address is verified.
    private func member() async throws -> (FirebaseProject, AuthClient) {
        let project = try FirebaseProject(hasPasskeys: true)
        let client = project.client()
        try project.server.emulator.admin.createUser(email: FirebaseProject.email, password: FirebaseProject.password)
        _ = try await client.signIn(with: project.credential)
        return (project, client)
    }

    /// The same, with a passkey.
    private func registered() async throws -> (FirebaseProject, AuthClient) {
        let (project, client) = try await member()
        let step = try await client.account.link(.passkey)
        #expect(step.accepts == [.passkey] && step.challenge?.channel == .passkey)
        #expect(try #require(step.challenge?.expiresAt) - project.clock.now == .seconds(60))
        _ = try await client.respond(to: try #require(step.flow), with: try sheet("create", step, count: 1))
        return (project, client)
    }

    @Test func passkeyIsAddedListedAndSignsIn() async throws {
        let (project, client) = try await registered()
        let listed = try await client.account.passkeys.all()
        #expect(listed.map(\.name) == [FirebaseProject.email])
        #expect(listed.allSatisfy { $0.createdAt == nil && $0.lastUsedAt == nil })
        let other = project.client()
        let step = try await other.signIn(with: .passkey)
        let session = try await other.respond(to: try #require(step.flow), with: try sheet("get", step, count: 2)).session
        #expect(session?.user.id == client.state.session?.user.id)
        #expect(session?.claims["firebase"]?["sign_in_provider"] == "passkey")
    }

    @Test func passkeysAreOfferedIfConfigured() async throws {
        let (project, client) = try await registered()
        #expect(project.adapter.capabilities.isSuperset(of: [.passkey, .passkeyManagement]))
        #expect(!project.adapter.capabilities.contains(.passkeyRenaming))
        let passkey = try #require(try await client.account.passkeys.all().first)
        #expect(try await refusal { try await client.account.passkeys.rename(passkey, to: "Laptop") }.code == .unsupported)
        let without = try FirebaseProject()
        #expect(without.adapter.capabilities.isDisjoint(with: [.passkey, .passkeyManagement, .passkeyRenaming]))
    }

    @Test func disabledPasskeysAreReported() async throws {
        let (project, client) = try await registered()
        try project.server.emulator.admin.change { $0.methods.remove(.passkey) }
        #expect(try await refusal { try await project.client().signIn(with: .passkey) }.code == .notEnabled)
        #expect(try await refusal { try await client.account.link(.passkey) }.code == .notEnabled)
        #expect(client.state.session != nil)
    }

    /// In Google's format.
    ///
    /// A page that is not from Firebase says nothing about the project.
    @Test(arguments: [
        (
            HTTPResponse.json(404, ["error": ["code": 404, "message": "Not Found", "status": "NOT_FOUND"]]),
            AuthError.Code.notEnabled
        ),
        (HTTPResponse(status: 404, body: Array("<html>".utf8)), .invalidResponse),
        (Firebase.refusal("OPERATION_NOT_ALLOWED"), .notEnabled),
        (.json(["credentialRequestOptions": ["rpId": "app.example.com"]]), .invalidResponse),
        (.json(["credentialRequestOptions": ["challenge": "?"]]), .invalidResponse),
    ])
    func missingChallengeIsAnError(_ answer: HTTPResponse, _ code: AuthError.Code) async throws {
        let client = try Firebase.client(Playback([answer])) { $0.hasPasskeys = true }
        #expect(try await refusal { try await client.signIn(with: .passkey) }.code == code)
    }

    @Test(arguments: [.int(.max), .int(.min), -1, 0, .double(1e300), .int(100_000_000_000_000), "soon", nil] as [JSON])
    func challengeExpiryIsBounded(_ timeout: JSON) async throws {
        let options: JSON = ["credentialRequestOptions": ["challenge": "YWJj", "timeout": timeout]]
        let client = try Firebase.client(Playback([.json(options)])) { $0.hasPasskeys = true }
        let end = try #require(try await client.signIn(with: .passkey).challenge).expiresAt
        let isTold = timeout.int.map { $0 > 0 } ?? false
        #expect(end == (isTold ? Firebase.clock.now + .seconds(30 * 24 * 3600) : nil))
    }

    /// The sheet reads base64url and shows a name.
    ///
    /// Firebase accepts only the members that it knows.
    @Test func optionsAndResultAreConverted() async throws {
        let options: JSON = [
            "credentialCreationOptions": [
                "rp": ["id": "app.example.com"], "user": ["id": "dWlkLTE="], "challenge": "+/+/", "timeout": 60000,
            ]
        ]
        let done = Firebase.tokens(provider: "passkey", verified: true)
        let finished: JSON = ["localId": "uid-1", "idToken": done["idToken"] ?? .null, "refreshToken": "r"]
        let playback = Playback([
            .json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)), .json(options), .json(finished),
            .json(Firebase.lookup(verified: true)),
        ])
        let client = try Firebase.client(playback) { $0.hasPasskeys = true }
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        let step = try await client.account.link(.passkey)
        let given = try #require(step.challenge?.passkeyOptions)
        #expect(given["challenge"] == "-_-_")
        #expect(given["user"] == ["id": "dWlkLTE", "name": "ada@example.com", "displayName": "ada@example.com"])
        #expect(given["rp"] == ["id": "app.example.com"])
        #expect(given["timeout"] == 60000)
        #expect(step.challenge?.expiresAt == Firebase.clock.now + .seconds(60))

        let made = try sheet("create", step, count: 1)
        _ = try await client.respond(to: try #require(step.flow), with: made)
        let sent = try #require(playback.requests[3].json)
        #expect(playback.requests[2].url.hasSuffix("/v2/accounts/passkeyEnrollment:start"))
        #expect(playback.requests[3].url.hasSuffix("/v2/accounts/passkeyEnrollment:finalize"))
        guard case .passkey(let credential) = made else { return }
        var response: JSONObject = [:]
        for name in ["clientDataJSON", "attestationObject"] { response[name] = credential["response"]?[name] }
        let expected: JSONObject = ["id": credential["id"] ?? .null, "response": .object(response)]
        #expect(sent["authenticatorRegistrationResponse"] == .object(expected))
        #expect(sent["name"] == "ada@example.com")
    }

    @Test func assertionOfAnotherFlowIsNotSent() async throws {
        let challenge: (String) -> HTTPResponse = { .json(["credentialRequestOptions": ["challenge": .string($0)]]) }
        let playback = Playback([challenge("YWJj"), challenge("ZGVm")])
        let client = try Firebase.client(playback) { $0.hasPasskeys = true }
        let first = try await client.signIn(with: .passkey)
        let second = try await client.signIn(with: .passkey)
        let signed = try sheet("get", first, count: 1)
        let error = try await refusal { try await client.respond(to: try #require(second.flow), with: signed) }
        #expect(error.code == .invalidCredentials && error.remedies == [.startAgain])
        for incomplete: JSON in ["text", [:], ["id": "YWJj"], ["id": "YWJj", "response": ["clientDataJSON": "e30"]]] {
            let error = try await refusal {
                try await client.respond(to: try #require(second.flow), with: .passkey(incomplete))
            }
            #expect(error.code == .invalidInput)
        }
        #expect(playback.requests.count == 2)
    }

    @Test func addedPasskeyIsFoundAfterALostResponse() async throws {
        let (project, client) = try await member()
        let step = try await client.account.link(.passkey)
        let flow = try #require(step.flow)
        let made = try sheet("create", step, count: 1)
        try project.server.panel.fail(next: 1, "POST", "*passkeyEnrollment:finalize", with: .loseResponse)
        #expect(try await refusal { try await client.respond(to: flow, with: made) }.code == .network)
        #expect(try await client.respond(to: flow, with: made).session != nil)
        #expect(try await client.account.passkeys.all().count == 1)
        // Nothing was lost here: the key belongs to an account.
        let again = try await client.account.link(.passkey)
        let same = try sheet("create", again, count: 2)
        let error = try await refusal { try await client.respond(to: try #require(again.flow), with: same) }
        #expect(error.code == .identityAlreadyInUse)
    }

    @Test func signInRestartsAfterALostResponse() async throws {
        let (project, _) = try await registered()
        let other = project.client()
        let step = try await other.signIn(with: .passkey)
        let signed = try sheet("get", step, count: 2)
        try project.server.panel.fail(next: 1, "POST", "*passkeySignIn:finalize", with: .loseResponse)
        #expect(try await refusal { try await other.respond(to: try #require(step.flow), with: signed) }.code == .network)
        let error = try await refusal { try await other.respond(to: try #require(step.flow), with: signed) }
        #expect(error.code == .codeUsed && error.remedies == [.startAgain])
        let next = try await other.signIn(with: .passkey)
        let end = try await other.respond(to: try #require(next.flow), with: try sheet("get", next, count: 3))
        #expect(end.session != nil)
    }

    /// The tokens are there, so the same result continues without a second verification.
    @Test func unreadableUserIsReadAgain() async throws {
        let (project, _) = try await registered()
        let other = project.client()
        let step = try await other.signIn(with: .passkey)
        let signed = try sheet("get", step, count: 2)
        try project.server.panel.fail(next: 1, "POST", "*accounts:lookup", with: .close)
        #expect(try await refusal { try await other.respond(to: try #require(step.flow), with: signed) }.code == .network)
        #expect(try await other.respond(to: try #require(step.flow), with: signed).session != nil)
    }

    @Test func removedPasskeyRenewsNoSignIn() async throws {
        let (project, client) = try await registered()
        #expect(client.account.reauthenticationMethods.contains(.passkey))
        let passkey = try #require(try await client.account.passkeys.all().first)
        try await client.account.passkeys.remove(passkey)
        #expect(try await client.account.passkeys.all().isEmpty)
        #expect(!client.account.reauthenticationMethods.contains(.passkey))
        #expect(try await refusal { try await client.account.passkeys.remove(passkey) }.code == .invalidInput)
        let other = project.client()
        let step = try await other.signIn(with: .passkey)
        let signed = try sheet("get", step, count: 2)
        let error = try await refusal { try await other.respond(to: try #require(step.flow), with: signed) }
        #expect(error.code == .invalidCredentials)
    }

    @Test func passkeyRenewsASignIn() async throws {
        let (project, client) = try await registered()
        let before = try #require(client.state.session?.signedInAt)
        project.clock.advance(by: .seconds(600))
        let step = try await client.account.reauthenticate(with: .passkey)
        let end = try await client.respond(to: try #require(step.flow), with: try sheet("get", step, count: 2))
        #expect(try #require(end.session?.signedInAt) - before == .seconds(600))
    }

    /// A passkey belongs to the tenant of its user, and the project itself does not know it.
    @Test func tenantHasSeparatePasskeys() async throws {
        let project = try FirebaseProject(tenant: "shop-a1b2c", hasPasskeys: true)
        let client = project.client()
        _ = try await client.signUp(with: project.credential)
        try await project.tap(try project.link())
        _ = try await client.refreshUser()
        let step = try await client.account.link(.passkey)
        _ = try await client.respond(to: try #require(step.flow), with: try sheet("create", step, count: 1))
        let other = project.client()
        let own = try await other.signIn(with: .passkey)
        let session = try await other.respond(to: try #require(own.flow), with: try sheet("get", own, count: 2)).session
        #expect(session?.claims["firebase"]?["tenant"] == "shop-a1b2c")

        var configuration = try FirebaseConfiguration(url: project.server.base, key: "fake-api-key")
        configuration.hasPasskeys = true
        let stranger = AuthClient(
            adapter: FirebaseAdapter(configuration, transport: CurlTransport(), clock: project.clock),
            store: MemorySessionStore(clock: project.clock),
            effects: ClientEffects(clock: project.clock, randomness: SystemRandomness()))
        let begun = try await stranger.signIn(with: .passkey)
        let signed = try sheet("get", begun, count: 3)
        let error = try await refusal { try await stranger.respond(to: try #require(begun.flow), with: signed) }
        #expect(error.code == .invalidCredentials)
    }

    @Test func passkeySignInDoesNotDiscardAGuest() async throws {
        let project = try FirebaseProject(hasPasskeys: true)
        let client = project.client()
        _ = try await client.signIn(with: .anonymous)
        #expect(try await refusal { try await client.signIn(with: .passkey) }.code == .anonymousUserWouldBeLost)
        #expect(client.state.session?.user.isAnonymous == true)
    }
}
