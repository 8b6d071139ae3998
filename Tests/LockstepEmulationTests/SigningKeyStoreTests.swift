import Foundation
import LockstepEmulation
import LockstepPrimitives
import LockstepSQLite
import LockstepTestConcurrency
import LockstepTokens
import Testing

@Suite(.limitedConcurrency)
struct SigningKeyStoreTests {
    private static let schema = Schema([
        "CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID", "CREATE TABLE users (id INTEGER)",
    ])

    private let workers = Workers(count: 1)

    private func withFolder<Value>(_ body: (Storage) async throws -> Value) async throws -> Value {
        let folder = NSTemporaryDirectory() + "lockstep-" + SystemRandomness().uuid()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(.folder(folder))
    }

    private func open(_ storage: Storage) throws -> (Database, SigningKeyStore) {
        let database = try Database("keys", in: storage, Self.schema)
        return (database, SigningKeyStore(database, table: "secrets"))
    }

    private func key(_ store: SigningKeyStore, given: SigningKey? = nil, id: String? = nil) throws -> Prepared<SigningKey> {
        try store.signingKey("signing", given: given, id: id, on: workers) { try Self.makeKey() }
    }

    private static func makeKey() throws -> SigningKey {
        try .makeEd25519(id: SystemRandomness().text(8), randomness: SystemRandomness())
    }

    private func pem(_ key: SigningKey) throws -> String? { try key.pem()?.reveal() }

    @Test func keysInAFolderSurviveTheProcess() async throws {
        try await withFolder { storage in
            let (_, first) = try open(storage)
            let made = try await key(first).value
            #expect(try first.text("api") { "one" } == "one")
            let (_, second) = try open(storage)
            let kept = try key(second).current
            #expect(try kept.map(pem) == pem(made))
            #expect(kept?.id == made.id)
            #expect(try second.text("api") { "two" } == "one")
        }
    }

    @Test func keysInMemoryEndWithTheProcess() async throws {
        let (_, first) = try open(.memory)
        let (database, second) = try open(.memory)
        let made = try await (key(first).value, key(second).value)
        #expect(try pem(made.0) != pem(made.1))
        #expect(try second.text("api") { "two" } == "two")
        #expect(try database.read { try $0.value("SELECT count(*) FROM secrets", as: Int.self) } == 0)
    }

    @Test func resetKeepsOnlyTheKeys() async throws {
        try await withFolder { storage in
            let (database, store) = try open(storage)
            let made = try await key(store).value
            try database.write { db in
                try db.run("INSERT INTO secrets VALUES ('other', 'x')")
                try db.run("INSERT INTO users VALUES (1)")
            }
            try store.eraseOthers()
            let names: [String] = try database.read { db in
                try db.all("SELECT name FROM secrets") { row throws(SQLiteError) in try row[0] }
            }
            #expect(names == ["signing"])
            #expect(try database.read { try $0.value("SELECT count(*) FROM users", as: Int.self) } == 0)
            #expect(try key(open(storage).1).current.map(pem) == pem(made))
        }
    }

    @Test func givenKeyReplacesTheStoredOne() async throws {
        try await withFolder { storage in
            _ = try await key(open(storage).1).value
            let given = try Self.makeKey()
            #expect(try key(open(storage).1, given: given).current.map(pem) == pem(given))
            #expect(try key(open(storage).1).current.map(pem) == pem(given))
            let (_, store) = try open(storage)
            try store.keep("given", as: "api")
            #expect(try open(storage).1.text("api") { "made" } == "given")
        }
    }

    @Test func processesThatStartAtTheSameTimeShareOneKey() async throws {
        try await withFolder { storage in
            // Each has opened the folder before any key exists.
            let stores = try (0..<4).map { _ in try open(storage).1 }
            let keys = try stores.map { try key($0) }
            let made = try await withThrowingTaskGroup(of: String?.self) { group in
                for key in keys { group.addTask { try await key.value.pem()?.reveal() } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(made.count == 1)
            let texts = try stores.map { store in try store.text("api") { SystemRandomness().text(16) } }
            #expect(Set(texts).count == 1)
        }
    }

    /// An earlier build of the Clerk emulator stored its key like this.
    @Test func readsAPEMKeyWithItsID() async throws {
        try await withFolder { storage in
            let earlier = try Self.makeKey()
            let text = try #require(try pem(earlier))
            let (database, store) = try open(storage)
            try database.write { try $0.run("INSERT INTO secrets VALUES ('signing', \(text))") }
            let kept = try #require(try key(store, id: "beside").current)
            #expect(try pem(kept) == text)
            #expect(kept.id == "beside")
        }
    }
}
