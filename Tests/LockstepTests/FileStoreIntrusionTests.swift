#if os(Linux) || os(macOS)
import Foundation
import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepSystem
import LockstepTestSupport
import Testing

/// Objects that other users can put into the folder of a file store.
@Suite("A file store in a shared folder")
struct FileStoreIntrusionTests {
    /// A stopped clock, so that a busy machine ends no call.
    private static let effects = ClientEffects(clock: FixedClock(), randomness: SystemRandomness())
    private static let key = StoreKey(provider: "test", backend: "http://127.0.0.1:1", slot: .session)
    /// An account without a user: `nobody`.
    private static let stranger = 65534

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

    private func expect(
        _ code: StoreError.Code, saying words: String = "", _ line: SourceLocation = #_sourceLocation,
        _ body: () async throws(StoreError) -> Void
    ) async {
        do throws(StoreError) {
            try await body()
            Issue.record("it was done", sourceLocation: line)
        } catch {
            #expect(error.code == code, "\(error)", sourceLocation: line)
            #expect(words.isEmpty || error.message.contains(words), "\(error)", sourceLocation: line)
        }
    }

    private func name(_ folder: String) throws -> String {
        try #require(try Folder.names(folder).first { $0.hasSuffix(".lockstep") })
    }

    @Test func sharedFolderIsRejected() async {
        // The folder is root's, with the sticky bit: any user can put a pipe or a link there.
        await expect(.unwritable, saying: "/tmp") { () throws(StoreError) in _ = try FileSessionStore(directory: "/tmp") }
    }

    @Test(.enabled(if: CurrentProcess.isSuperuser, "only the superuser can give a folder away"))
    func filesOfAnotherUserAreRejectedAndKept() async throws {
        try await inFolder { folder in
            let store = try FileSessionStore(directory: folder)
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            let file = "\(folder)/\(try name(folder))"
            try FileManager.default.setAttributes([.ownerAccountID: Self.stranger], ofItemAtPath: file)
            await expect(.unreadable, saying: file) { () throws(StoreError) in _ = try await store.load(Self.key) }
            try FileManager.default.setAttributes([.ownerAccountID: 0], ofItemAtPath: file)
            for mode in [0o777, 0o700] {
                try setMode(mode, folder)
                try FileManager.default.setAttributes([.ownerAccountID: Self.stranger], ofItemAtPath: folder)
                await expect(.unreadable, saying: folder) { () throws(StoreError) in _ = try await store.load(Self.key) }
                await expect(.unwritable, saying: folder) { () throws(StoreError) in try await store.remove(Self.key) }
                await expect(.unwritable, saying: folder) { () throws(StoreError) in _ = try FileSessionStore(directory: folder) }
                try FileManager.default.setAttributes([.ownerAccountID: 0], ofItemAtPath: folder)
            }
            let value = try await store.load(Self.key)
            #expect(value?.bytes == [1])
        }
    }

    @Test func permissionsAreTightenedAndWritableFilesQuarantined() async throws {
        try await inFolder { folder in
            let store = try FileSessionStore(directory: folder)
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            try setMode(0o777, folder)
            _ = try FileSessionStore(directory: folder)
            #expect(try mode(folder) == 0o700)
            let name = try name(folder)
            try setMode(0o644, "\(folder)/\(name)")
            let value = try await store.load(Self.key)
            #expect(value?.bytes == [1])
            #expect(try mode("\(folder)/\(name)") == 0o600)
            // Any user could have put another session there, so that this user acts in it.
            try setMode(0o666, "\(folder)/\(name)")
            await expect(.corrupt, saying: "every user can write") { () throws(StoreError) in _ = try await store.load(Self.key) }
            for left in try Folder.names(folder) { #expect(try mode("\(folder)/\(left)") == 0o600, "\(left)") }
            let next = try await store.load(Self.key)
            #expect(next == nil)
        }
    }

    @Test(arguments: [0o777, 0o757, 0o1777], [true, false])
    func folderWithOtherFilesKeepsItsPermissions(_ bits: Int, _ isEmpty: Bool) async throws {
        try await inFolder { folder in
            if !isEmpty { try AtomicFile.replace("\(folder)/notes.txt", with: [1]) }
            try setMode(bits, folder)
            await expect(.unwritable, saying: "chmod go-w") { () throws(StoreError) in
                _ = try FileSessionStore(directory: folder)
            }
            #expect(try mode(folder) == bits)
        }
    }

    @Test func openedStoreKeepsThePermissionsOfASharedFolder() async throws {
        try await inFolder { folder in
            let store = try FileSessionStore(directory: folder)
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            try AtomicFile.replace("\(folder)/notes.txt", with: [1])
            try setMode(0o757, folder)
            await expect(.unreadable) { () throws(StoreError) in _ = try await store.load(Self.key) }
            await expect(.unwritable) { () throws(StoreError) in try await store.remove(Self.key) }
            #expect(try mode(folder) == 0o757)
        }
    }

    /// With a umask of 002 `mkdir` creates a folder that the user's group can write to.
    @Test(arguments: [0o775, 0o770, 0o2775], [true, false])
    func folderOfTheUsersGroupIsAcceptedUnchanged(_ bits: Int, _ isEmpty: Bool) async throws {
        let names = try await ChildProcess.run("sh", ["-c", "id -un; id -gn; getent group $(id -g) | cut -d: -f4"])
        let words = names.text.split(separator: "\n")
        let isPrivate = words.count > 1 && words[0] == words[1] && words.dropFirst(2).allSatisfy { $0 == words[0] }
        try await inFolder { folder in
            if !isEmpty { try AtomicFile.replace("\(folder)/notes.txt", with: [1]) }
            try setMode(bits, folder)
            if isPrivate {
                let store = try FileSessionStore(directory: folder)
                try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
                let value = try await FileSessionStore(directory: folder).load(Self.key)
                #expect(value?.bytes == [1])
            } else {
                await expect(.unwritable, saying: String(bits, radix: 8)) { () throws(StoreError) in
                    _ = try FileSessionStore(directory: folder)
                }
            }
            #expect(try mode(folder) == bits)
        }
    }

    @Test(
        .enabled(if: CurrentProcess.isSuperuser, "only the superuser can give a folder to any group"), arguments: [0o775, 0o770])
    func aFolderOfAnotherGroupIsRejectedAndKeepsItsPermissions(_ bits: Int) async throws {
        try await inFolder { folder in
            try FileManager.default.setAttributes([.groupOwnerAccountID: Self.stranger], ofItemAtPath: folder)
            try setMode(bits, folder)
            await expect(.unwritable, saying: String(bits, radix: 8)) { () throws(StoreError) in
                _ = try FileSessionStore(directory: folder)
            }
            #expect(try mode(folder) == bits)
        }
    }

    @Test(arguments: [0o755, 0o750, 0o700])
    func readableFolderIsAcceptedUnchanged(_ bits: Int) async throws {
        try await inFolder { folder in
            try AtomicFile.replace("\(folder)/notes.txt", with: [1])
            try setMode(bits, folder)
            let store = try FileSessionStore(directory: folder)
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            #expect(try mode(folder) == bits)
        }
    }

    @Test func aFileURLNamesItsFolder() async throws {
        try await inFolder { folder in
            let store = try FileSessionStore(directory: "file://\(folder)/a%20b")
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            #expect(try Folder.names(folder) == ["a b"])
            let value = try await FileSessionStore(directory: "\(folder)/a b").load(Self.key)
            #expect(value?.bytes == [1])
        }
    }

    @Test(arguments: [
        "", "a\0b", "~nobody/x", "https://example.com/x", "file://elsewhere/x", "file:x", "file:///a%0", "file:///%00",
    ])
    func aTextThatIsNotAPathIsRejected(_ text: String) async {
        await expect(.unwritable) { () throws(StoreError) in _ = try FileSessionStore(directory: text) }
    }

    @Test(arguments: [".write", ".section"], ["link", "pipe", "folder"])
    func lockThatIsNotAFileIsRejected(_ end: String, _ kind: String) async throws {
        try await inFolder { folder in
            let store = try FileSessionStore(directory: folder)
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            let lock = "\(folder)/\(try name(folder))\(end)"
            try AtomicFile.remove(lock)
            switch kind {
            case "link": try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: "\(folder)/made-by-link")
            case "pipe": #expect(try await ChildProcess.run("mkfifo", [lock]).status == 0)
            default: try Folder.make(lock)
            }
            await expect(.unwritable, saying: lock) { () throws(StoreError) in
                if end == ".write" {
                    try await store.remove(Self.key)
                } else {
                    try await store.exclusively(Self.key, lockTimeout: .zero) {}
                }
            }
            #expect(try !Folder.names(folder).contains("made-by-link"))
            let value = try await store.load(Self.key)
            #expect(value?.bytes == [1], "to read takes no lock")
        }
    }

    @Test func hardLinkedFileIsReplacedByACopy() async throws {
        try await inFolder { folder in
            let store = try FileSessionStore(directory: folder)
            let revision = try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            try await store.exclusively(Self.key, lockTimeout: .zero) {}
            for name in try Folder.names(folder) {
                try FileManager.default.linkItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/other-\(name)")
            }
            let value = try await store.load(Self.key)
            #expect(value == StoredValue(bytes: [1], revision: revision))
            try await store.exclusively(Self.key, lockTimeout: .zero) {}
            for name in try Folder.names(folder) where !name.hasPrefix("other-") {
                let count = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.referenceCount] as? Int
                #expect(count == 1, "\(name)")
            }
        }
    }

    /// Nothing in the folder blocks the client, whatever its name.
    @Test(.timeLimit(.minutes(10)))
    func pipeInTheFolderDoesNotBlock() async throws {
        try await inFolder { folder in
            let store = try FileSessionStore(directory: folder)
            let backend = InMemoryBackend()
            let client = AuthClient(
                adapter: InMemoryAdapter(backend: backend, clock: FixedClock()), store: store, effects: Self.effects)
            _ = try await client.signIn(with: .anonymous)
            let name = try name(folder)
            for other in [
                "pipe.lockstep", "\(name).new", "flow-000000000000000000000000.lockstep", "\(name).corrupt-0", "\(name).removed",
            ] {
                #expect(try await ChildProcess.run("mkfifo", ["\(folder)/\(other)"]).status == 0)
            }
            let next = AuthClient(
                adapter: InMemoryAdapter(backend: backend, clock: FixedClock()), store: try FileSessionStore(directory: folder),
                effects: Self.effects)
            let state = await next.restore()
            #expect(state.session != nil)
            _ = try await next.accessToken()
            let keys = try await store.keys()
            #expect(!keys.isEmpty)
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        }
    }

    @Test func deletedFileDoesNotSignOutARunningApp() async throws {
        try await inFolder { folder in
            let backend = InMemoryBackend()
            let makeClient = {
                AuthClient(
                    adapter: InMemoryAdapter(backend: backend, clock: FixedClock()),
                    store: try FileSessionStore(directory: folder), effects: Self.effects)
            }
            let (app, helper) = (try makeClient(), try makeClient())
            _ = try await app.signIn(with: .anonymous)
            #expect(await helper.restore().session != nil)

            try AtomicFile.remove("\(folder)/\(try name(folder))")
            #expect(await app.reloadFromStore().session != nil)
            #expect(try !name(folder).isEmpty, "it is written again")

            try Folder.remove(folder)
            #expect(await helper.reloadFromStore().session != nil)
            #expect(await app.reloadFromStore().session != nil)
            #expect(await (try makeClient()).restore().session != nil, "the next launch finds it")

            try await app.signOut(discardingAnonymousUser: true)
            #expect(await helper.reloadFromStore() == .signedOut(.endedElsewhere), "a sign-out stays one")
            #expect(await (try makeClient()).restore() == .signedOut(.requested))
        }
    }

    /// An object in place of a removal note does not prevent a sign-out.
    @Test(arguments: ["pipe", "folder", "link"])
    func obstacleInPlaceOfARemovalNoteStopsNoSignOut(_ kind: String) async throws {
        try await inFolder { folder in
            let (store, other) = (try FileSessionStore(directory: folder), try FileSessionStore(directory: folder))
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            let note = "\(folder)/\(try name(folder)).removed"
            switch kind {
            case "pipe": #expect(try await ChildProcess.run("mkfifo", [note]).status == 0)
            case "folder": try Folder.make(note)
            default: try FileManager.default.createSymbolicLink(atPath: note, withDestinationPath: "\(folder)/elsewhere")
            }
            let known = try await other.load(Self.key)
            #expect(known?.bytes == [1])
            try await store.remove(Self.key)
            for store in [store, other] {
                let left = try await store.load(Self.key)
                #expect(left == nil)
            }
            try? FileManager.default.removeItem(atPath: note)
        }
    }

    @Test func removalDeletesLeftoversOfAKilledWriter() async throws {
        try await inFolder { folder in
            let store = try FileSessionStore(directory: folder)
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            let name = try name(folder)
            try AtomicFile.replace("\(folder)/\(name).new", with: Array("refresh token".utf8))
            try await store.remove(Self.key)
            #expect(try Folder.names(folder) == ["\(name).removed", "\(name).write"])
            for left in try Folder.names(folder) {
                let bytes = try #require(try AtomicFile.read("\(folder)/\(left)"))
                #expect(!String(decoding: bytes, as: UTF8.self).contains("token"), "\(left)")
            }
        }
    }
}
#endif
