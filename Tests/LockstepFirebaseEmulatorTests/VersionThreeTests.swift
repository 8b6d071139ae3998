import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The version 3 operations for transfers, which `firebase auth:export` and `auth:import` call.
@Suite(.limitedConcurrency)
struct VersionThreeTests {
    private static let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"

    @Test(arguments: FirebaseMode.allCases)
    func usersAreReadInPages(_ mode: FirebaseMode) async throws {
        let emulator = try TestEmulator(mode)
        let project = JSON.string(emulator.server.emulator.settings.project)
        for name in ["ada", "bob", "cleo"] { _ = try await emulator.signUp("\(name)@example.com") }
        let path = Self.legacy + "downloadAccount"
        let first = try await emulator.configure(.post, path, ["targetProjectId": project, "maxResults": 2])
        #expect(first.json["users"]?.array?.count == 2)
        let rest = try await emulator.configure(
            .post, path, ["target_project_id": project, "maxResults": 2, "nextPageToken": .string(first["nextPageToken"])])
        #expect(rest.json["users"]?.array?.count == 1 && rest.json["nextPageToken"] == nil)
    }

    @Test(arguments: FirebaseMode.allCases)
    func usersAreImported(_ mode: FirebaseMode) async throws {
        let emulator = try TestEmulator(mode)
        let project = JSON.string(emulator.server.emulator.settings.project)
        let imported = try await emulator.configure(
            .post, Self.legacy + "uploadAccount",
            ["targetProjectId": project, "users": [["localId": "user-1", "email": "ada@example.com"]]])
        #expect(imported.status == 200)
        #expect(try emulator.admin.user(id: "user-1")?.email == "ada@example.com")
    }

    /// Firebase's emulator looks the project up before it checks the credentials.
    @Test(arguments: ["downloadAccount", "uploadAccount"])
    func transferChecksItsProjectFirst(_ name: String) async throws {
        let emulator = try TestEmulator(.emulator)
        let address = emulator.server.base + Self.legacy + name
        let without = try await emulator.send(HTTPRequest(.post, address, body: .json([:])))
        #expect(without.status == 400 && without.code == "INSUFFICIENT_PERMISSION")
        let anonymous = try await emulator.send(HTTPRequest(.post, address, body: .json(["targetProjectId": "any"])))
        #expect(anonymous.status == 403)
    }
}
