import Foundation
import Lockstep
import LockstepPrimitives
import LockstepSQLite
import LockstepSQLiteStore
import LockstepSystem
import Testing

/// Damage to the database by other users or a failing disk.
@Suite("An SQLite database in a shared folder")
struct IntrusionTests {
    private static let key = StoreKey(provider: "test", backend: "http://127.0.0.1:1", slot: .session)

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func code(_ body: () async throws(StoreError) -> Void) async -> StoreError.Code? {
        do throws(StoreError) {
            try await body()
            return nil
        } catch { return error.code }
    }

    @Test func permissionsOfAllFilesAreTightened() async throws {
        try await inFolder { folder in
            try await SQLiteSessionDatabase(directory: folder).store(for: "ada").replace(
                Self.key, with: [1], unlessChangedSince: nil)
            let database = "\(folder)/sessions.sqlite"
            try setMode(0o664, database)
            let store = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
            let value = try await store.load(Self.key)
            #expect(value?.bytes == [1])
            try await store.replace(Self.key, with: [2], unlessChangedSince: value?.revision)
            #expect(try Folder.names(folder).contains("sessions.sqlite-wal"))
            for name in try Folder.names(folder) { #expect(try mode("\(folder)/\(name)") == 0o600, "\(name)") }
        }
    }

    @Test func worldWritableFileIsRejectedAndKept() async throws {
        try await inFolder { folder in
            try await SQLiteSessionDatabase(directory: folder).store(for: "ada").replace(
                Self.key, with: [1], unlessChangedSince: nil)
            try setMode(0o666, "\(folder)/sessions.sqlite")
            let store = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
            let refused = await code { () throws(StoreError) in _ = try await store.load(Self.key) }
            #expect(refused == .unreadable)
            try setMode(0o600, "\(folder)/sessions.sqlite")
            let value = try await store.load(Self.key)
            #expect(value?.bytes == [1])
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: ["-wal", "-shm", "-journal"])
    func linkOrPipeNextToTheDatabaseIsRejected(_ end: String) async throws {
        try await inFolder { folder in
            let path = "\(folder)/sessions.sqlite\(end)"
            #expect(try await ChildProcess.run("mkfifo", [path]).status == 0)
            let store = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
            let pipe = await code { () throws(StoreError) in _ = try await store.load(Self.key) }
            #expect(pipe == .unreadable)
            try AtomicFile.remove(path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(folder)/elsewhere")
            let link = await code { () throws(StoreError) in _ = try await store.load(Self.key) }
            #expect(link == .unreadable)
            #expect(try !Folder.names(folder).contains("elsewhere"))
            try AtomicFile.remove(path)
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        }
    }

    @Test func emptyDatabaseIsDamage() async throws {
        for content in [[], nil] as [[UInt8]?] {
            try await inFolder { folder in
                let path = "\(folder)/sessions.sqlite"
                if let content {
                    try AtomicFile.replace(path, with: content)
                } else {
                    var connection = try SQLiteConnection(.file(path))
                    try connection.script("CREATE TABLE other (a)")
                }
                let store = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
                let first = await code { () throws(StoreError) in _ = try await store.load(Self.key) }
                #expect(first == .corrupt)
                let next = try await store.load(Self.key)
                #expect(next == nil)
            }
        }
    }

    /// A damaged page can hide rows.
    ///
    /// A user whose row must exist is not treated as signed out.
    @Test func missingRowIsDamage() async throws {
        try await inFolder { folder in
            let store = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
            for change in [
                "DELETE FROM sessions", "UPDATE sessions SET owner = 'adb'", "UPDATE sessions SET bytes = x'02'",
                "UPDATE sessions SET revision = 'another'", "UPDATE sessions SET digest = x''",
            ] {
                try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
                do {
                    var connection = try SQLiteConnection(.file("\(folder)/sessions.sqlite"))
                    try connection.script(change)
                }
                let told = await code { () throws(StoreError) in _ = try await store.load(Self.key) }
                #expect(told == .corrupt, "\(change)")
                let next = try await store.load(Self.key)
                #expect(next == nil)
            }
        }
    }
}
