import Lockstep
import LockstepCurl
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Users whose custom claims have the names of the user's own values.
@Suite(.limitedConcurrency)
struct OverriddenClaimTests {
    @Test(arguments: [("name", "Somebody"), ("picture", "https://example.com/other")])
    func overriddenClaimCausesNoRefreshAtReload(_ claim: String, _ value: String) async throws {
        let project = try FirebaseProject()
        let client = project.client()
        try project.server.emulator.admin.createUser(email: FirebaseProject.email, password: FirebaseProject.password)
        _ = try await client.signIn(with: project.credential)
        let session = try #require(client.state.session)
        let custom = JSON.object([claim: .string(value)]).text()
        try await project.override(custom, of: session.user.id)
        project.clock.advance(by: session.lifetime.life + .seconds(1))
        _ = try await client.accessToken()
        #expect(client.state.session?.claims[claim] == .string(value))
        _ = try await client.refreshUser()
        let token = try await client.accessToken()
        for _ in 0..<3 {
            project.clock.advance(by: .seconds(2))
            _ = try await client.refreshUser()
            #expect(try await client.accessToken() == token)
        }
    }
}

extension FirebaseProject {
    /// Sets a user's custom claims like the Admin SDK.
    fileprivate func override(_ claims: String, of id: String) async throws {
        let body: JSON = ["localId": .string(id), "customAttributes": .string(claims)]
        let response = try await CurlTransport().send(
            HTTPRequest(
                .post,
                server.base + "/identitytoolkit.googleapis.com/v1/projects/\(server.emulator.settings.project)/accounts:update",
                headers: ["Authorization": "Bearer owner"], body: .json(body)))
        #expect(response.status == 200)
    }
}
