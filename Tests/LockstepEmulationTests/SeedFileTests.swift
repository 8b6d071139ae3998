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

    /// The members of a JSON Schema and of a declaration, with their kinds, as lines.
    private func lines(_ schema: JSON, at place: String = "") -> Set<String> {
        var lines: Set<String> = []
        for (name, member) in schema["properties"]?.object ?? [:] {
            lines.insert("\(place)\(name): \(Self.kind(member))")
            let element = member["items"] ?? member
            if element["properties"] != nil { lines.formUnion(self.lines(element, at: "\(place)\(name).")) }
        }
        return lines
    }

    private static func kind(_ member: JSON) -> String {
        if member["const"] != nil { return "number" }
        if member["enum"] != nil { return "string" }
        let type = member["type"]?.string ?? ""
        return type == "array" ? "array of \(kind(member["items"] ?? .null))" : type
    }

    private func lines(_ schema: BodySchema, at place: String = "") -> Set<String> {
        var lines: Set<String> = []
        for (name, kind) in schema.members {
            lines.insert("\(place)\(name): \(Self.kind(kind))")
            var element = kind
            if case .list(let inner) = kind { element = inner }
            if case .members(let inner) = element { lines.formUnion(self.lines(inner, at: "\(place)\(name).")) }
        }
        return lines
    }

    private static func kind(_ kind: BodySchema.Kind) -> String {
        switch kind {
        case .text, .choice: "string"
        case .flag: "boolean"
        case .whole: "number"
        case .object, .members: "object"
        case .list(let element): "array of \(Self.kind(element))"
        default: "unknown"
        }
    }

    @Test("docs/seed.schema.json has the members that a seed may have, and no others")
    func schemaHasMembersOfSeed() throws {
        let schema = try Self.read("seed.schema.json")
        #expect(lines(schema).count > 40)
        #expect(lines(schema).symmetricDifference(lines(Seed.schema)) == [])
    }

    @Test("the example is a seed, and is written as it was read")
    func exampleIsRead() throws {
        var example = try #require(try Self.read("seed.example.json").object)
        let seed = try Seed(JSON.object(example).bytes())
        example["$schema"] = JSON?.none
        #expect(seed.json == .object(example))
        #expect(Set(Seed.providers.map { seed.limited(to: $0).users.count }) == [3])
    }

    @Test("each fault is told with its place, its value and the nearest name")
    func faultsAreNamed() {
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
