import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepClerk

@Suite(.limitedConcurrency)
struct FlowTests {
    private static let page: JSON = [
        "response": [
            "id": "sia_1", "first_factor_verification": ["external_verification_redirect_url": "https://idp.example.com/a"],
        ]
    ]

    @Test func twoOAuthParametersAreSent() async throws {
        let playback = Playback(.json(Self.page))
        let credential = try OAuthCredential(
            provider: .github, parameters: ["prompt": "select_account", "login_hint": "a+b&strategy=x@example.com"]
        ).normalized()
        _ = try await OAuthSignIn(api: Clerk.adapter(playback).api).begin(credential, for: .signIn, in: Clerk.memory())
        let form = try #require(Percent.decodeForm(playback.requests.first?.form ?? ""))
        #expect(form.map(\.name) == ["strategy", "redirect_url", "oidc_login_hint", "oidc_prompt"])
        #expect(form.first { $0.name == "oidc_login_hint" }?.value == "a+b&strategy=x@example.com")
    }

    @Test(arguments: [
        OAuthCredential(provider: .github, scopes: ["repo"]),
        OAuthCredential(provider: .github, parameters: ["hd": "example.com"]),
    ])
    func unsupportedOAuthOptionsAreRejectedUnsent(_ credential: OAuthCredential) async throws {
        let playback = Playback()
        let api = try Clerk.adapter(playback).api
        do throws(AuthError) {
            _ = try await OAuthSignIn(api: api).begin(credential, for: .signIn, in: Clerk.memory())
            Issue.record("It was taken.")
        } catch {
            #expect(error.code == .unsupported)
        }
        #expect(playback.requests.isEmpty)
    }

    private let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")

    @Test func clientTokenIsStoredEvenAfterAnError() async throws {
        let playback = Playback(Clerk.refusal(422, "form_password_incorrect"), try Self.signedIn())
        let api = try Clerk.adapter(playback).api
        let memory = FlowMemory(
            of: Flow(id: "f", kind: .signIn, capability: .password, startedAt: Clerk.clock.now), device: ["client": "client-1"])
        #expect(
            try await refusal { try await PasswordSignIn(api: api).begin(credential, for: .signIn, in: memory) }.code
                == .invalidCredentials)
        _ = try await PasswordSignIn(api: api).begin(credential, for: .signIn, in: memory)
        #expect(playback.requests.map { $0.headers["Authorization"] } == ["client-1", "client-1"])
        #expect(memory[device: "client"] == "client-2")
    }

    @Test(arguments: ["session_exists", "identifier_already_signed_in", "client_not_found", "authentication_invalid"])
    func rejectedClientIsReplacedByANewOne(_ code: String) async throws {
        let playback = Playback(Clerk.refusal(400, code), try Self.signedIn())
        let memory = FlowMemory(
            of: Flow(id: "f", kind: .signIn, capability: .password, startedAt: Clerk.clock.now), device: ["client": "client-1"])
        let step = try await PasswordSignIn(api: Clerk.adapter(playback).api).begin(credential, for: .signIn, in: memory)
        #expect(step.session != nil)
        #expect(playback.requests.map { $0.headers["Authorization"] } == ["client-1", nil])
    }

    @Test func outdatedTokenInAResponseIsNotUsed() async throws {
        let answer = HTTPResponse.json(
            200, try Clerk.recorded("clerk_auth.sign_in.sign_in_with_password", 2), date: "Thu, 01 Jan 2026 00:00:30 GMT")
        let minted = HTTPResponse.json(["object": "token", "jwt": .string(Clerk.token)])
        let playback = Playback(answer, minted)
        _ = try await PasswordSignIn(api: Clerk.adapter(playback).api).begin(credential, for: .signIn, in: Clerk.memory())
        #expect(playback.requests.map(\.path).last == "/v1/client/sessions/SESSION_ID/tokens")
    }

    @Test func pendingSignUpIsContinued() async throws {
        let name = "clerk_auth.sign_up.sign_up_with_email_and_phone_code"
        let signUp = HTTPResponse.json(try Clerk.recorded(name, 2))
        let playback = Playback(
            signUp, signUp, Clerk.refusal(422, "form_identifier_not_found"), signUp,
            Clerk.refusal(429, "verification_code_too_many_requests"))
        let api = try Clerk.adapter(playback).api
        let memory = Clerk.memory()
        _ = try await PasswordSignIn(api: api).begin(credential, for: .signUp(SignUpProfile()), in: memory)
        let device = try #require(memory[device: "signUp"])
        let later = FlowMemory(
            of: Flow(id: "g", kind: .signIn, capability: .password, startedAt: Clerk.clock.now),
            device: ["client": "client-2", "signUp": device])
        let step = try await PasswordSignIn(api: api).begin(credential, for: .signIn, in: later)
        #expect(step.challenge?.flow.kind == .confirmation)
        #expect(playback.requests[3].method == .patch)
        #expect(playback.requests[3].form == "password=Correct-Horse-1")
        // The recent code is still valid: Clerk sends no other within 30 seconds.
        #expect(step.challenge?.accepts == [.code])
    }

    @Test func signUpOfAnotherAddressIsNotContinued() async throws {
        let playback = Playback(Clerk.refusal(422, "form_identifier_not_found"))
        let memory = FlowMemory(
            of: Flow(id: "g", kind: .signIn, capability: .password, startedAt: Clerk.clock.now),
            device: ["client": "client-2", "signUp": "sua_1 eve@example.com"])
        let error = try await refusal {
            try await PasswordSignIn(api: Clerk.adapter(playback).api).begin(credential, for: .signIn, in: memory)
        }
        #expect(error.code == .userNotFound)
        #expect(playback.requests.count == 1)
    }

    @Test func signUpUnknownToClerkIsDiscarded() async throws {
        let playback = Playback(Clerk.refusal(422, "form_identifier_not_found"), Clerk.refusal(404, "resource_not_found"))
        let memory = FlowMemory(
            of: Flow(id: "g", kind: .signIn, capability: .password, startedAt: Clerk.clock.now),
            device: ["client": "client-2", "signUp": "sua_1 ada@example.com"])
        let error = try await refusal {
            try await PasswordSignIn(api: Clerk.adapter(playback).api).begin(credential, for: .signIn, in: memory)
        }
        #expect(error.code == .userNotFound)
        #expect(memory[device: "signUp"] == nil)
    }

    @Test func linkIsExchangedWithItsVerifier() async throws {
        let discovered: JSON = [
            "response": [
                "id": "sia_1", "status": "needs_first_factor",
                "supported_first_factors": [
                    ["strategy": "email_link", "email_address_id": "idn_1", "safe_identifier": "ada@example.com"]
                ],
            ], "client": .null,
        ]
        let playback = Playback(
            .json(discovered), .json(discovered), .json(["flow_id": "f_1", "ticket": "tick"]), try Self.signedIn())
        let api = try Clerk.adapter(playback).api
        let memory = Clerk.memory(.signIn, .emailLinkSignIn)
        let step = try await EmailLinkSignIn(api: api).begin(
            EmailLinkCredential(email: "ada@example.com"), for: .signIn, in: memory)
        #expect(step.challenge?.accepts == [.link])
        #expect(playback.requests[1].form.contains("redirect_uri=app%3A%2F%2Fauth%2Fcallback&code_challenge="))
        let verifier = try #require(memory[.verifier]).reveal()
        let end = try await LinkVerification(api: api).attempt(
            .link("app://auth/callback?flow_id=f_1&approval_token=tok"), in: memory)
        #expect(end.session != nil)
        #expect(playback.requests[2].form == "flow_id=f_1&approval_token=tok&code_verifier=\(verifier)")
        #expect(playback.requests[3].form == "strategy=ticket&ticket=tick")
        #expect((43...128).contains(verifier.count))
    }

    @Test func unknownIdentityBecomesASignUp() async throws {
        let unknown: JSON = [
            "response": ["id": "sia_1", "status": "needs_identifier", "first_factor_verification": ["status": "transferable"]],
            "client": .null,
        ]
        let playback = Playback(.json(unknown), .json(try Self.signedUp()))
        let step = try await IDTokenSignIn(api: Clerk.adapter(playback).api).begin(
            IDTokenCredential(provider: .apple, token: "t"), for: .signIn, in: Clerk.memory(.signIn, .idToken))
        #expect(step.session != nil)
        #expect(playback.requests.map(\.form) == ["strategy=oauth_token_apple&token=t", "transfer=true"])
    }

    @Test func unknownGoogleTokenIsRetriedAsASignUp() async throws {
        let playback = Playback(Clerk.refusal(404, "external_account_not_found"), .json(try Self.signedUp()))
        _ = try await IDTokenSignIn(api: Clerk.adapter(playback).api).begin(
            IDTokenCredential(provider: .google, token: "t"), for: .signIn, in: Clerk.memory(.signIn, .idToken))
        #expect(playback.requests.map(\.path) == ["/v1/client/sign_ins", "/v1/client/sign_ups"])
        #expect(playback.requests[1].form == "strategy=google_one_tap&token=t")
    }

    private static func signedIn() throws -> HTTPResponse {
        .json(try Clerk.recorded("clerk_auth.sign_in.sign_in_with_password", 2))
    }

    /// The same session, created by a sign-up.
    private static func signedUp() throws -> JSON {
        let answer = try Clerk.recorded("clerk_auth.sign_in.sign_in_with_password", 2)
        return [
            "response": ["id": "sua_1", "status": "complete", "created_session_id": "SESSION_ID"],
            "client": answer["client"] ?? .null,
        ]
    }
}
