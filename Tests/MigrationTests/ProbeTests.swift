import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// The known account of the source, which shows before a move whether its hashes are read correctly.
@Suite(.limitedConcurrency) struct ProbeTests {
    private static let choices = MoveChoices(probe: .init(email: MoveWorld.email(1), password: MoveWorld.password))

    /// Plans with a project configuration that has other hash parameters.
    private static func plan(_ change: @escaping @Sendable (inout JSONObject) -> Void) async throws -> PlanSummary {
        try await MoveWorld.with(users: 3) { world in
            try world.source.panel.fail(
                next: 100, "GET", "*/config",
                with: .changeResponse { response in
                    guard var config = (try? JSON.parse(response.body))?.object,
                        var signIn = config["signIn"]?.object, var hashing = signIn["hashConfig"]?.object
                    else { return response }
                    change(&hashing)
                    signIn["hashConfig"] = .object(hashing)
                    config["signIn"] = .object(signIn)
                    var copy = response
                    copy.body = JSON.object(config).bytes()
                    return copy
                })
            return try await world.move(try world.run(), choices).plan()
        }
    }

    @Test(.covers("M05"), arguments: ["signerKey", "saltSeparator", "rounds", "memoryCost"])
    func planEndsWithAWrongParameterOfHashes(_ name: String) async throws {
        let error = await #expect(throws: MigrationError.self) {
            try await Self.plan { hashing in
                switch name {
                case "signerKey":
                    // One bit of the key.
                    var key = Base64.decode(hashing[name]?.string ?? "") ?? [0]
                    key[0] ^= 1
                    hashing[name] = .string(Base64.encode(key))
                case "saltSeparator": hashing[name] = "AA=="
                default: hashing[name] = .int((hashing[name]?.int ?? 1) + (name == "rounds" ? -1 : 1))
                }
            }
        }
        #expect(error?.code == .probe)
        #expect(error?.message.contains("does not match the given password") == true)
    }

    /// Google's console writes the URL-safe alphabet, its command line the standard one.
    @Test(.covers("M05")) func bothAlphabetsOfTheHashKeyAreRead() async throws {
        let plan = try await Self.plan { hashing in
            for name in ["signerKey", "saltSeparator"] {
                let text = hashing[name]?.string ?? ""
                hashing[name] = .string(
                    String(
                        decoding: text.utf8.map {
                            $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
                        }, as: UTF8.self))
            }
        }
        #expect(plan.probe == "user1@…" && plan.created == 3)
    }

    @Test func unknownProbeEndsThePlanBeforeAnyUserIsRead() async throws {
        try await MoveWorld.with(users: 3) { world in
            let choices = MoveChoices(probe: .init(email: "nobody@example.com", password: MoveWorld.password))
            let error = await #expect(throws: MigrationError.self) { try await world.move(try world.run(), choices).plan() }
            #expect(error?.code == .probe)
            #expect(!world.source.panel.transcript.entries.contains { $0.request.path.hasSuffix("/accounts:batchGet") })
            #expect(world.target.panel.transcript.count == 0)
        }
    }

    @Test(.covers("M04")) func unreadableHashesAreReported() async throws {
        try await MoveWorld.with(users: 3) { world in
            try world.source.panel.fail(
                next: 100, "GET", "*/accounts:batchGet",
                with: .changeResponse { response in
                    guard var list = (try? JSON.parse(response.body))?.object else { return response }
                    list["users"] = .array(
                        (list["users"]?.array ?? []).map { user in
                            var members = user.object ?? [:]
                            members["passwordHash"] = "UkVEQUNURUQ="
                            return .object(members)
                        })
                    var copy = response
                    copy.body = JSON.object(list).bytes()
                    return copy
                })
            let error = await #expect(throws: MigrationError.self) { try await world.move(try world.run(), Self.choices).plan() }
            #expect(error?.code == .probe && error?.message.contains("does not allow reading hashes") == true)
            // Without a probe the plan says why no password moves.
            let plan = try await world.move(try world.run()).plan()
            #expect(plan.ways == [.newPassword: 3])
            #expect(plan.fields.contains { $0.field == .password && $0.reason == .hashNotPermitted && $0.count == 3 })
        }
    }
}
