import Foundation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepEmulation

@Suite("Seed files", .limitedConcurrency)
struct SeedFileTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs")

    private static func read(_ name: String) throws -> JSON {
        try JSON.parse(Array(Data(contentsOf: docs.appendingPathComponent(name))))
    }

    @Test("docs/seed.schema.json matches the members of a seed")
    func schemaHasMembersOfSeed() throws {
        let schema = try Self.read("seed.schema.json")
        #expect(SchemaLines.lines(schema).count > 40)
        #expect(SchemaLines.lines(schema).symmetricDifference(SchemaLines.lines(Seed.schema)) == [])
    }

    @Test("the example is a valid seed and is written as it was read")
    func exampleIsRead() throws {
        var example = try #require(try Self.read("seed.example.json").object)
        let seed = try Seed(JSON.object(example).bytes())
        example["$schema"] = JSON?.none
        #expect(seed.json == .object(example))
        #expect(Set(Seed.providers.map { seed.limited(to: $0).users.count }) == [3])
    }

    @Test("each error names its place, its value and the nearest name")
    func errorsNameTheMember() {
        let faults: [(String, [String])] = [
            (#"{"version": 1, "version": 1}"#, ["not JSON", "repeats"]), (#"{"version": 0}"#, ["0", "expected 1"]),
            (#"{"version": 99}"#, ["version 99", "version 1"]),
            (#"{"version": 1, "settings": {"gotru": {}}}"#, ["\"gotru\" in settings", "\"gotrue\""]),
            (#"{"version": 1, "users": [{}, {"sessions": [{"tokne": "x"}]}]}"#, ["users[1].sessions[0]", "tokne"]),
            (#"{"version": 1, "users": [{"password": "a", "passwordHash": "b", "email": "a@b.c"}]}"#, ["a@b.c", "passwordHash"]),
            (#"{"version": 1, "users": [{"emailConfirmed": true, "phone": "+1"}]}"#, ["+1", "no \"email\""]),
            (#"{"version": 1, "users": [{"anonymous": true, "password": "x"}]}"#, ["users[0]", "anonymous"]),
            (#"{"version": 1, "users": [{"email": "a@b.c", "only": []}]}"#, ["users[0].only", "empty"]),
            (#"{"version": 1, "users": [{"identities": [{"provider": "google"}]}]}"#, ["users[0].identities[0]", "subject"]),
            (#"{"version": 1, "users": [{"factors": [{"kind": "phone"}]}]}"#, ["users[0].factors[0].phone", "+15550100"]),
            (#"{"version": 1, "organizations": [{}]}"#, ["organizations[0]", "name"]),
        ]
        for (text, words) in faults {
            do {
                _ = try Seed(Array(text.utf8))
                Issue.record("accepted: \(text)")
            } catch {
                for word in words { #expect(error.description.contains(word), "\(error) lacks \(word)") }
                #expect(error.kind == .malformed && !error.description.contains("\n"))
            }
        }
    }
}
