import Lockstep
import LockstepInMemory
import LockstepPrimitives
import LockstepSQLite
import LockstepSQLiteStore
import LockstepSystem
import LockstepTestSupport
import Testing

@Suite("Many users of one SQLite database")
struct OwnerTests {
    private static let key = StoreKey(provider: "test", backend: "http://127.0.0.1:1", slot: .session)

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        try await body(folder)
    }

    @Test func clientsOfTwoUsersAreSeparate() async throws {
        try await inFolder { folder in
            // A stopped clock, so that no call ends by its deadline on a busy machine.
            let clock = ManualClock(base: FixedClock())
            let backend = InMemoryBackend(clock: clock)
            let client = { (owner: String) in
                AuthClient(
                    adapter: InMemoryAdapter(backend: backend, clock: clock),
                    store: try SQLiteSessionDatabase(directory: folder).store(for: owner),
                    effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
            }
            let (ada, bob) = (try client("ada"), try client("bob"))
            _ = try await ada.signIn(with: .anonymous)
            let empty = await bob.restore()
            #expect(empty.session == nil)
            _ = try await bob.signIn(with: .anonymous)
            let ids = [ada.state.session?.user.id, bob.state.session?.user.id]
            #expect(ids[0] != nil && ids[1] != nil && ids[0] != ids[1])
            for (owner, id) in zip(["ada", "bob"], ids) {
                let next = try client(owner)
                let state = await next.restore()
                #expect(state.session?.user.id == id)
            }
            try await ada.signOut(.local, discardingAnonymousUser: true)
            let left = await (try client("bob")).restore()
            #expect(left.session?.user.id == ids[1])
        }
    }

    @Test func usersAreIdentifiedByTheBytesOfTheirNames() async throws {
        try await inFolder { folder in
            let database = try SQLiteSessionDatabase(directory: folder)
            // Two of them look like one text to a person, composed and decomposed. Two would be equal if the store concatenated
            // texts.
            let owners = [
                "é", "e\u{301}", "a", "A", "a ", "1:a", "'; DROP TABLE sessions; --", String(repeating: "x", count: 1000),
            ]
            for (number, owner) in owners.enumerated() {
                try await database.store(for: owner).replace(Self.key, with: [UInt8(number)], unlessChangedSince: nil)
            }
            for (number, owner) in owners.enumerated() {
                let value = try await database.store(for: owner).load(Self.key)
                #expect(value?.bytes == [UInt8(number)])
            }
            for owner in ["", "a\0b", String(repeating: "x", count: 1001)] {
                #expect(throws: StoreError.self) { _ = try database.store(for: owner) }
            }
        }
    }

    /// Version 1 had one row for all.
    ///
    /// No user may get it by chance.
    @Test func rowsWithoutAnOwnerAreRejectedUntilItIsNamed() async throws {
        try await inFolder { folder in
            let path = "\(folder)/sessions.sqlite"
            try AtomicFile.replace(path, with: [])
            do {
                var connection = try SQLiteConnection(.file(path))
                try connection.script(
                    """
                    CREATE TABLE stored (
                        provider TEXT NOT NULL, backend TEXT NOT NULL, slot TEXT NOT NULL, revision TEXT NOT NULL, bytes BLOB NOT NULL,
                        PRIMARY KEY (provider, backend, slot)
                    ) WITHOUT ROWID;
                    CREATE TABLE aside (
                        number INTEGER PRIMARY KEY, provider TEXT NOT NULL, backend TEXT NOT NULL, slot TEXT NOT NULL, bytes
                    );
                    INSERT INTO stored VALUES ('test', 'http://127.0.0.1:1', 'session', 'r1', x'01');
                    PRAGMA user_version = 1;
                    """)
            }
            let strange = try SQLiteSessionDatabase(directory: folder).store(for: "ada")
            for _ in 0..<2 {
                do throws(StoreError) {
                    _ = try await strange.load(Self.key)
                    Issue.record("a session without owner was given to a user")
                } catch {
                    #expect(error.code == .unreadable, "\(error)")
                    #expect(error.message.contains("unownedRowsBelongTo"))
                }
            }
            let database = try SQLiteSessionDatabase(directory: folder, unownedRowsBelongTo: "ada")
            let bobs = try await database.store(for: "bob").load(Self.key)
            #expect(bobs == nil)
            let value = try await database.store(for: "ada").load(Self.key)
            #expect(value == StoredValue(bytes: [1], revision: Revision(rawValue: "r1")))
            // They have an owner now, so it is not named again.
            let again = try await SQLiteSessionDatabase(directory: folder, unownedRowsBelongTo: "bob").store(for: "bob").load(
                Self.key)
            #expect(again == nil)
        }
    }

    @Test func locksOfUsersAreReleased() async throws {
        try await inFolder { folder in
            let database = try SQLiteSessionDatabase(directory: folder)
            for number in 0..<50 {
                try await database.store(for: "user \(number)").exclusively(Self.key, lockTimeout: .seconds(600)) {
                    #expect((try? Folder.names(folder))?.contains { $0.hasSuffix(".section") } == true)
                }
            }
            #expect(try !Folder.names(folder).contains { $0.hasSuffix(".section") })
        }
    }
}
