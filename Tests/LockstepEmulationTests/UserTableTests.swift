import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepEmulation

@Suite("Files of users as comma-separated values", .limitedConcurrency)
struct UserTableTests {
    private static let source = UserFile.Header(provider: "firebase", project: "demo")

    private static func inFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        return try body(folder + "/users.csv")
    }

    private static func users(_ bytes: [UInt8]) throws -> [SeedUser] {
        try inFolder { path in
            try AtomicFile.replace(path, with: bytes)
            var reader = try UserFileReader(table: FileReader(path), source: source)
            var users: [SeedUser] = []
            while let user = try reader.next() { users.append(user) }
            return users
        }
    }

    @Test("values have the kinds of their columns, also with quotes, commas, line ends and formulas")
    func readsValues() throws {
        let text = """
            displayName,id,emailConfirmed,email,appMetadata,identities\r
            "O'Brien, ""Pat""\r
            second line",=1+1,true,a@example.com,"{""role"":""admin"",""n"":1}","[{""provider"":""google"",""subject"":""g1""}]"\r
            \tx ,-2,false,,,\r
            "",@b,,"b@example.com",{},[]
            """
        for bytes in [Array(text.utf8), [0xef, 0xbb, 0xbf] + Array(text.utf8), Array((text + "\n").utf8)] {
            let users = try Self.users(bytes)
            #expect(users.map(\.id) == ["=1+1", "-2", "@b"])
            #expect(users.map(\.displayName) == ["O'Brien, \"Pat\"\r\nsecond line", "\tx ", nil])
            #expect(users.map(\.email) == ["a@example.com", nil, "b@example.com"])
            #expect(users.map(\.isEmailConfirmed) == [true, false, false])
            #expect(users[0].appMetadata["role"] == "admin" && users[0].identities.first?.subject == "g1")
        }
    }

    private static let faults: [(String, [String])] = [
        ("", ["empty"]), ("\n", ["line 1", "empty"]), ("ada,ada@example.com\n", ["line 1", "no column \"id\""]),
        ("id,emial\nx,y\n", ["line 1", "\"emial\"", "\"email\""]), ("id,email,id\n", ["line 1", "\"id\"", "twice"]),
        ("id,email\na\n", ["line 2", "1 values for 2 columns"]), ("id,email\na,b,c\n", ["line 2", "3 values for 2 columns"]),
        ("id\n\na\n", ["line 2", "empty"]), ("id,email\na,\"b\nc\nd", ["line 2", "ends inside quotes"]),
        ("id,email\na,b\"c\n", ["line 2", "quotes"]), ("id,email\n\"a\"x,b\n", ["line 2", "Value 1", "closing quote"]),
        ("id,email\r\na,b\rc,d\r\n", ["line 2", "carriage return"]), ("id\na\u{0}\n", ["line 2", "NUL"]),
        ("id,emailConfirmed\na,yes\n", ["line 2", "\"emailConfirmed\"", "true or false"]),
        ("id,appMetadata\na,{x}\n", ["line 2", "\"appMetadata\"", "not JSON"]),
        ("id,displayName\n\"a\",\"1\n2\n3\"\nb,\"4\n5\"\nc\n", ["line 7", "1 values"]),
        ("id,createdAt\na,today\n", ["line 2", "\"createdAt\""]),
    ]

    /// The beginnings of files that others export: Firebase's command (no names of columns), Clerk's dashboard, Auth0.
    private static let exports: [(String, [String])] = [
        (
            "0a1,ada@example.com,true,aGFzaA==,c2FsdA==,Ada" + String(repeating: ",", count: 47) + "\n",
            ["line 1", "no column \"id\""]
        ),
        (
            "id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,password_digest\n"
                + "user_1,Ada,L,ada,ada@example.com,,ada@example.com,$2a$10$x\n",
            ["line 1", "Unknown column \"first_name\""]
        ),
        ("\"user_id\",\"email\"\n\"auth0|1\",\"ada@example.com\"\n", ["line 1", "no column \"id\""]),
    ]

    @Test("an error names its line and its column and shows no value of a user")
    func errorsNameTheLine() throws {
        for (text, words) in Self.faults + Self.exports {
            let error = #expect(throws: SeedProblem.self, "accepted: \(text)") { try Self.users(Array(text.utf8)) }
            for word in words {
                #expect(error?.description.contains(word) == true, "\(error?.description ?? "") lacks \(word)")
            }
            #expect(error?.description.contains("\n") == false && error?.description.contains("ada@") == false)
        }
        let wide = "id,email\na,b\n".utf8.flatMap { unit -> [UInt8] in [unit, 0] }
        for bytes in [[0xff, 0xfe] + wide, [0xfe, 0xff] + wide, Array("id\n".utf8) + [0xff, 10]] {
            let error = #expect(throws: SeedProblem.self) { try Self.users(bytes) }
            #expect(error?.description.contains("UTF-8") == true, "\(error?.description ?? "")")
        }
        let endless = Array("id\na,\"".utf8) + [UInt8](repeating: 0x61, count: 17 << 20)
        let error = #expect(throws: SeedProblem.self) { try Self.users(endless) }
        #expect(error?.description.contains("line 2: The record is longer than 16 MiB") == true)
    }

    @Test("a reader keeps a piece of the file in memory and continues at the place of another reader", .covers("M27"))
    func readsInPieces() throws {
        try Self.inFolder { path in
            let name = String(repeating: "n", count: 200)
            let lines = (0..<30_000).map { "user-\($0),\"\(name)\n\(name)\"\r\n" }
            try AtomicFile.replace(path, with: Array(("id,displayName\r\n" + lines.joined()).utf8))
            var reader = try UserFileReader(table: FileReader(path), source: Self.source)
            var places: [UserFileReader.Place] = []
            var (count, largest) = (0, 0)
            while let user = try reader.next() {
                #expect(user.id == "user-\(count)" && user.displayName == "\(name)\n\(name)")
                if count % 7000 == 0 { places.append(reader.place) }
                count += 1
                largest = max(largest, reader.heldBytes)
            }
            #expect(count == 30_000 && reader.place.line == 60_001 && largest < 1 << 20)
            #expect(try FileReader(path).size ?? 0 > 8 << 20)
            for (number, place) in places.enumerated() {
                var other = try UserFileReader(table: FileReader(path), source: Self.source)
                try other.seek(to: place)
                #expect(try other.skip() && other.next()?.id == "user-\(number * 7000 + 2)")
            }
        }
    }
}
