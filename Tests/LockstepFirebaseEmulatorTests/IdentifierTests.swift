import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Ids are compared by their bytes: a composed letter and its decomposed form are two users.
@Suite(.limitedConcurrency)
struct IdentifierTests {
    private static let ids = ["\u{e9}", "e\u{301}"]

    private static func bytes(_ users: JSON?) -> [[UInt8]] {
        (users?.array ?? []).map { Array(($0["localId"] ?? $0["id"])?.string?.utf8 ?? "".utf8) }.sorted {
            $0.lexicographicallyPrecedes($1)
        }
    }

    @Test(arguments: FirebaseMode.allCases)
    func idsThatLookAlikeAreTwoUsers(_ mode: FirebaseMode) async throws {
        let expected = Self.ids.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        let emulator = try TestEmulator(mode)
        let users: JSON = .array(
            Self.ids.enumerated().map { number, id in
                ["localId": .string(id), "email": .string("user\(number)@example.com"), "emailVerified": true]
            })
        let imported = try await emulator.manage("accounts:batchCreate", ["users": users])
        #expect(imported.status == 200 && (imported.json["error"]?.array ?? []).isEmpty, "\(imported.json)")
        let found = try await emulator.manage("accounts:lookup", ["localId": .array(Self.ids.map(JSON.string))])
        #expect(Self.bytes(found.json["users"]) == expected, "\(found.json)")
        if mode == .strict {
            let queried = try await emulator.manage(
                "accounts:query", ["expression": .array(Self.ids.map { ["userId": .string($0)] })])
            #expect(Self.bytes(queried.json["userInfo"]) == expected, "\(queried.json)")
        }

        // The exports and the seed give both back.
        let admin = emulator.admin
        let document = try admin.exportUsers()
        let other = try TestEmulator(mode)
        #expect(try await other.admin.importUsers(document).isEmpty)
        #expect(try Self.bytes(other.admin.exportUsers()["users"]) == expected)
        let seed = try #require(try emulator.server.panel.seeds?.current())
        _ = try await other.server.panel.seeds?.plant(seed)
        #expect(try other.server.panel.seeds?.current().users.count == 2)
        #expect(try Self.bytes(other.admin.exportUsers()["users"]) == expected)
        // Only the user with these bytes is deleted.
        _ = try await emulator.manage("accounts:delete", ["localId": .string(Self.ids[1])])
        #expect(try Self.bytes(admin.exportUsers()["users"]) == [Array(Self.ids[0].utf8)])
    }
}
