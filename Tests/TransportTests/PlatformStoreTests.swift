import Foundation
import Lockstep
import LockstepGoTrueEmulator
import LockstepStoreHarnesses
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepPlatform

/// The client with the platform's store and transport.
@Suite("Platform defaults", .limitedConcurrency)
struct PlatformStoreTests {
    #if !canImport(Darwin)
    @Test func userIsStillSignedInAfterRestart() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try GoTrueEmulator.start(try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")]))
        defer { server.stop() }
        let id = try server.emulator.admin.createUser(email: "ada@example.com", password: "Correct-Horse-1").id
        let words = WorkerProcess.command("platform")
        func launch(_ arguments: String...) async throws -> String {
            let outcome = try await ChildProcess.run(
                words[0], Array(words.dropFirst()) + arguments,
                environment: ["XDG_STATE_HOME": folder + "/state", "HOME": "/nowhere"])
            return String(decoding: outcome.output + outcome.errors, as: UTF8.self)
        }
        let key = server.emulator.anonKey
        #expect(try await launch("sign-in", server.base, key, "ada@example.com", "Correct-Horse-1") == "signed in as \(id)\n")
        #expect(try await launch("restore", server.base, key) == "signed in as \(id)\n")
        let status = try #require(try FileStatus(of: folder + "/state/lockstep-tests/lockstep"))
        #expect(status.kind == .folder && status.mode & 0o077 == 0)
    }

    @Test func clientReportsFolderThatCannotBeCreated() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try AtomicFile.replace(folder + "/state", with: [])
        let words = WorkerProcess.command("platform")
        let outcome = try await ChildProcess.run(
            words[0], Array(words.dropFirst()) + ["restore", "http://127.0.0.1:9", "key"],
            environment: ["XDG_STATE_HOME": folder + "/state"])
        let errors = String(decoding: outcome.errors, as: UTF8.self)
        #expect(outcome.status != 0 && errors.contains("\(folder)/state") && errors.contains("unwritable"), "\(errors)")
    }
    #endif

    @Test(arguments: [
        (["XDG_STATE_HOME": "/state", "HOME": "/home/ada"], "/state/orders/lockstep"),
        (["HOME": "/home/ada"], "/home/ada/.local/state/orders/lockstep"),
        (["XDG_STATE_HOME": "", "HOME": "/home/ada"], "/home/ada/.local/state/orders/lockstep"),
        (["XDG_STATE_HOME": "relative", "HOME": "/home/ada"], "/home/ada/.local/state/orders/lockstep"),
    ])
    func folderFollowsBaseDirectories(_ variables: [String: String], _ folder: String) throws {
        #expect(try PlatformStore.folder(app: "orders", variables: { variables[$0] }) == folder)
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "ada", "XDG_STATE_HOME": "state"]])
    func rejectsMissingHome(_ variables: [String: String]) {
        let error = #expect(throws: StoreError.self) { try PlatformStore.folder(app: "orders", variables: { variables[$0] }) }
        #expect(error?.code == .unwritable && error?.message.contains("XDG_STATE_HOME") == true)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a\nb", String(repeating: "a", count: 129)])
    func rejectsNameThatCannotNameFolder(_ app: String) {
        let error = #expect(throws: StoreError.self) { try PlatformStore.folder(app: app, variables: { _ in "/home" }) }
        #expect(error?.code == .unwritable)
    }
}
