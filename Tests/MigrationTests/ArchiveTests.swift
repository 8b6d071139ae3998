import LockstepMigration
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("Archives", .limitedConcurrency) struct ArchiveTests {
    private static let digits = String(repeating: "0123456789abcdef", count: 4)

    private static func inFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = try Folder.makeTemporary(prefix: "lockstep-archive")
        do {
            let value = try await body(folder)
            try? Folder.remove(folder)
            return value
        } catch {
            try? Folder.remove(folder)
            throw error
        }
    }

    private static func write(_ parts: [[UInt8]], to path: String) async throws {
        let writer = try ArchiveWriter(path, ArchiveKey(Secret(digits)), randomness: SystemRandomness())
        for part in parts { try await writer.append(part) }
        try await writer.finish()
    }

    private static func read(_ path: String, _ key: String = digits) throws -> [UInt8] {
        var reader = try ArchiveReader(path, ArchiveKey(Secret(key)))
        var bytes: [UInt8] = []
        while let piece = try reader.next() { bytes += piece }
        return bytes
    }

    @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 700_000])
    func sealedDataIsReadUnchanged(_ count: Int) async throws {
        try await Self.inFolder { folder in
            let path = folder + "/archive"
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await Self.write([Array(bytes.prefix(count / 3)), Array(bytes.dropFirst(count / 3))], to: path)
            #expect(try Self.read(path) == bytes)
            #expect(try FileStatus(of: path)?.mode == 0o600)
        }
    }

    @Test(.covers("M58")) func archiveIsUnreadableWithoutTheKey() async throws {
        try await Self.inFolder { folder in
            let (path, canary) = (folder + "/archive", Array("ada@example.com $2b$06$canary".utf8))
            try await Self.write([canary], to: path)
            let sealed = try #require(try AtomicFile.read(path))
            #expect(sealed.firstRange(of: Array("ada@".utf8)) == nil && sealed.firstRange(of: Array("canary".utf8)) == nil)
            #expect(throws: MigrationError.self) { try Self.read(path, String(Self.digits.reversed())) }
            for text in ["", "0123", Self.digits + "0", String(Self.digits.dropLast()) + "g"] {
                let error = #expect(throws: MigrationError.self) { try ArchiveKey(Secret(text)) }
                #expect(error?.code == .archive && error?.message.contains("openssl rand") == true)
            }
        }
    }

    @Test(.covers("M58")) func everyFlippedByteAndTruncationIsDetected() async throws {
        try await Self.inFolder { folder in
            let path = folder + "/archive"
            try await Self.write([[UInt8](repeating: 7, count: 600_000)], to: path)
            let sealed = try #require(try AtomicFile.read(path))
            let pieces = [35 + 4 + 262_172, 35 + 2 * (4 + 262_172)]
            for place in [0, 20, 35, 36, 60, sealed.count - 1] + pieces {
                var changed = sealed
                changed[place] ^= 1
                try AtomicFile.replace(path, with: changed)
                #expect(throws: MigrationError.self, "byte \(place)") { try Self.read(path) }
            }
            for length in [0, 10, 35, 100, sealed.count - 1] + pieces {
                try AtomicFile.replace(path, with: Array(sealed.prefix(length)))
                #expect(throws: MigrationError.self, "cut at \(length)") { try Self.read(path) }
            }
            // The second piece in place of the first, and bytes after the end.
            let exchanged = sealed[..<35] + sealed[pieces[0]..<pieces[1]] + sealed[35..<pieces[0]] + sealed[pieces[1]...]
            for changed in [Array(exchanged), sealed + [0]] {
                try AtomicFile.replace(path, with: changed)
                #expect(throws: MigrationError.self) { try Self.read(path) }
            }
        }
    }

    @Test func discardedArchiveKeepsTheOldOne() async throws {
        try await Self.inFolder { folder in
            let path = folder + "/archive"
            try await Self.write([[1]], to: path)
            let writer = try ArchiveWriter(path, ArchiveKey(Secret(Self.digits)), randomness: SystemRandomness())
            try await writer.append([2])
            await writer.discard()
            #expect(try Self.read(path) == [1] && Folder.names(folder) == ["archive"])
        }
    }

    @Test(.covers("M58")) func purgeRemovesOnlyItsRun() async throws {
        try await Self.inFolder { folder in
            let runs = folder + "/runs"
            let run = try RunFolder.make(in: runs, clock: SystemClock(), randomness: SystemRandomness())
            try await Self.write([[1]], to: run.archive)
            #expect(throws: MigrationError.self, "in use") { try RunFolder.purge(run.id, in: runs) }
            run.close()
            #expect(try Folder.isThere(run.archive))
            #expect(try RunFolder.contents(of: run.id, in: runs).contains("archive.sealed"))
            for name in ["..", "../runs", ".", "", "a/b", "20990101-000000-ffff"] {
                #expect(throws: MigrationError.self, "\(name)") { try RunFolder.purge(name, in: runs) }
            }
            // A link to another folder is not followed.
            let outside = folder + "/outside"
            try Folder.make(outside)
            try AtomicFile.replace(outside + "/key", with: [1])
            _ = try await ChildProcess.run("/bin/ln", ["-s", outside, runs + "/linked"])
            #expect(throws: MigrationError.self) { try RunFolder.purge("linked", in: runs) }
            #expect(try AtomicFile.read(outside + "/key") == [1])
            // Nor is a link in place of a file of the run, and a purge removes only the link.
            let second = try RunFolder.make(in: runs, clock: SystemClock(), randomness: SystemRandomness())
            second.close()
            _ = try await ChildProcess.run("/bin/ln", ["-s", outside + "/key", second.archive])
            #expect(throws: MigrationError.self) { try RunFolder.open(second.id, in: runs) }
            try RunFolder.purge(second.id, in: runs)
            #expect(try AtomicFile.read(outside + "/key") == [1] && !Folder.isThere(second.path))
            // A foreign file prevents the removal of the run.
            try AtomicFile.replace(run.path + "/notes.txt", with: [1])
            #expect(throws: MigrationError.self) { try RunFolder.purge(run.id, in: runs) }
            try AtomicFile.remove(run.path + "/notes.txt")
            // A run that cannot be opened can be purged.
            try AtomicFile.replace(run.path + "/key", with: [])
            #expect(throws: MigrationError.self) { try RunFolder.open(run.id, in: runs) }
            try RunFolder.purge(run.id, in: runs)
            #expect(RunFolder.list(in: runs) == ["linked"])
            try AtomicFile.remove(runs + "/linked")
            try? Folder.remove(runs)
            try? Folder.remove(outside)
        }
    }
}
