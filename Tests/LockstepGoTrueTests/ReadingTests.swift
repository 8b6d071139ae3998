import Lockstep
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

@Suite(.limitedConcurrency)
struct ReadingTests {
    /// A hook or the user's own metadata can put anything into a token.
    ///
    /// The server's user object overrides it.
    @Test func serverAnswerOverridesTokenClaims() async throws {
        let user = GoTrue.user(confirmed: false, metadata: ["email_verified": true, "role": "admin"])
        var response = try #require(GoTrue.session(user).object)
        var claims = try #require(CompactToken.unverifiedClaims(of: response["access_token"]?.string ?? ""))
        claims["role"] = "service_role"
        claims["email_verified"] = true
        response["access_token"] = .string(GoTrue.token(.object(claims)))
        let api = try GoTrue.adapter(Playback(.json(.object(response)))).api
        let step = try await PasswordSignIn(api: api).begin(
            PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1"), for: .signIn, in: GoTrue.memory())
        let session = try #require(step.session)
        #expect(session.claims["email_verified"] == true && session.claims["role"] == "service_role")
        #expect(!session.user.isEmailVerified && session.user.standing == .unverified)
        #expect(session.user.fields["role"] == "authenticated" && session.assurance == .oneFactor)
    }

    @Test func userIsMappedToPortableValues() throws {
        let user = try User(goTrue: try #require(GoTrue.user().object))
        #expect(user.email == "ada@example.com")
        #expect(user.isEmailVerified)
        #expect(user.displayName == "Ada")
        #expect(user.phone == nil)
        #expect(user.identities.map(\.id) == ["0b6a8c4e-57a0-4d4f-8a39-3f0f3d3a0a01"])
        #expect(user.identities.map(\.provider) == [.email])
        #expect(user.createdAt == Instant(milliseconds: 1_767_225_599_123))
        #expect(user.fields["app_metadata"]?["provider"]?.string == "email")
        #expect(user.standing == .verified)
    }

    @Test func ownNamePrecedesTheProviders() throws {
        let metadata: JSON = ["name": "N", "full_name": "F", "display_name": ""]
        #expect(try User(goTrue: try #require(GoTrue.user(metadata: metadata).object)).displayName == "F")
    }

    @Test func numbersGetALeadingPlus() throws {
        var object = try #require(GoTrue.user(confirmed: false).object)
        object["phone"] = "15551230000"
        object["email"] = ""
        let user = try User(goTrue: object)
        #expect(user.phone == "+15551230000")
        #expect(user.email == nil)
    }

    @Test func sessionHasItsLifetimeAndClaims() async throws {
        let playback = Playback(.json(GoTrue.session()))
        let session = try await GoTrue.adapter(playback).api.refresh("abcdefghijkl")
        #expect(session.id == "5f9f2f2e-6c3e-4f43-9c8b-0a2f8f6d2f10")
        #expect(session.lifetime.life == .seconds(3600))
        #expect(session.lifetime.serverDate == Instant(seconds: 1_767_225_600))
        #expect(session.claims["email"]?.string == "ada@example.com")
        #expect(session.assurance == .oneFactor)
        let request = try #require(playback.requests.first)
        #expect(request.path == "/token?grant_type=refresh_token")
        #expect(request.headers["apikey"] == "anon")
        #expect(request.headers["X-Supabase-Api-Version"] == "2024-01-01")
        #expect(request.headers["Authorization"] == nil)
    }

    @Test(arguments: ["access_token", "refresh_token", "expires_in", "user"])
    func incompleteSessionIsInvalid(_ part: String) async throws {
        var response = try #require(GoTrue.session().object)
        response[part] = nil
        let adapter = try GoTrue.adapter(Playback(.json(.object(response))))
        #expect(try await refusal { try await adapter.api.refresh("abcdefghijkl") }.code == .invalidResponse)
    }

    @Test func reloadRefreshesOutdatedClaims() async throws {
        let changed = GoTrue.user(metadata: ["email_verified": true, "display_name": "Countess"])
        let playback = Playback(.json(GoTrue.session()), .json(GoTrue.user()), .json(changed))
        let adapter = try GoTrue.adapter(playback)
        let session = try await adapter.api.refresh("abcdefghijkl")
        let same = try await adapter.sessions.reload(session)
        #expect(!same.lifetime.needsRefresh(on: GoTrue.clock))
        let fresh = try await adapter.sessions.reload(session)
        #expect(fresh.user.displayName == "Countess")
        #expect(fresh.lifetime.needsRefresh(on: GoTrue.clock))
    }
}
