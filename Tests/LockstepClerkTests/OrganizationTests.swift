import Lockstep
import LockstepClerk
import LockstepClerkEmulator
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// The active organization of a session, and the ways in which it ends.
///
/// Also the photo, which Clerk serves.
@Suite("Clerk's organizations", .limitedConcurrency)
struct OrganizationTests {
    private static let organizations: [(name: String, value: String)] = [("ORGANIZATIONS", "true")]

    private func organization(_ name: String, of client: AuthClient, _ instance: Instance, role: String = "org:member")
        async throws
        -> Organization
    {
        let user = try #require(client.state.session?.user.id)
        let id = try #require(try await instance.backend(.post, "/organizations", ["name": .string(name)])["id"]?.string)
        try await instance.backend(
            .post, "/organizations/\(id)/memberships", ["user_id": .string(user), "role": .string(role)])
        return Organization(id: id, name: name, role: role)
    }

    @Test func tokenNamesTheOrganizationAndTheRole() async throws {
        try await Instance.run(Self.organizations) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let own = try await organization("Analytical Engines", of: client, instance, role: "org:admin")
            #expect(try await client.account.organizations.all() == [own])
            var seen = client.states.makeAsyncIterator()
            _ = await seen.next()
            try await client.account.organizations.activate(own)
            // A screen that shows the organization is notified, although the user is the same.
            #expect(await seen.next()?.session?.organizationID == own.id)
            #expect(client.state.session?.claims["o"]?["rol"]?.string == "admin")
        }
    }

    /// Clerk's refresh token stays the same.
    ///
    /// So only the access token decides which of two responses is newer.
    @Test func pendingRefreshDoesNotUndoTheSwitch() async throws {
        try await Instance.run(Self.organizations) { instance in
            let origin: WebOrigin = "https://api.example.com"
            let client = try instance.client(options: AuthClient.Options(apiOrigins: [origin]))
            _ = try await client.signIn(with: try await instance.member())
            let own = try await organization("Analytical Engines", of: client, instance)
            // A second later, so that a new token differs. The app's server rejects the valid token.
            instance.advance(by: .seconds(1))
            let hold = try instance.server.panel.fail(next: 1, "POST", "*/tokens*", with: .holdResponse)
            let late = Task {
                try await client.authorized(AppRequest(url: origin.description + "/orders")) { _ in
                    AppResponse(status: 401, content: 0)
                }
            }
            await hold.waitUntilTriggered()
            instance.advance(by: .seconds(1))
            let seen = try instance.server.panel.fail(next: 1, "POST", "*/tokens*", with: .delay(.zero))
            let switching = Task { try await client.account.organizations.activate(own) }
            await seen.waitUntilTriggered()
            hold.release()
            _ = try await late.value
            try await switching.value
            #expect(client.state.session?.organizationID == own.id)
            _ = try await client.accessToken()
            #expect(client.state.session?.organizationID == own.id)
        }
    }

    @Test func lostSwitchResponseIsResolvedByTheNextToken() async throws {
        try await Instance.run(Self.organizations) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let own = try await organization("Analytical Engines", of: client, instance)
            try instance.server.panel.fail(next: 1, "POST", "*/touch*", with: .loseResponse)
            try await client.account.organizations.activate(own)
            #expect(client.state.session?.organizationID == own.id)
            // If the request did not arrive, nothing is switched, and the call reports this.
            try instance.server.panel.fail(next: 1, "POST", "*/touch*", with: .close)
            #expect(try await refusal { try await client.account.organizations.activate(nil) }.code == .network)
            #expect(client.state.session?.organizationID == own.id)
        }
    }

    @Test func failedTokenAfterASwitchIsReplacedByTheNext() async throws {
        try await Instance.run(Self.organizations) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let own = try await organization("Analytical Engines", of: client, instance)
            try instance.server.panel.fail(next: 1, "POST", "*/tokens*", with: .close)
            try await client.account.organizations.activate(own)
            _ = try await client.accessToken()
            #expect(client.state.session?.organizationID == own.id)
        }
    }

    @Test func activeOrganizationEndsWithTheMembership() async throws {
        try await Instance.run(Self.organizations) { instance in
            let store = MemorySessionStore(clock: instance.clock)
            let client = try instance.client(store)
            _ = try await client.signIn(with: try await instance.member())
            let user = try #require(client.state.session?.user.id)
            let own = try await organization("Analytical Engines", of: client, instance)
            try await client.account.organizations.activate(own)
            _ = try await instance.transport.send(
                HTTPRequest(
                    .delete, instance.server.base + "/v1/organizations/\(own.id)/memberships/\(user)",
                    headers: ["Authorization": "Bearer " + instance.server.emulator.secretKey.reveal()]))
            instance.advance(by: .seconds(61))
            let relaunched = try instance.client(store)
            await relaunched.restore()
            _ = try await relaunched.accessToken()
            #expect(relaunched.state.session?.user.id == user)
            #expect(relaunched.state.session?.organizationID == nil)
            #expect(try await refusal { try await relaunched.account.organizations.activate(own) }.code == .invalidInput)
        }
    }

    @Test func organizationsBeyondOnePageAreListed() async throws {
        try await Instance.run(Self.organizations) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            for number in 0..<101 { _ = try await organization("Number \(number)", of: client, instance) }
            #expect(Set(try await client.account.organizations.all().map(\.id)).count == 101)
        }
    }

    @Test func instanceCanRequireAnActiveOrganization() async throws {
        try await Instance.run(Self.organizations) { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            let own = try await organization("Analytical Engines", of: client, instance)
            try await client.account.organizations.activate(own)
            instance.admin.change { $0.organizations.isSelectionForced = true }
            #expect(try await refusal { try await client.account.organizations.activate(nil) }.code == .notEnabled)
            #expect(client.state.session?.organizationID == own.id)
        }
    }

    @Test func missingOrganizationsAreReported() async throws {
        try await Instance.run { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            #expect(try await client.account.organizations.all().isEmpty)
            let none = Organization(id: "org_none", name: "None")
            #expect(try await refusal { try await client.account.organizations.activate(none) }.code == .notEnabled)
        }
    }

    @Test func photoIsServedUnchanged() async throws {
        try await Instance.run { instance in
            let client = try instance.client()
            _ = try await client.signIn(with: try await instance.member())
            // A file can contain the separator of a multipart form.
            let bytes = [0x89, 0x50, 0x4E, 0x47] + Array("\r\n--lockstep\r\n\r\n--".utf8)
            let url = try #require(try await client.account.setPhoto(Photo(bytes, type: "image/png")).photoURL)
            let served = try await instance.transport.send(HTTPRequest(.get, url))
            #expect(served.body == bytes)
            #expect(try await client.account.setPhoto(nil).photoURL == nil)
            #expect(try await client.account.setPhoto(nil).photoURL == nil)
            let text = Photo(Array("text".utf8), type: "image/png")
            #expect(try await refusal { try await client.account.setPhoto(text) }.code == .invalidInput)
        }
    }
}
