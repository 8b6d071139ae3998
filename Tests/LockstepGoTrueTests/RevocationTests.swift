import Lockstep
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepGoTrue

/// Ending a session, also long after its access token has expired.
@Suite(.limitedConcurrency)
struct RevocationTests {
    @Test(arguments: [Duration.zero, .seconds(3601), .seconds(5 * 86_400)])
    func endsTheSessionWithAnOldAccessToken(_ age: Duration) async throws {
        let project = try Project()
        let id = try project.ada()
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        project.advance(by: age)
        #expect(try project.admin.countSessions(of: id) == 1)
        try await client.signOut()
        #expect(try project.admin.countSessions(of: id) == 0)
    }

    @Test func endsOtherSessionsWithAnExpiredAccessToken() async throws {
        let project = try Project()
        let id = try project.ada()
        _ = try await project.session()
        let client = project.client()
        _ = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        project.advance(by: .seconds(3601))
        try await client.signOut(.others)
        #expect(try project.admin.countSessions(of: id) == 1)
        project.advance(by: .seconds(3601))
        try await client.signOut(.everywhere)
        #expect(try project.admin.countSessions(of: id) == 0)
    }

    /// The refresh token is still valid: the client gets another access token and ends the session with it.
    @Test func tokenRejectedByTheServerIsRenewed() async throws {
        let playback = Playback(
            .json(GoTrue.session()), .json(403, ["code": "bad_jwt", "message": "invalid JWT"]),
            .json(GoTrue.session(refresh: "mnopqrstuvwx")), HTTPResponse(status: 204))
        let clock = GoTrue.clock
        let client = AuthClient(
            adapter: try GoTrue.adapter(playback), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SeededRandomness(seed: 1)))
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        try await client.signOut()
        let paths = playback.requests.map(\.path)
        #expect(
            paths.suffix(3) == ["/logout?scope=local", "/token?grant_type=refresh_token", "/logout?scope=local"])
    }

    @Test func expiredTokenIsNotSent() async throws {
        let project = try Project()
        try project.ada()
        let session = try await project.session()
        project.advance(by: .seconds(3601))
        let error = try await refusal { try await project.adapter.sessions.revoke(session, scope: .local) }
        #expect(error.code == .accessTokenRefused)
        #expect(error.provider == nil)
    }

    @Test func endedSessionCanBeEndedAgain() async throws {
        let project = try Project()
        let id = try project.ada()
        let session = try await project.session()
        try project.admin.revokeSessions(of: id)
        try await project.adapter.sessions.revoke(session, scope: .local)
        try project.admin.deleteUser(id)
        try await project.adapter.sessions.revoke(session, scope: .local)
    }

    /// The client never reports that the user's other sessions have ended if they have not.
    @Test func endedSessionCannotEndOthers() async throws {
        let playback = Playback(
            .json(GoTrue.session()), .json(403, ["code": "session_not_found", "message": "x"]),
            .json(403, ["code": "user_not_found", "message": "x"]))
        let adapter = try GoTrue.adapter(playback)
        let session = try await adapter.api.refresh("abcdefghijkl")
        let error = try await refusal { try await adapter.sessions.revoke(session, scope: .everywhere) }
        #expect(error.code == .sessionRevoked)
        try await adapter.sessions.revoke(session, scope: .everywhere)
        #expect(playback.requests.last?.path == "/logout?scope=global")
    }

    @Test func errorResponseEndsNothing() async throws {
        let playback = Playback(.json(GoTrue.session()), HTTPResponse(status: 502))
        let adapter = try GoTrue.adapter(playback)
        let session = try await adapter.api.refresh("abcdefghijkl")
        #expect(
            try await refusal { try await adapter.sessions.revoke(session, scope: .local) }.code == .serverUnavailable)
    }
}
