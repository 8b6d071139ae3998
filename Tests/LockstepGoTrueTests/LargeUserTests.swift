import Lockstep
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

/// Users whose metadata is as large as a hostile or careless backend can make it.
@Suite(.timeLimit(.minutes(10)), .limitedConcurrency)
struct LargeUserTests {
    /// Responses of `/token` and `/user` with this many members in the user's metadata, in the identity's copy, and in the
    /// claims.
    private func enlarge(_ project: Project, to count: Int) throws {
        let metadata = JSON.object(JSONObject((0..<count).map { ("k\($0)", .string("\($0)")) }))
        for path in ["/token", "/user"] {
            try project.server.panel.fail(
                next: 100, nil, path,
                with: .changeResponse { response in
                    guard var object = (try? JSON.parse(response.body))?.object else { return response }
                    var user = object["user"]?.object ?? object
                    user["user_metadata"] = metadata
                    user["identities"] = [["provider": "email", "id": "1", "identity_id": "1", "identity_data": metadata]]
                    if let token = object["access_token"]?.string, var claims = CompactToken.unverifiedClaims(of: token) {
                        claims["user_metadata"] = metadata
                        var parts = token.split(separator: ".").map(String.init)
                        parts[1] = Base64.encode(JSON.object(claims).bytes(), .url)
                        object["access_token"] = .string(parts.joined(separator: "."))
                        object["user"] = .object(user)
                    } else {
                        object = user
                    }
                    var copy = response
                    copy.body = JSON.object(object).bytes()
                    return copy
                })
        }
    }

    @Test func aUserWithManyMembersSignsIn() async throws {
        let project = try Project()
        try project.ada()
        try enlarge(project, to: 60_000)
        let client = project.client()
        let step = try await client.signIn(with: .password(email: Project.email, password: Project.password))
        #expect(step.session?.user.metadata?.count == 60_000)
        #expect(client.state.session?.user.metadata?["k59999"] == "59999")
        #expect(step.session?.user == client.state.session?.user)
    }

    @Test func oversizedUserIsInvalid() async throws {
        let project = try Project()
        try project.ada()
        try enlarge(project, to: 120_000)
        let client = project.client()
        let error = try await refusal {
            try await client.signIn(with: .password(email: Project.email, password: Project.password))
        }
        #expect(error.code == .invalidResponse)
        #expect(client.state.session == nil)
    }
}
