import Lockstep
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrue

/// GoTrue's own fields and calls, in addition to the portable ones.
@Suite(.limitedConcurrency)
struct FieldTests {
    @Test func userHasItsGoTrueFields() throws {
        let factors: JSON = [
            [
                "id": "f1", "status": "unverified", "factor_type": "phone", "phone": "15551230000",
                "created_at": "2026-01-01T00:00:00Z", "last_challenged_at": .null,
            ]
        ]
        var object = try #require(GoTrue.user(factors: factors).object)
        object["new_email"] = "grace@example.com"
        object["last_sign_in_at"] = "2026-01-01T01:00:00+01:00"
        let user = try User(goTrue: object).goTrue
        #expect(user.appMetadata["providers"]?.array?.compactMap(\.string) == ["email"])
        #expect(user.userMetadata["display_name"]?.string == "Ada")
        #expect(user.identities.map(\.id) == ["0b6a8c4e-57a0-4d4f-8a39-3f0f3d3a0a01"])
        #expect(user.identities.first?.providerID == object["id"]?.string)
        #expect(user.factors.first?.phone == "+15551230000")
        #expect(user.factors.first?.isVerified == false)
        #expect(user.newEmail == "grace@example.com")
        #expect(user.emailConfirmedAt == Instant(milliseconds: 1_767_225_600_500))
        #expect(user.lastSignInAt == Instant(seconds: 1_767_225_600))
        #expect(user.bannedUntil == nil)
    }

    @Test func sessionHasItsGoTrueFields() async throws {
        let session = try await GoTrue.adapter(Playback(.json(GoTrue.session()))).api.refresh("abcdefghijkl").goTrue
        #expect(session.assuranceLevel == "aal1")
        #expect(session.methods.map(\.name) == ["password"])
        #expect(session.methods.first?.at == Instant(seconds: 1_767_225_600))
        #expect(session.role == "authenticated")
        #expect(session.appMetadata["provider"]?.string == "email")
    }

    @Test func customRequestSendsTheBearerToken() async throws {
        let project = try Project()
        try project.ada()
        let session = try await project.session()
        let response = try await project.adapter.request(.get, "/user", as: session)
        #expect(try JSON.parse(response.body)["id"]?.string == session.user.id)
        let refused = try await refusal { try await project.adapter.request(.get, "/user") }
        #expect(refused.provider?.code == "no_authorization")
        let data: JSONObject = ["data": ["colour": "green"]]
        let shown = String(describing: try await project.adapter.request(.put, "/user", body: data, as: session))
        #expect(!shown.contains(session.accessToken.reveal()))
    }

    @Test(arguments: [
        "user", "@example.com/user", "/user?x=1", "/../admin", "/user#x", "//evil.example/user", "/user/../../x",
        "/user%2f..%2fadmin", "/%2e%2e/admin", "/\\evil.example", "",
    ])
    func unsafePathIsRejectedUnsent(_ path: String) async throws {
        let playback = Playback()
        let adapter = try GoTrue.adapter(playback)
        #expect(try await refusal { try await adapter.request(.get, path) }.code == .invalidInput)
        #expect(playback.requests.isEmpty)
    }
}
