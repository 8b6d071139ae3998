import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep serve --import and --export-on-exit NAME.jsonl", .limitedConcurrency)
struct UserFileTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-users")
        do { try await body(folder) } catch {
            Self.remove(folder)
            throw error
        }
        Self.remove(folder)
    }

    private static func remove(_ folder: String) {
        try? Folder.remove(folder + "/state")
        try? Folder.remove(folder)
    }

    private static func send(_ method: HTTPMethod, _ line: JSON?, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let token = line?["control"]?["Authorization"]?.string ?? ""
        let response = try await CurlTransport().send(
            HTTPRequest(
                method, (line?["base"]?.string ?? "") + "/__lockstep" + path, headers: ["Authorization": token],
                body: body.map { .json($0) } ?? .none))
        try #require(response.isSuccess, "\(response.status)")
        return try response.json()
    }

    /// The values of one user that only one provider stores, in addition to those of all providers.
    private static let users: [String: JSON] = [
        "firebase": [
            "id": "ada",
            "identities": [["provider": "google", "subject": "1", "displayName": "Ada", "photoURL": "https://a.example/1"]],
            "passwordChangedAt": "2026-02-01T00:00:00.000Z", "sessionsValidSince": "2026-03-01T00:00:00.000Z",
        ],
        "gotrue": [
            "id": "11111111-1111-4111-8111-111111111111", "role": "editor", "audience": "other", "singleSignOn": true,
            "disabled": true, "bannedUntil": "2030-01-01T00:00:00.000Z", "emailIdentity": false,
            "identities": [
                [
                    "provider": "google", "subject": "1", "createdAt": "2026-02-01T00:00:00.000Z",
                    "lastSignInAt": "2026-02-02T00:00:00.000Z",
                ]
            ],
        ],
        "clerk": [
            "id": "user_ada", "username": "ada", "firstName": "Ada Augusta", "lastName": "Lovelace", "locked": true,
            "phone": "+15555550100", "phoneConfirmed": true,
            "otherEmails": [["value": "second@example.com", "confirmed": true], ["value": "third@example.com"]],
            "otherPhones": [["value": "+15555550101", "confirmed": true]],
        ],
    ]

    @Test(
        "a file is imported, exported at the end with private permissions, and unchanged",
        arguments: ["firebase", "gotrue", "clerk"])
    func importsAndExports(_ provider: String) async throws {
        try await inFolder { folder in
            let (first, second, third) = ("\(folder)/first.jsonl", "\(folder)/second.jsonl", "\(folder)/third.jsonl")
            var user = try #require(Self.users[provider]?.object)
            user["email"] = "ada@example.com"
            user["emailConfirmed"] = true
            user["passwordHash"] = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"
            user["createdAt"] = "2026-01-31T12:00:00.000Z"
            let header = #"{"version":1,"source":{"provider":"elsewhere","project":"demo"}}"#
            try AtomicFile.replace(first, with: Array("\(header)\n\(JSON.object(user).text())\n".utf8))
            let arguments =
                [provider, "--import", first, "--export-on-exit", second] + (provider == "firebase" ? ["--mode", "strict"] : [])
            let served = try await ServerProcess.serving(arguments, lines: 1) { lines async throws in
                #expect(try await Self.send(.get, lines.first, "/users")["users"]?.array?.count == 1)
                _ = try await Self.send(.post, lines.first, "/users", ["email": "grace@example.com", "emailConfirmed": true])
            }
            #expect(served.status == 0)
            let bytes = try #require(try AtomicFile.read(second))
            let lines = try bytes.split(separator: 10).map { try JSON.parse(Array($0)) }
            #expect(lines.count == 3 && lines[0]["users"] == 2 && lines[0]["source"]?["provider"]?.string == provider)
            for (name, value) in user where name != "passwordHash" && name != "displayName" {
                #expect(lines[1][name]?.canonical == value.canonical, "\(name): \(lines[1][name] ?? .null)")
            }
            #expect(lines[1]["passwordHash"]?.string?.isEmpty == false)
            #expect(try FileStatus(of: second)?.mode == 0o600)
            let again =
                [provider, "--import", second, "--export-on-exit", third] + (provider == "firebase" ? ["--mode", "strict"] : [])
            _ = try await ServerProcess.serving(again, lines: 1) { _ in }
            let written = try #require(try AtomicFile.read(third))
            #expect(written.split(separator: 10).dropFirst().elementsEqual(bytes.split(separator: 10).dropFirst()))
        }
    }

    @Test("organizations are exported and imported; users of tenants are not left out in silence")
    func leavesNothingOutInSilence() async throws {
        try await inFolder { folder in
            let (path, out) = ("\(folder)/users.jsonl", "\(folder)/out.jsonl")
            let header: JSON = [
                "version": 1, "source": ["provider": "clerk", "project": "x"],
                "organizations": [["name": "Acme", "id": "org_1", "members": [["user": "user_1", "role": "org:admin"]]]],
            ]
            let user = """

                {"id":"user_1","email":"a@b.example","factors":[{"kind":"totp"},{"kind":"backupCodes","codes":["abcd1234"]}]}
                """
            try AtomicFile.replace(path, with: header.bytes() + Array((user + "\n").utf8))
            _ = try await ServerProcess.serving(["clerk", "--import", path, "--export-on-exit", out], lines: 1) { _ in }
            let written = try #require(try AtomicFile.read(out)).split(separator: 10).map { try JSON.parse(Array($0)) }
            #expect(written[0]["organizations"]?[0]?["members"] == [["user": "user_1", "role": "org:admin"]], "\(written)")
            #expect(written[1]["factors"]?[1]?["codes"] == ["abcd1234"], "\(written)")

            let old = Array("old".utf8)
            try AtomicFile.replace(path, with: old)
            let served = try await ServerProcess.serving(["firebase", "--export-on-exit", path], lines: 1) { lines async throws in
                let base = lines.first?["base"]?.string ?? ""
                let project = lines.first?["project"]?.string ?? "demo-lockstep"
                _ = try await CurlTransport().send(
                    HTTPRequest(
                        .post, "\(base)/identitytoolkit.googleapis.com/v1/projects/\(project)/tenants/team/accounts",
                        headers: ["Authorization": "Bearer owner"], body: .json(["email": "t@b.example"])))
            }
            #expect(served.status != 0, "the export left out a user, and the status is \(served.status)")
            #expect(try AtomicFile.read(path) == old && Folder.isThere(folder + "/users.new.jsonl"))
        }
    }

    @Test("SIGTERM exports the users, and a missing import starts without users")
    func sigtermExportsUsers() async throws {
        try await inFolder { folder in
            let path = folder + "/users.jsonl"
            let arguments = ["serve", "--port", "0", "gotrue", "--format", "json", "--import", path, "--export-on-exit", path]
            let process = try ChildProcess(Lockstep.executable, arguments, environment: Lockstep.environment([:]))
            let (status, errors) = try await BlockingThread.run {
                _ = try process.readOutput()
                process.send(.terminate)
                var errors: [UInt8] = []
                while case let part = try process.readErrors(), !part.isEmpty { errors += part }
                return (try process.wait(), String(decoding: errors, as: UTF8.self))
            }
            #expect(status == 0 && errors.contains("there is no \(path) yet"), "\(errors)")
            #expect(try AtomicFile.read(path)?.isEmpty == false && Folder.names(folder) == ["users.jsonl"])
        }
    }

    @Test("an unusable import ends the start with status 2 and one sentence, and writes nothing")
    func rejectsUsersThatItCannotKeep() async throws {
        try await inFolder { folder in
            let (path, out) = (folder + "/users.jsonl", folder + "/out.jsonl")
            let header = #"{"version":1,"source":{"provider":"a","project":"b"}}"#
            let files: [(text: String, words: [String], arguments: [String])] = [
                ("\(header)\n{\"email\":\"a@b.example\"}\n{\"emial\":\"a\"}", ["line 3", "\"email\""], ["gotrue"]),
                ("\(header)\n{\"email\":\"a@b.example\",\"username\":\"a\"}", ["\"username\"", "gotrue"], ["gotrue"]),
                ("\(header)\n{\"email\":\"a@b.example\",\"tenant\":\"a\"}", ["\"tenant\"", "clerk"], ["clerk"]),
                ("\(header)\n{\"email\":\"a@b.example\",\"role\":\"a\"}", ["\"role\"", "firebase"], ["firebase"]),
                ("\(header)\n{\"email\":\"a@b.example\",\"factors\":[{\"kind\":\"passkey\"}]}", ["factors.kind"], ["gotrue"]),
                (
                    "\(header)\n{\"email\":\"a@b.example\",\"factors\":[{\"kind\":\"totp\",\"verified\":false}]}",
                    ["factors.verified"], ["clerk"]
                ),
                ("\(header)\n{\"email\":\"a@b.example\"}\n{\"email\":\"A@b.example\"}", ["A@b.example"], ["gotrue"]),
                ("\(header)\n{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"a\"}", ["lines 2 and 4", "\"a\""], ["firebase"]),
                ("{}", ["line 1", "version"], ["firebase"]), ("\(header)\n", ["one provider"], ["gotrue", "clerk"]),
            ]
            let state = folder + "/state"
            for file in files {
                try AtomicFile.replace(path, with: Array(file.text.utf8))
                let arguments =
                    ["serve", "--port", "0", "--import", path, "--export-on-exit", out, "--data", state] + file.arguments
                let run = try await Lockstep.run(arguments)
                #expect(run.status == 2 && run.output.isEmpty, "\(file.text): \(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
                for word in file.words { #expect(run.errors.contains(word), "\(run.errors) lacks \(word)") }
                #expect(try !Folder.isThere(out) && !Folder.isThere(out + ".new"))
            }
            _ = try await ServerProcess.serving(["gotrue", "--data", state], lines: 1) { lines async throws in
                #expect(try await Self.send(.get, lines.first, "/users")["users"] == [])
            }
            for place in [folder, folder + "/none/users.jsonl"] {
                let option = place == folder ? ["--import", folder + "/none.jsonl"] : ["--export-on-exit", place]
                let run = try await Lockstep.run(["serve", "--port", "0", "gotrue"] + option)
                #expect(run.status == 2 && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            }
        }
    }
}

extension JSON {
    /// The value with the members of each object in one order.
    fileprivate var canonical: JSON {
        switch self {
        case .object(let object): .object(JSONObject(object.map { ($0.name, $0.value.canonical) }).sorted())
        case .array(let values): .array(values.map(\.canonical))
        default: self
        }
    }
}
