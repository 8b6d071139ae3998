import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Custom tokens as tickets.
@Suite(.limitedConcurrency)
struct TicketTests {
    @Test func userIsReadFromTheToken() async throws {
        var tokens = try #require(Firebase.tokens(provider: "custom", verified: true).object)
        tokens["localId"] = nil
        let playback = Playback(.json(.object(tokens)), .json(Firebase.lookup(verified: true)))
        let adapter = try Firebase.adapter(playback)
        let step = try await TicketSignIn(api: adapter.api).begin(
            .ticket("custom-token"), for: .signIn, in: Firebase.memory(.signIn, .ticket))
        let session = try #require(step.session)
        #expect(session.user.id == "uid-1")
        #expect(playback.requests[0].json == ["token": "custom-token", "returnSecureToken": true])
        #expect(adapter.reauthentication?.ways(for: session).contains(.ticket) == true)
    }

    @Test(arguments: [
        "INVALID_CUSTOM_TOKEN : Invalid assertion format", "CREDENTIAL_MISMATCH", "INVALID_CUSTOM_TOKEN : custom-token-1234567",
    ])
    func invalidTicketIsRejectedAndNotQuoted(_ message: String) async throws {
        let adapter = try Firebase.adapter(Playback(Firebase.refusal(message)))
        let error = try await refusal {
            try await TicketSignIn(api: adapter.api).begin(
                .ticket("custom-token-1234567"), for: .signIn, in: Firebase.memory(.signIn, .ticket))
        }
        #expect(error.code == .invalidCredentials)
        #expect(!"\(error) \(String(reflecting: error.provider))".contains("custom-token-1234567"))
    }

    private static let session = Session(
        provider: "firebase", user: User(id: "uid-1"), accessToken: "a", refreshToken: "r",
        lifetime: TokenLifetime(life: .seconds(60), clock: Firebase.clock))

    /// Firebase would create an account for an unknown id.
    @Test func reauthenticationRejectsATicketOfAnotherUser() async throws {
        let playback = Playback(
            .json(Firebase.tokens(provider: "custom", verified: true)), .json(Firebase.lookup(verified: true)))
        let strategy = TicketSignIn(api: try Firebase.adapter(playback).api)
        func ticket(_ user: String) -> TicketCredential {
            let parts = [JSON.object(["alg": "RS256"]), ["uid": .string(user)]].map { Base64.encode($0.bytes(), .url) }
            return .ticket(Secret(parts.joined(separator: ".") + ".c2ln"))
        }
        let memory = Firebase.memory(.reauthentication, .ticket)
        let error = try await refusal {
            try await strategy.begin(ticket("uid-2"), for: .reauthenticate(Self.session), in: memory)
        }
        #expect(error.code == .userMismatch && playback.requests.isEmpty)
        let step = try await strategy.begin(ticket("uid-1"), for: .reauthenticate(Self.session), in: memory)
        #expect(step.session?.user.id == "uid-1")
    }

    @Test func unknownIdentityRenewsNoSignIn() async throws {
        let playback = Playback(Firebase.refusal("USER_NOT_FOUND"))
        let strategy = IDTokenSignIn(api: try Firebase.adapter(playback).api)
        let error = try await refusal {
            try await strategy.begin(
                .idToken(.apple, token: "a.b.c"), for: .reauthenticate(Self.session),
                in: Firebase.memory(.reauthentication, .idToken))
        }
        #expect(error.code == .userMismatch && playback.requests[0].json?["autoCreate"] == false)
    }

    @Test func ticketCannotBeLinked() throws {
        let strategy = TicketSignIn(api: try Firebase.adapter(Playback()).api)
        #expect(strategy.supports(.signIn) && strategy.supports(.signUp(SignUpProfile())))
        let session = Self.session
        #expect(!strategy.supports(.link(to: session)) && strategy.supports(.reauthenticate(session)))
    }
}
