import Lockstep
import LockstepEmulatorTestSupport
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepClerk

@Suite(.limitedConcurrency)
struct CallbackTests {
    private func read(_ url: String) throws -> CallbackContent {
        try Clerk.adapter(Playback()).callbacks.read(try Callback(url))
    }

    @Test(arguments: [
        "https://example.com/?flow_id=a&approval_token=b", "app://auth/other?rotating_token_nonce=a",
        "other://auth/callback?flow_id=a&approval_token=b", "app://auth/callback/x?flow_id=a&approval_token=b",
    ])
    func rejectsForeignLinks(_ url: String) throws {
        guard case .notOurs = try read(url) else {
            Issue.record("\(url) was taken")
            return
        }
    }

    @Test(arguments: [
        "?flow_id=a&approval_token=b", "?rotating_token_nonce=a", "?created_session_id=sess_1&state=x", "", "#_=_", "#", "?utm=1",
        "?fbclid=x#_=_",
    ])
    func recognizesCallbacks(_ tail: String) throws {
        guard case .proof(let kinds, _) = try read("app://auth/callback" + tail) else {
            Issue.record("\(tail) is no proof")
            return
        }
        #expect(kinds.contains(.signIn))
    }

    @Test(arguments: [
        ("?error=access_denied&error_description=no", AuthError.Code.providerRefused), ("?clerk_error=x", .providerRefused),
        ("?flow_id=a", .linkInvalid), ("?approval_token=a", .linkInvalid), ("?code=abc", .linkInvalid),
        ("#access_token=abc", .linkInvalid),
        ("?__clerk_status=verified&__clerk_created_session=sess_1", .linkUsed), ("?__clerk_status=complete", .emailAlreadyInUse),
        ("?__clerk_status=expired", .linkExpired), ("?__clerk_status=failed", .linkInvalid),
        ("?__clerk_status=client_mismatch", .flowStartedElsewhere), ("?__clerk_status=transferable", .userNotFound),
        ("?__clerk_status=brand_new&__clerk_ticket=x", .linkInvalid), ("?__clerk_status=sign_up", .linkInvalid),
        ("?__clerk_ticket=x", .linkInvalid),
    ])
    func refusalsAreMapped(_ tail: String, _ expected: AuthError.Code) throws {
        guard case .refusal(let error) = try read("app://auth/callback" + tail) else {
            Issue.record("\(tail) was not refused")
            return
        }
        #expect(error.code == expected)
    }

    @Test(arguments: ["sign_up", "sign_in"])
    func ticketLinkNeedsNoFlowOfThisDevice(_ status: String) throws {
        let url = "app://auth/callback?__clerk_ticket=abc&__clerk_status=\(status)&utm_source=mail#_=_"
        guard case .proof(let kinds, _) = try read(url) else {
            Issue.record("the ticket is no proof")
            return
        }
        #expect(kinds.isEmpty)
    }

    @Test func withoutACallbackURLNoLinkIsRecognized() throws {
        let adapter = try Clerk.adapter(Playback(), callback: nil)
        guard case .notOurs = adapter.callbacks.read(try Callback("app://auth/callback?flow_id=a&approval_token=b")) else {
            Issue.record("A link was taken.")
            return
        }
    }

    @Test func linkOfAnotherDeviceIsRejectedUnsent() async throws {
        let playback = Playback()
        let strategy = LinkVerification(api: try Clerk.adapter(playback).api)
        for link in [
            "app://auth/callback?flow_id=a&approval_token=b", "app://auth/callback", "app://auth/callback?created_session_id=x",
        ] {
            let error = try await refusal { try await strategy.attempt(.link(link), in: Clerk.memory()) }
            #expect([.flowStartedElsewhere, .linkInvalid].contains(error.code))
        }
        #expect(playback.requests.isEmpty)
    }
}
