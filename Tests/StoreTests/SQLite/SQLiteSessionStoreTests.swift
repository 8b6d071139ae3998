import Lockstep
import LockstepPrimitives
import LockstepSQLite
import LockstepSQLiteStore
import LockstepSystem
import Testing

@Suite("The store in SQLite")
struct SQLiteSessionStoreTests {
    private static let key = StoreKey(provider: "test", backend: "http://127.0.0.1:1", slot: .session)

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        try await body(folder)
    }

    @Test(arguments: [true, false])
    func folderWithOtherFilesKeepsItsPermissions(_ isEmpty: Bool) async throws {
        try await inFolder { folder in
            if !isEmpty { try AtomicFile.replace("\(folder)/notes.txt", with: [1]) }
            #expect(try await ChildProcess.run("chmod", ["757", folder]).status == 0)
            #expect(throws: StoreError.self) { try SQLiteSessionDatabase(directory: folder) }
            #expect(try FileStatus(of: folder)?.mode == 0o757)
        }
    }

    @Test func aFileURLNamesItsFolder() async throws {
        try await inFolder { folder in
            let store = try SQLiteSessionDatabase(directory: "file://\(folder)").store(for: "ada")
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            #expect(try Folder.names(folder).contains("sessions.sqlite"))
            #expect(throws: StoreError.self) { try SQLiteSessionDatabase(directory: "https://example.com/x") }
        }
    }

    @Test func aFileThatIsNotADatabaseIsReportedOnceAndKept() async throws {
        try await inFolder { folder in
            let rubbish = [UInt8](repeating: 7, count: 5000)
            try AtomicFile.replace("\(folder)/sessions.sqlite", with: rubbish)
            let store = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
            let other = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
            do throws(StoreError) {
                _ = try await store.load(Self.key)
                Issue.record("it was read")
            } catch { #expect(error.code == .corrupt, "\(error)") }
            let left = try await other.load(Self.key)
            #expect(left == nil, "it is reported once")
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            let kept = try #require(try Folder.names(folder).first { $0.contains(".corrupt-") })
            #expect(try AtomicFile.read("\(folder)/\(kept)") == rubbish)
        }
    }

    @Test func storeWithAMovedFileWritesToTheNewOne() async throws {
        try await inFolder { folder in
            let store = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
            let revision = try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            for name in try Folder.names(folder) where name.hasPrefix("sessions.sqlite") {
                try AtomicFile.rename("\(folder)/\(name)", to: "\(folder)/moved-\(name)")
            }
            do throws(StoreError) {
                try await store.replace(Self.key, with: [2], unlessChangedSince: revision)
                Issue.record("it wrote to the file that was moved")
            } catch { #expect(error.code == .conflict, "\(error)") }
            try await store.replace(Self.key, with: [3], unlessChangedSince: nil)
            let loaded = try await SQLiteSessionDatabase(directory: folder).store(for: "ada").load(Self.key)
            #expect(loaded?.bytes == [3])
        }
    }

    @Test func databaseOfANewerVersionIsKept() async throws {
        try await inFolder { folder in
            try await SQLiteSessionDatabase(directory: folder).store(for: "ada").replace(
                Self.key, with: [1], unlessChangedSince: nil)
            var connection = try SQLiteConnection(.file("\(folder)/sessions.sqlite"))
            try connection.script("PRAGMA user_version = 99")
            do throws(StoreError) {
                _ = try await SQLiteSessionDatabase(directory: folder).store(for: "ada").load(Self.key)
                Issue.record("it was read")
            } catch { #expect(error.code == .unreadable, "\(error)") }
            #expect(try Folder.names(folder).allSatisfy { !$0.contains(".corrupt-") })
        }
    }

    @Test func lockedDatabaseIsReportedAsBusy() async throws {
        try await inFolder { folder in
            let store = try SQLiteSessionDatabase(directory: folder, busyTimeout: .milliseconds(20)).store(for: "ada")
            let revision = try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            var connection = try SQLiteConnection(.file("\(folder)/sessions.sqlite"))
            try connection.script("BEGIN IMMEDIATE")
            let loaded = try await store.load(Self.key)
            #expect(loaded?.bytes == [1], "a writer does not hinder readers")
            do throws(StoreError) {
                try await store.replace(Self.key, with: [2], unlessChangedSince: revision)
                Issue.record("it wrote")
            } catch { #expect(error.code == .busy, "\(error)") }
            try connection.script("ROLLBACK")
            try await store.replace(Self.key, with: [2], unlessChangedSince: revision)
        }
    }

    @Test func newestEightQuarantinedValuesAreKept() async throws {
        try await inFolder { folder in
            let store = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
            for number in 1...10 as ClosedRange<UInt8> {
                let revision = try await store.replace(Self.key, with: [number], unlessChangedSince: nil)
                try await store.quarantine(Self.key, unlessChangedSince: revision)
            }
            var connection = try SQLiteConnection(.file("\(folder)/sessions.sqlite"))
            let kept = try connection.all("SELECT bytes FROM aside ORDER BY number") { row throws(SQLiteError) -> [UInt8] in
                try row[0]
            }
            #expect(kept == (3...10).map { [$0] })
        }
    }
}
