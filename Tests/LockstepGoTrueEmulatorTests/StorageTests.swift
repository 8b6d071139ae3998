import Foundation
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct StorageTests {
    /// Cases: I08.
    @Test func usersAndSessionsOutliveTheServer() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gotrue-\(SystemRandomness().uuid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try Stage(storage: .folder(folder.path))
        try first.sideDoor.createUser(email: "ada@example.com", password: "Correct-Horse-1")
        let session = try await first.signIn("ada@example.com")
        first.server.stop()
        let second = try Stage(storage: .folder(folder.path))
        #expect(try await second.get("/user", bearer: session["access_token"]).status == 200)
        let body = try await second.post("/token?grant_type=refresh_token", ["refresh_token": .string(session["refresh_token"])])
        #expect(body.status == 200)
    }
}
