import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

@Suite(.limitedConcurrency)
struct CallbackTests {
    private static let code = "5f9f2f2e-6c3e-4f43-9c8b-0a2f8f6d2f10"

    private func read(_ url: String) throws -> CallbackContent {
        try GoTrue.adapter(Playback()).callbacks.read(try Callback(url))
    }

    @Test(arguments: [
        "https://example.com/?code=\(code)", "app://auth/other?code=\(code)", "app://auth/callback/x?code=\(code)",
        "other://auth/callback?code=\(code)", "app://auth/callback", "app://auth/callback?utm=1",
    ])
    func rejectsForeignLinks(_ url: String) throws {
        guard case .notOurs = try read(url) else {
            Issue.record("\(url) was taken")
            return
        }
    }

    @Test(arguments: [
        ("?code=\(code)", Flow.Kind.confirmation), ("?code=\(code)#", .passwordReset),
        ("?token_hash=abc&type=signup", .confirmation),
        ("?token_hash=abc&type=recovery", .passwordReset), ("?token_hash=abc&type=email_change", .emailChange),
        ("?message=Confirmation+link+accepted#message=Confirmation+link+accepted&sb=", .emailChange),
    ])
    func recognizesCallbacks(_ tail: String, _ kind: Flow.Kind) throws {
        guard case .proof(let kinds, _) = try read("app://auth/callback" + tail) else {
            Issue.record("\(tail) is no proof")
            return
        }
        #expect(kinds.contains(kind))
    }

    @Test(arguments: [
        (
            "?error=access_denied&error_code=otp_expired&error_description=x#error=access_denied&error_code=otp_expired&error_description=x",
            AuthError.Code.linkExpired
        ),
        ("#error=access_denied&error_code=otp_expired&error_description=x&sb=", .linkExpired),
        ("?error=access_denied&error_description=The+user+said+no", .providerRefused),
        ("?error=invalid_request&error_code=flow_state_already_used&error_description=x", .linkUsed),
        ("?error=invalid_request&error_code=bad_oauth_state", .linkInvalid),
        ("?error=server_error&error_code=identity_already_exists", .identityAlreadyInUse),
        ("?error=access_denied&error_code=signup_disabled", .signUpDisabled), ("?error=brand_new", .providerRefused),
        ("#access_token=eyJ&refresh_token=x&type=signup", .linkInvalid), ("?code=short", .linkInvalid),
        ("#code=\(code)", .linkInvalid),
    ])
    func refusalsAreMapped(_ tail: String, _ expected: AuthError.Code) throws {
        guard case .refusal(let error) = try read("app://auth/callback" + tail) else {
            Issue.record("\(tail) was not refused")
            return
        }
        #expect(error.code == expected)
    }

    /// The server writes its texts in query and fragment, and escapes them twice in the fragment.
    @Test(arguments: ["external code%3A abc", "100%25", "a%26b%3Dc", "don%27t", "%C3%A9t%C3%A9"])
    func doubleEscapedErrorsAreRead(_ words: String) throws {
        let words = words.replacing(" ", with: "+")
        let twice = words.replacing("%", with: "%25")
        let error = "error=server_error&error_description="
        guard case .refusal(let refusal) = try read("app://auth/callback?\(error)\(words)#\(error)\(twice)&sb=") else {
            Issue.record("it is no refusal")
            return
        }
        #expect(refusal.code == .providerRefused && refusal.provider?.message == Percent.decode(words, plusIsSpace: true))
    }

    @Test func invitationNeedsNoFlowOfThisDevice() throws {
        guard case .proof(let kinds, _) = try read("app://auth/callback?token_hash=abc&type=invite") else {
            Issue.record("it is no proof")
            return
        }
        #expect(kinds.isEmpty)
    }

    @Test func linkOfAnotherDeviceIsRejectedUnsent() async throws {
        let playback = Playback()
        let strategy = LinkVerification(api: try GoTrue.adapter(playback).api)
        let error = try await refusal {
            try await strategy.attempt(.link("app://auth/callback?code=\(Self.code)"), in: GoTrue.memory(.confirmation))
        }
        #expect(error.code == .flowStartedElsewhere)
        #expect(playback.requests.isEmpty)
    }

    @Test func hashLinkOfAnotherAddressSignsNobodyIn() async throws {
        let other = GoTrue.user(email: "eve@example.com")
        let playback = Playback(.json([:]), .json(GoTrue.session(other)), HTTPResponse(status: 204))
        let adapter = try GoTrue.adapter(playback)
        let memory = GoTrue.memory()
        _ = try await adapter.api.sendSignInMail("ada@example.com", in: memory)
        let error = try await refusal {
            try await LinkVerification(api: adapter.api).attempt(
                .link("app://auth/callback?token_hash=abc&type=magiclink"), in: memory)
        }
        #expect(error.code == .linkInvalid)
        #expect(playback.requests.last?.path == "/logout?scope=local")
    }
}
