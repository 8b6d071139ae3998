import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep migrate with a source of one's own", .limitedConcurrency) struct MigrateMappingTests {
    private static let hash = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs")
        .standardizedFileURL.path

    private static func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-mapping")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// The users of a source, with the fields that are proposed for them, and a mapping if a person must write one.
    struct Source: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let users: String
        let proposed: [String: JSON]
        let unknown: [String]
        var mapping: JSON?
    }

    static let sources = [
        Source(
            testDescription: "a password export of Auth0 (JSON Lines)",
            users: """
                {"_id":{"$oid":"60425dc43519d90068f82973"},"email_verified":true,"email":"ada@example.com","passwordHash":"\(hash)",\
                "password_set_date":{"$date":"2021-03-05T16:32:10.254Z"},"tenant":"dev-1","created_at":"2020-03-05T16:32:10.254Z"}
                {"_id":{"$oid":"60425dc43519d90068f82974"},"email_verified":false,"email":"eve@example.com","passwordHash":"$2b$10$half"}

                """,
            proposed: [
                "id": "_id.$oid", "email": "email", "emailConfirmed": "email_verified", "passwordHash": "passwordHash",
                "createdAt": "created_at", "passwordChangedAt": "password_set_date.$date",
            ], unknown: ["tenant"]),
        Source(
            testDescription: "a table of Cognito's users (CSV)",
            users: """
                cognito:username,name,given_name,family_name,email,email_verified,phone_number,phone_number_verified,cognito:mfa_enabled,hash,created
                ada,Ada L,Ada,L,ada@example.com,TRUE,+4915112345601,FALSE,FALSE,\(hash),1583425930
                eve,,,,eve@example.com,false,,false,FALSE,,1583425930

                """,
            proposed: [
                "id": "cognito:username", "email": "email", "emailConfirmed": "email_verified", "phone": "phone_number",
                "phoneConfirmed": "phone_number_verified", "displayName": "name", "firstName": "given_name",
                "lastName": "family_name", "passwordHash": "hash", "createdAt": ["from": "created", "form": "seconds"],
            ], unknown: ["cognito:mfa_enabled"]),
        Source(
            testDescription: "a table of one's own (JSON)",
            users: """
                [{"number": 1, "contact": {"mail": "ada@example.com"}, "state": "active", "pw": "\(hash)", "roles": ["admin"], "since": 1583425930254},
                 {"number": 2, "contact": {"mail": "eve@example.com"}, "state": "locked", "pw": null, "roles": [], "since": 1583425930254}]
                """,
            proposed: [:], unknown: ["number", "contact", "state", "pw", "roles", "since"],
            mapping: [
                "version": 1,
                "fields": [
                    "id": "number", "email": "contact.mail", "passwordHash": ["from": "pw", "form": "bcrypt"],
                    "emailConfirmed": ["from": "state", "words": ["active": true, "locked": false]],
                    "disabled": ["from": "state", "words": ["active": false, "locked": true]], "appMetadata.roles": "roles",
                    "createdAt": ["from": "since", "form": "milliseconds"], "userMetadata.origin": ["constant": "table"],
                ],
            ]),
    ]

    /// From the proposal to a sign-in with the old password.
    @Test(arguments: sources) func sourceIsMapped(_ source: Source) async throws {
        try await Self.inFolder { folder in
            _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
                let target = try #require(lines.first)
                let base = target["base"]?.string ?? ""
                let key = ["LOCKSTEP_TEST_KEY": target["vars"]?["service_role"]?.string ?? ""]
                let (users, mapping) = ("\(folder)/users", "\(folder)/mapping.json")
                try AtomicFile.replace(users, with: Array(source.users.utf8))
                let proposal = try await Lockstep.run("migrate", "map-source", users, "--output", mapping, "--format", "json")
                let json = try JSON.parse(proposal.output)["source"] ?? .null
                let proposed = JSONObject(source.proposed.map { ($0, $1) }).sorted()
                #expect(proposal.status == 0 && json["mapping"]?["fields"]?.object?.sorted() == proposed, "\(proposal.output)")
                #expect(json["unknown"]?.array?.compactMap { $0["member"]?.string } == source.unknown)
                #expect(!proposal.output.contains("ada@"))
                #expect(try await Lockstep.run("migrate", "map-source", users, "--output", mapping).status == 2)
                if let own = source.mapping { try AtomicFile.replace(mapping, with: own.bytes()) }
                let move: JSON = [
                    "from": ["file": "users", "mapping": "mapping.json", "provider": "own", "project": "shop"],
                    "to": ["provider": "gotrue", "url": .string(base), "key": ["env": "LOCKSTEP_TEST_KEY"]],
                ]
                try AtomicFile.replace("\(folder)/move.json", with: move.bytes())
                for arguments in [["plan"], ["apply", "--yes"], ["verify"]] {
                    let run = try await Lockstep.run(["migrate"] + arguments + ["--move", "\(folder)/move.json"], variables: key)
                    #expect(run.status == 0, "\(arguments): \(run.output)\(run.errors)")
                }
                let signIn = try await CurlTransport().send(
                    HTTPRequest(
                        .post, base + "/token?grant_type=password", headers: ["apikey": target["vars"]?["anon"]?.string ?? ""],
                        body: .json(["email": "ada@example.com", "password": "Old-Password-1!"])))
                #expect(signIn.isSuccess, "\(signIn.status)")
                if source.mapping != nil {
                    let user = try signIn.json()["user"]
                    #expect(user?["app_metadata"]?["roles"] == ["admin"] && user?["user_metadata"]?["origin"] == "table")
                }
            }
        }
    }

    /// Each mapping that is refused, with the words of its error.
    @Test(arguments: [
        (
            #"{"version": 1, "fields": {"id": "id",\#n"emailConfirmed": {"constant": true}}}"#,
            ["line 2", "fields.emailConfirmed", "from"]
        ),
        (#"{"version": 1, "fields": {"id": "id", "role": {"constant": "service_role"}}}"#, ["fields.role"]),
        (#"{"version": 1, "fields": {"id": "id", "appMetadata.admin": {"constant": true}}}"#, ["appMetadata.admin", "constant"]),
        (#"{"version": 1, "fields": {"id": "id", "otherEmails": {"constant": [{"value": "a@b.example"}]}}}"#, ["otherEmails"]),
        (
            #"{"version": 1, "fields": {"id": "id", "otherEmails": {"from": "mails", "each": {"confirmed": {"constant": true}}}}}"#,
            ["each.confirmed"]
        ),
        (
            #"{"version": 1, "fields": {"id": "id", "factors": {"from": "mfa", "each": {"kind": "type"}}}}"#,
            ["fields.factors.each", "\"verified\" is missing"]
        ),
        (#"{"version": 1, "fields": {"id": "id", "emial": "email"}}"#, ["fields.emial", "Did you mean email"]),
        (#"{"version": 1, "fields": {"id": "id", "password": "email"}}"#, ["fields.password", "passwordHash"]),
        (
            #"{"version": 1, "fields": {"id": "id", "createdAt": {"from": "email", "form": "days"}}}"#,
            ["createdAt.form", "seconds"]
        ),
        (#"{"version": 1, "fields": {"email": "email"}}"#, ["\"id\" is missing"]),
        (#"{"version": 1, "fields": {"id": "id"},}"#, ["not JSON", "line 1"]),
        (#"{"version": 2, "fields": {"id": "id"}}"#, ["version"]),
        (
            #"{"version": 1, "fields": {"id": "id", "otherEmails": {"from": "mails", "each": {"value": {"constant": "a@b"}}}}}"#,
            ["each.value", "constant"]
        ),
        (
            #"{"version": 1, "fields": {"id": "id", "appMetadata.role": "role", "appMetadata": "meta"}}"#,
            ["\"fields.appMetadata\"", "\"appMetadata.role\""]
        ),
    ])
    func refusedMappingNamesTheMember(_ mapping: String, _ words: [String]) async throws {
        try await Self.inFolder { folder in
            let move: JSON = [
                "from": ["file": "users", "mapping": "mapping.json", "provider": "own", "project": "shop"],
                "to": ["provider": "firebase", "emulator": "http://127.0.0.1:9", "project": "demo"],
            ]
            for (name, text) in [
                ("users", #"{"id": "ada", "email": "ada@example.com"}"#), ("mapping.json", mapping), ("move.json", move.text()),
            ] { try AtomicFile.replace("\(folder)/\(name)", with: Array(text.utf8)) }
            let plan = try await Lockstep.run("migrate", "plan", "--move", "\(folder)/move.json")
            #expect(plan.status == 2, "\(plan.status)")
            for word in words { #expect(plan.errors.contains(word), "\(plan.errors) lacks \(word)") }
            #expect(!plan.errors.contains("ada@"))
        }
    }

    @Test("docs/mapping.schema.json is what the command prints") func schemaIsPrinted() async throws {
        let printed = try await Lockstep.run("migrate", "map-source", "--print-schema").output
        let kept = try String(contentsOfFile: Self.docs + "/mapping.schema.json", encoding: .utf8)
        #expect(kept == printed, "Run: lockstep migrate map-source --print-schema > docs/mapping.schema.json")
    }
}
