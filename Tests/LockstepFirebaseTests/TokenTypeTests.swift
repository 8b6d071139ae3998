import Lockstep
import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Tokens of a type that this client cannot use (RFC 6749, section 7.1).
@Suite(.limitedConcurrency)
struct TokenTypeTests {
    @Test(arguments: ["mac", "DPoP", "", "bearer2", " Bearer", 5, true, ["Bearer"]] as [JSON])
    func refreshWithAnotherTokenTypeIsReported(_ type: JSON) async throws {
        let project = try FirebaseProject()
        let client = project.client()
        let session = try #require(try await client.signIn(with: .anonymous).session)
        project.clock.advance(by: session.lifetime.life + .seconds(1))
        try project.server.panel.fail("POST", "/securetoken.googleapis.com/v1/token", with: Self.answering(["token_type": type]))
        #expect(try await refusal { try await client.accessToken() }.code == .invalidResponse)
        #expect(client.state.session?.user.id == session.user.id)
        #expect(try await !client.accessToken().isEmpty)
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func tokenTypeIgnoresCase(_ type: String) async throws {
        let project = try FirebaseProject()
        let client = project.client()
        let session = try #require(try await client.signIn(with: .anonymous).session)
        project.clock.advance(by: session.lifetime.life + .seconds(1))
        try project.server.panel.fail(
            "POST", "/securetoken.googleapis.com/v1/token", with: Self.answering(["token_type": .string(type)]))
        #expect(try await client.accessToken() != session.accessToken)
    }

    @Test(arguments: ["mac", "DPoP"])
    func signInWithAnotherTokenTypeIsReported(_ type: String) async throws {
        let project = try FirebaseProject()
        _ = try await project.client().signUp(with: project.credential)
        try project.server.panel.fail(
            "POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword",
            with: Self.answering(["token_type": .string(type)]))
        let client = project.client()
        #expect(try await refusal { try await client.signIn(with: project.credential) }.code == .invalidResponse)
        #expect(client.state.session == nil)
    }

    /// The ID token is sent in the body.
    @Test(arguments: [413, 431]) func oversizedTokenIsReportedWithItsSize(_ status: Int) async throws {
        let project = try FirebaseProject()
        let client = project.client()
        let session = try #require(try await client.signIn(with: .anonymous).session)
        try project.server.panel.fail("POST", "*accounts:lookup", with: .status(status))
        let error = try await refusal { try await client.refreshUser() }
        #expect(error.code == .invalidResponse && error.retry == .never)
        #expect(error.message.contains("its access token \(session.accessToken.reveal().utf8.count)."))
    }

    private static func answering(_ members: JSONObject) -> FaultEffect {
        .changeResponse { response in
            guard var object = (try? JSON.parse(response.body))?.object else { return response }
            for (name, value) in members { object[name] = value }
            var copy = response
            copy.body = JSON.object(object).bytes()
            return copy
        }
    }
}
