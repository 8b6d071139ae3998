import Lockstep
import LockstepPostgresStore
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

@Suite("Encryption in PostgreSQL", .limitedConcurrency)
struct EncryptionTests {
    private static let key = StoreKey(provider: "acme", backend: "https://acme.example", slot: .session)

    @Test func databaseContainsNoReadableValue() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let canary = Array("canary-\(SystemRandomness().text(24))".utf8)
        try await database.store(for: "ada").replace(Self.key, with: canary, unlessChangedSince: nil)
        let count = try await place.sql("SELECT count(*) FROM lockstep_sessions")
        #expect(count == "1")
        let isReadable = try await place.showsPlainly(canary)
        #expect(!isReadable)
    }

    @Test func changedOrMovedValueIsRejectedAndKept() async throws {
        let place = try await PostgresPlace()
        let database = try place.database()
        try await database.prepare()
        let (ada, bob) = (try database.store(for: "ada"), try database.store(for: "bob"))
        for (number, damage) in [
            "UPDATE lockstep_sessions SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) WHERE owner = 'ada'",
            "UPDATE lockstep_sessions SET sealed = substr(sealed, 1, 5) WHERE owner = 'ada'",
            "UPDATE lockstep_sessions SET revision = 'another' WHERE owner = 'ada'",
            "UPDATE lockstep_sessions a SET sealed = b.sealed, revision = b.revision FROM lockstep_sessions b"
                + " WHERE a.owner = 'ada' AND b.owner = 'bob'",
        ].enumerated() {
            try await bob.remove(Self.key)
            try await ada.replace(Self.key, with: [1], unlessChangedSince: nil)
            try await bob.replace(Self.key, with: [2], unlessChangedSince: nil)
            try await place.sql(damage)
            do throws(StoreError) {
                _ = try await ada.load(Self.key)
                Issue.record("it was opened after \(damage)")
            } catch { #expect(error.code == .corrupt, "\(error)") }
            let next = try await ada.load(Self.key)
            #expect(next == nil)
            let kept = try await place.sql("SELECT count(*) FROM lockstep_set_aside WHERE owner = 'ada'")
            #expect(kept == "\(number + 1)")
            let other = try await bob.load(Self.key)
            #expect(other?.bytes == [2])
        }
    }

    @Test func keysRotate() async throws {
        let place = try await PostgresPlace()
        let old = try place.database(PostgresPlace.ring(0))
        try await old.prepare()
        let users = (0..<150).map { "user \($0)" }
        var revisions: [Revision] = []
        for user in users {
            revisions.append(try await old.store(for: user).replace(Self.key, with: Array(user.utf8), unlessChangedSince: nil))
        }
        // A machine with only the new key cannot read the value and reports this. Nothing is lost.
        let new = try place.database(PostgresPlace.ring(1))
        do throws(StoreError) {
            _ = try await new.store(for: users[0]).load(Self.key)
            Issue.record("it was opened without its key")
        } catch {
            #expect(error.code == .unreadable)
            #expect(error.message.contains("key 0"))
        }
        let both = try place.database(PostgresPlace.ring(1, 0))
        let loaded = try await both.store(for: users[0]).load(Self.key)
        #expect(loaded?.revision == revisions[0])
        try await place.sql("UPDATE lockstep_sessions SET sealed = 'broken' WHERE owner = 'user 7'")
        let first = try await both.reencrypt()
        #expect((first.renewed, first.left) == (149, 1))
        let second = try await both.reencrypt()
        #expect((second.renewed, second.left) == (0, 1))
        for (user, revision) in zip(users, revisions) where user != "user 7" {
            let value = try await new.store(for: user).load(Self.key)
            #expect(value == StoredValue(bytes: Array(user.utf8), revision: revision))
        }
    }

    /// One machine has another secret under the same name in its configuration.
    ///
    /// It signs nobody out.
    @Test(arguments: [true, false])
    func aWrongSecretIsReportedAndMovesNothing(hasProof: Bool) async throws {
        let place = try await PostgresPlace()
        let right = try place.database()
        try await right.prepare()
        var revisions: [Revision] = []
        for user in ["ada", "bob", "carol"] {
            revisions.append(try await right.store(for: user).replace(Self.key, with: [1], unlessChangedSince: nil))
        }
        // As stored by an older version.
        if !hasProof { try await place.sql("DROP TABLE lockstep_keys") }
        let ring = try SessionKeyRing(newest: SessionKey(id: "key 0", secret: PostgresPlace.secrets[1]))
        let wrong = try place.database(ring)
        for user in ["ada", "bob", "dan"] {
            let store = try wrong.store(for: user)
            do throws(StoreError) {
                let value = try await store.load(Self.key)
                #expect(user == "dan" && value == nil)
            } catch {
                #expect(error.code == .unreadable, "\(error)")
                #expect(error.message.contains("key 0"))
            }
            do throws(StoreError) {
                try await store.replace(Self.key, with: [2], unlessChangedSince: user == "dan" ? nil : revisions[0])
                Issue.record("it was sealed with a secret that others do not have")
            } catch { #expect(error.code == .unwritable, "\(error)") }
        }
        await #expect(throws: StoreError.self) { _ = try await wrong.reencrypt() }
        let aside = try await place.sql("SELECT count(*) FROM lockstep_set_aside")
        #expect(aside == "0")
        // A later machine with the right secret finds all values. Missing tables are created again.
        let next = try place.database()
        try await next.prepare()
        for (user, revision) in zip(["ada", "bob", "carol"], revisions) {
            let value = try await next.store(for: user).load(Self.key)
            #expect(value == StoredValue(bytes: [1], revision: revision))
        }
        try await place.sql(
            "UPDATE lockstep_sessions SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) WHERE owner = 'ada'")
        let fresh = try place.database().store(for: "ada")
        do throws(StoreError) {
            _ = try await fresh.load(Self.key)
            Issue.record("it was opened")
        } catch { #expect(error.code == .corrupt, "\(error)") }
    }

    @Test(arguments: ["", "AAAA", "not base 64", "PG5XKtnVi4SIpoaEEpcIsCu6xLDJVvVS/MHwjPBNCg=="])
    func aKeyOfAnotherLengthIsRejected(_ text: String) {
        #expect(throws: StoreError.self) { _ = try SessionKey(id: "a", secret: Secret(text)) }
    }

    @Test func namesOfKeysAndOwnersAreLimited() async throws {
        #expect(throws: StoreError.self) { _ = try SessionKey(id: "", secret: PostgresPlace.secrets[0]) }
        #expect(throws: StoreError.self) { _ = try PostgresPlace.ring(0, 0) }
        let database = try PostgresSessionDatabase("dbname=unused", keys: PostgresPlace.ring())
        for owner in ["", "a\0b", String(repeating: "x", count: 1001)] {
            #expect(throws: StoreError.self) { _ = try database.store(for: owner) }
        }
        #expect("\(try PostgresPlace.ring())".contains(Secret.mask))
        #expect(!"\(try PostgresPlace.ring())".contains("PG5X"))
    }
}
