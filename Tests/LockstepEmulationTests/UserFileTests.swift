import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepEmulation

@Suite("Files of users in the neutral format", .limitedConcurrency)
struct UserFileTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs")
        .standardizedFileURL.path

    private func inFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        return try body(folder)
    }

    private static func users(_ path: String) throws -> (header: UserFile.Header, users: [SeedUser]) {
        var reader = try UserFileReader(FileReader(path))
        var users: [SeedUser] = []
        while let user = try reader.next() { users.append(user) }
        return (reader.header, users)
    }

    private static let header = #"{"version":1,"source":{"provider":"firebase","project":"demo"}}"#

    @Test("docs/users.schema.json matches the members of a line")
    func schemaHasMembersOfALine() throws {
        let schema = try JSON.parse(Array(Data(contentsOf: URL(fileURLWithPath: Self.docs + "/users.schema.json"))))
        let user = SchemaLines.lines(schema["$defs"]?["user"] ?? .null)
        #expect(user.count > 60)
        #expect(user.symmetricDifference(SchemaLines.lines(SeedUser.schema)) == [])
        let header = SchemaLines.lines(schema["$defs"]?["header"] ?? .null)
        #expect(header.symmetricDifference(SchemaLines.lines(UserFile.Header.schema)) == [])
        let seed = try JSON.parse(Array(Data(contentsOf: URL(fileURLWithPath: Self.docs + "/seed.schema.json"))))
        var ofSeed = seed["properties"]?["users"]?["items"]?.object
        ofSeed?["title"] = "A user"
        #expect(ofSeed.map { JSON.object($0.sorted()) } == schema["$defs"]?["user"]?.object.map { .object($0.sorted()) })
    }

    @Test("the example is written as it was read")
    func exampleIsWrittenAsRead() throws {
        let path = Self.docs + "/users.example.jsonl"
        let (header, users) = try Self.users(path)
        #expect(header == UserFile.Header(provider: "firebase", project: "orders-1a2b3", users: 3) && users.count == 3)
        try inFolder { folder in
            var writer = try UserFileWriter(folder + "/users.jsonl", header)
            for user in users { try writer.write(user) }
            try writer.finish()
            let (first, second) = (try AtomicFile.read(path), try AtomicFile.read(folder + "/users.jsonl"))
            let read = try #require(first), written = try #require(second)
            // The order of members is the writer's own.
            for (one, other) in zip(read.split(separator: 10), written.split(separator: 10)) {
                #expect(try JSON.parse(Array(one)).object?.sorted() == JSON.parse(Array(other)).object?.sorted())
            }
            #expect(try FileStatus(of: folder + "/users.jsonl")?.mode == 0o600)
            #expect(try Folder.names(folder) == ["users.jsonl"])
        }
    }

    @Test("a byte order mark, CR LF and a missing last line end change nothing")
    func readsOtherLineEndings() throws {
        try inFolder { folder in
            let path = folder + "/users.jsonl"
            try AtomicFile.replace(path, with: Array("\u{FEFF}\(Self.header)\r\n{\"id\":\"a\"}\r\n{\"id\":\"b\"}".utf8))
            #expect(try Self.users(path).users.map(\.id) == ["a", "b"])
        }
    }

    @Test("an error names its line, its member and the nearest name")
    func errorsNameTheLine() throws {
        let user = #"{"id":"a"}"#
        let faults: [(String, [String])] = [
            ("", ["empty"]), ("\n", ["line 1", "empty"]), (user + "\n", ["line 1", "\"version\""]),
            (#"{"version":2,"source":{"provider":"a","project":"b"}}"#, ["line 1", "version 2", "Update"]),
            (#"{"version":"1"}"#, ["line 1", "expected 1"]), (#"{"version":1}"#, ["line 1", "\"source.provider\""]),
            (#"{"version":1,"source":{"provider":"a","project":"b"},"users":-1}"#, ["line 1", "-1"]),
            (#"{"version":1,"source":{"provider":"a","projct":"b"}}"#, ["line 1", "\"projct\"", "\"project\""]),
            ("\(Self.header)\n\(user)\n\(Self.header)\n", ["line 3", "second header"]),
            ("\(Self.header)\n\(user)\n\n\(user)", ["line 3", "empty"]),
            ("\(Self.header)\n\(user)\n{\"id\":\"b\",\"ema", ["line 3", "not JSON"]),
            ("\(Self.header)\n{\"id\":\"a\u{0}\"}\n", ["line 2", "NUL"]),
            ("\(Self.header)\n[]\n", ["line 2", "one object"]),
            ("\(Self.header)\n{\"id\":\"a\",\"id\":\"b\"}\n", ["line 2", "repeats"]),
            ("\(Self.header)\n{\"emial\":\"a\"}\n", ["line 2", "\"emial\"", "\"email\""]),
            ("\(Self.header)\n{\"email\":5}\n", ["line 2", "\"email\"", "5", "a string"]),
            ("\(Self.header)\n\(user)\n{\"createdAt\":\"today\"}\n", ["line 3", "\"createdAt\"", "today"]),
            ("\(Self.header)\n{\"factors\":[{\"kind\":\"toTp\"}]}\n", ["line 2", "factors[0].kind", "passkey"]),
            ("\(Self.header)\n{\"factors\":[{\"kind\":\"passkey\",\"count\":2}]}\n", ["line 2", "factors[0].count"]),
            ("\(Self.header)\n{\"otherEmails\":[{}]}\n", ["line 2", "otherEmails[0]", "\"value\""]),
            ("\(Self.header)\n{\"bannedUntil\":\"2026-01-31T12:00:00Z\"}\n", ["line 2", "bannedUntil", "disabled"]),
            ("\(Self.header)\n{\"missingHash\":\"notInAPI\",\"passwordHash\":\"$2b$\"}\n", ["line 2", "missingHash"]),
            (
                #"{"version":1,"source":{"provider":"a","project":"b"},"users":3}"# + "\n\(user)\n",
                ["3 users", "has 1", "Copy the file again"]
            ),
        ]
        try inFolder { folder in
            for (text, words) in faults + [("\(Self.header)\n{\"id\":\"\u{FF}\"}\n", ["line 2", "UTF-8"])] {
                let path = folder + "/users.jsonl"
                // Above U+007F each scalar is one byte: malformed UTF-8.
                let bytes =
                    text.unicodeScalars.contains { $0.value == 0xff }
                    ? text.unicodeScalars.map { UInt8($0.value) } : Array(text.utf8)
                try AtomicFile.replace(path, with: bytes)
                let error = #expect(throws: SeedProblem.self, "accepted: \(text)") { try Self.users(path) }
                for word in words {
                    #expect(error?.description.contains(word) == true, "\(error?.description ?? "") lacks \(word)")
                }
                #expect(error?.description.contains("\n") == false)
            }
            let long = folder + "/long.jsonl"
            try AtomicFile.replace(
                long, with: Array("\(Self.header)\n{\"id\":\"".utf8) + [UInt8](repeating: 0x61, count: 17 << 20))
            let error = #expect(throws: SeedProblem.self) { try Self.users(long) }
            #expect(error?.description.contains("line 2: The line is longer than 16 MiB") == true)
        }
    }

    @Test("a reader continues at the place of another reader, with the same line numbers")
    func continuesAtAnOffset() throws {
        try inFolder { folder in
            let path = folder + "/users.jsonl"
            var writer = try UserFileWriter(path, UserFile.Header(provider: "firebase", project: "demo"))
            for number in 0..<5000 {
                var user = SeedUser()
                user.id = "user-\(number)"
                user.displayName = String(repeating: "n", count: number % 400)
                try writer.write(user)
            }
            try writer.finish()
            var (reader, places) = (try UserFileReader(FileReader(path)), [UserFileReader.Place]())
            repeat { places.append(reader.place) } while try reader.skip()
            #expect(places.count == 5001 && reader.place.line == 5001)
            for number in [0, 1, 777, 4999] {
                var other = try UserFileReader(FileReader(path))
                try other.seek(to: places[number])
                #expect(try other.next()?.id == "user-\(number)" && other.place == places[number + 1])
            }
        }
    }

    @Test("a reader keeps only a piece of the file in memory", .covers("M27"))
    func memoryDoesNotGrowWithTheFile() throws {
        try inFolder { folder in
            let path = folder + "/users.jsonl"
            var writer = try UserFileWriter(path, UserFile.Header(provider: "firebase", project: "demo"))
            for number in 0..<40_000 {
                var user = SeedUser()
                user.id = "user-\(number)"
                user.displayName = String(repeating: "n", count: 200)
                try writer.write(user)
            }
            try writer.finish()
            var reader = try UserFileReader(FileReader(path))
            var (count, largest) = (0, 0)
            while try reader.next() != nil {
                count += 1
                largest = max(largest, reader.heldBytes)
            }
            #expect(count == 40_000)
            #expect(try FileReader(path).size ?? 0 > 8 << 20)
            // A piece has 256 KiB and the rest of the previous piece.
            #expect(largest < 1 << 20)
        }
    }

    @Test("an interrupted writer keeps the old file")
    func discardKeepsTheOldFile() throws {
        try inFolder { folder in
            let path = folder + "/users.jsonl"
            try AtomicFile.replace(path, with: Array("old".utf8))
            var writer = try UserFileWriter(path, UserFile.Header(provider: "firebase", project: "demo"))
            try writer.write(SeedUser())
            writer.discard()
            #expect(try AtomicFile.read(path) == Array("old".utf8) && Folder.names(folder) == ["users.jsonl"])
        }
    }
}
