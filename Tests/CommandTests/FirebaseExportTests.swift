import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep serve firebase --import, --export-on-exit", .limitedConcurrency)
struct FirebaseExportTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// Calls an operation of a server like an app.
    private func call(_ lines: [JSON], _ path: String, _ body: JSON) async throws -> (
        status: Int, json: JSON
    ) {
        let base = try #require(lines.first?["base"]?.string)
        let headers: HTTPHeaders = ["X-Goog-Api-Key": "any"]
        let address = "\(base)/identitytoolkit.googleapis.com/\(path)"
        let response = try await CurlTransport().send(HTTPRequest(.post, address, headers: headers, body: .json(body)))
        return (response.status, (try? response.json()) ?? .null)
    }

    /// The users of Firebase's own emulator, whose passwords are in clear text.
    private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Fixtures/Exports/firebase-emulator").standardizedFileURL.path
    private static let grace: JSON = ["email": "grace@example.com", "password": "second horse"]
    private static let ada: JSON = ["email": "ada@example.com", "password": "correct horse"]

    private func file(_ path: String) throws -> JSON { try JSON.parse(Array(try Data(contentsOf: URL(fileURLWithPath: path)))) }

    @Test func usersAreExportedToAFolderAndImported() async throws {
        try await inFolder { folder in
            let export = folder + "/seed"
            let first = try await ServerProcess.serving(["firebase", "--export-on-exit", export], lines: 1) {
                lines async throws in
                #expect(try await call(lines, "v1/accounts:signUp", Self.ada).status == 200)
                let body: JSON = ["email": "t@example.com", "password": "correct horse", "tenantId": "../team"]
                #expect(try await call(lines, "v1/accounts:signUp", body).status == 200)
            }
            #expect(first.status == 0)
            #expect(try Folder.names(export).sorted() == ["auth_export", "firebase-export-metadata.json"])
            let names = try Folder.names(export + "/auth_export").sorted()
            #expect(names == ["accounts-..%2Fteam.json", "accounts.json", "config.json"])
            #expect(try Folder.names(folder) == ["seed"], "No tenant's name leads out of the folder.")
            #expect(try FileStatus(of: export + "/auth_export/accounts.json")?.mode == 0o600)
            #expect(try file(export + "/firebase-export-metadata.json")["auth"]?["path"] == "auth_export")
            // Exports of Firebase's other emulators next to it stay.
            let metadata = #"{"version":"15.0.0","firestore":{"path":"firestore_export"},"auth":{"path":"auth_export"}}"#
            try metadata.write(toFile: export + "/firebase-export-metadata.json", atomically: true, encoding: .utf8)
            let arguments = ["firebase", "--mode", "strict", "--import", export, "--export-on-exit", export]
            for _ in 0..<2 {
                _ = try await ServerProcess.serving(arguments, lines: 1) { lines async throws in
                    #expect(try await call(lines, "v1/accounts:signInWithPassword", Self.ada).status == 200)
                    let body: JSON = ["email": "t@example.com", "password": "correct horse", "tenantId": "../team"]
                    #expect(try await call(lines, "v1/accounts:signInWithPassword", body).status == 200)
                }
            }
            #expect(try file(export + "/firebase-export-metadata.json")["firestore"]?["path"] == "firestore_export")
        }
    }

    @Test func exportWritesEveryTenantWhateverItsName() async throws {
        try await inFolder { folder in
            let tenants = [String(repeating: "a", count: 300), "b", String(repeating: "/", count: 120)]
            func body(_ tenant: String) -> JSON {
                ["email": "t@example.com", "password": "correct horse", "tenantId": .string(tenant)]
            }
            let export = folder + "/seed"
            let first = try await ServerProcess.serving(["firebase", "--export-on-exit", export], lines: 1) {
                lines async throws in
                for tenant in tenants { #expect(try await call(lines, "v1/accounts:signUp", body(tenant)).status == 200) }
            }
            #expect(first.status == 0)
            _ = try await ServerProcess.serving(["firebase", "--import", export], lines: 1) { lines async throws in
                for tenant in tenants {
                    #expect(try await call(lines, "v1/accounts:signInWithPassword", body(tenant)).status == 200)
                }
            }
        }
    }

    @Test(arguments: ["a folder", "garbage"]) func usersAreExportedNextToAnUnusablePlace(_ kind: String) async throws {
        try await inFolder { folder in
            let export = folder + "/seed"
            let run = try await ServerProcess.serving(["firebase", "--export-on-exit", export], lines: 1) { lines async throws in
                #expect(try await call(lines, "v1/accounts:signUp", Self.ada).status == 200)
                try FileManager.default.createDirectory(
                    atPath: export + (kind == "garbage" ? "" : "/auth_export/accounts.json"), withIntermediateDirectories: true)
                if kind == "garbage" {
                    try "{".write(toFile: export + "/firebase-export-metadata.json", atomically: true, encoding: .utf8)
                }
            }
            #expect(run.status != 0)
            #expect(try file(export + ".new/auth_export/accounts.json")["users"]?.array?.count == 1)
        }
    }

    /// An export of Firebase's own emulator, and the export of ours after it was imported.
    @Test func exportsOfFirebasesEmulatorAreAccepted() async throws {
        try await inFolder { folder in
            let (google, ours) = (Self.fixture, folder + "/ours")
            for arguments in [["--import", google, "--export-on-exit", ours], ["--import", ours]] {
                _ = try await ServerProcess.serving(["firebase"] + arguments, lines: 1) { lines async throws in
                    let user = try await call(lines, "v1/accounts:signInWithPassword", Self.grace)
                    #expect(user.json["localId"] == "grace" && user.json["mfaInfo"]?[0]?["mfaEnrollmentId"] == "factor-1")
                }
            }
        }
    }

    @Test func fileHasTheFormatOfAuthExport() async throws {
        try await inFolder { folder in
            let path = folder + "/users.json"
            let settings = folder + "/settings"
            try "hashing.signerKey=\(Base64.encode([UInt8](repeating: 7, count: 64)))".write(
                toFile: settings, atomically: true, encoding: .utf8)
            _ = try await ServerProcess.serving(["firebase", "--env", settings, "--export-on-exit", path], lines: 1) {
                lines async throws in
                #expect(try await call(lines, "v1/accounts:signUp", Self.ada).status == 200)
            }
            let user = try #require(try file(path)["users"]?[0]?.object)
            #expect(user["lastSignedInAt"] != nil && user["lastLoginAt"] == nil && user["validSince"] == nil)
            #expect(user["providerUserInfo"] == [], "firebase auth:import knows no provider password.")
            #expect(user["passwordHash"]?.string.map { Base64.decode($0) != nil } == true)
            _ = try await ServerProcess.serving(["firebase", "--env", settings, "--import", path], lines: 1) {
                lines async throws in
                #expect(try await call(lines, "v1/accounts:signInWithPassword", Self.ada).status == 200)
            }
        }
    }

    @Test func invalidInputPrintsOneSentence() async throws {
        try await inFolder { folder in
            let csv = folder + "/users.json"
            try "user-1,ada@example.com,true".write(toFile: csv, atomically: true, encoding: .utf8)
            let empty = folder + "/empty"
            try Folder.make(empty)
            for arguments in [
                ["firebase", "--import", folder + "/missing"], ["firebase", "--import", empty], ["firebase", "--import", csv],
                ["gotrue", "--import", empty], ["clerk", "--export-on-exit", empty],
                ["firebase", "--import", folder + "/missing.json"],
            ] {
                let run = try await Lockstep.run(["serve", "--port", "0"] + arguments)
                #expect(run.status == 2, "\(arguments)")
                #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            }
            let data = folder + "/state"
            _ = try await ServerProcess.serving(["firebase", "--data", data], lines: 1) { lines async throws in
                #expect(try await call(lines, "v1/accounts:signUp", Self.ada).status == 200)
            }
            let run = try await Lockstep.run("serve", "--port", "0", "firebase", "--data", data, "--import", empty)
            #expect(run.status == 2, "Users of a folder and of an import are not mixed.")
            let users = #"{"users":[{"localId":"user-1","email":"ada@example.com"},{"localId":"user-2","email":"no address"}]}"#
            try users.write(toFile: csv, atomically: true, encoding: .utf8)
            let told = try await ServerProcess.errors(of: ["firebase", "--import", csv])
            #expect(told.contains("user-2") && !told.contains("user-1"))
        }
    }

    private func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    /// The messages of a Firebase server to a person.
    private func told(_ arguments: String...) async throws -> String {
        try await ServerProcess.errors(of: ["firebase"] + arguments)
    }

    /// A settings file with the key of password hashes.
    private func settings(in folder: String) throws -> String {
        let path = folder + "/settings"
        try write("hashing.signerKey=\(Base64.encode([UInt8](repeating: 7, count: 64)))", to: path)
        return path
    }

    /// A file of `auth:export` has no place for the key of its hashes.
    ///
    /// With a key of the server the hashes would be lost.
    @Test func fileNeedsTheKeyOfItsPasswordHashes() async throws {
        try await inFolder { folder in
            let (path, settings) = (folder + "/users.json", try settings(in: folder))
            let users = #"{"users":[{"localId":"user-1","email":"ada@example.com","passwordHash":"AAAA","salt":"AAAA"}]}"#
            try write(users, to: path)
            let data = folder + "/state"
            for arguments in [
                ["--import", path, "--export-on-exit", path], ["--export-on-exit", path], ["--import", path],
                ["--import", path, "--data", data],
            ] {
                let run = try await Lockstep.run(["serve", "--port", "0", "firebase"] + arguments)
                #expect(run.status == 2 && run.errors.contains("hashing.signerKey"), "\(arguments) \(run.errors)")
                #expect(try text(path) == users, "\(arguments)")
            }
            // Users without passwords need no key, nor do users of Firebase's emulator, which hashes nothing. A folder stores
            // the key.
            let open = #"{"users":[{"localId":"1"},{"localId":"2","passwordHash":"fakeHash:salt=a:password=b","salt":"a"}]}"#
            try write(open, to: path)
            #expect(try await told("--import", path, "--export-on-exit", folder + "/out").isEmpty)
            #expect(try await told("--data", data, "--export-on-exit", folder + "/own.json").isEmpty)
            #expect(try await told("--env", settings, "--export-on-exit", path).isEmpty)
        }
    }

    @Test func missingImportStartsWithoutUsers() async throws {
        try await inFolder { folder in
            let settings = try settings(in: folder)
            for (name, slash, made) in [("seed", "/", "/auth_export/accounts.json"), ("users.json", "", "")] {
                let path = folder + "/" + name
                let first = try await told("--env", settings, "--import", path, "--export-on-exit", path + slash)
                #expect(first.contains(path) && !first.contains("did not start"), "\(first)")
                #expect(try file(path + made)["users"] == [])
                let second = try await told("--env", settings, "--import", path, "--export-on-exit", path + slash)
                #expect(second.isEmpty, "It is there now: \(second)")
            }
            let other = ["firebase", "--import", folder + "/missing", "--export-on-exit", folder + "/out"]
            #expect(try await Lockstep.run(["serve", "--port", "0"] + other).status == 2)
        }
    }

    @Test func unwritableExportIsReportedAtTheStart() async throws {
        try await inFolder { folder in
            let settings = try settings(in: folder)
            try Folder.make(folder + "/folder.json")
            for path in [settings, settings + "/seed", folder + "/missing/users.json", folder + "/folder.json"] {
                let run = try await Lockstep.run("serve", "--port", "0", "firebase", "--env", settings, "--export-on-exit", path)
                #expect(run.status == 2 && run.output.isEmpty, "\(path)")
            }
            #expect(try Folder.names(folder) == ["folder.json", "settings"])
        }
    }

    @Test func exportDoesNotOverwriteSkippedUsers() async throws {
        try await inFolder { folder in
            let (settings, seed) = (try settings(in: folder), folder + "/seed")
            let users = #"{"users":[{"localId":"user-1"},{"localId":"user-2","email":"no address"}]}"#
            try Folder.make(seed + "/auth_export")
            for file in [folder + "/users.json", seed + "/auth_export/accounts.json"] { try write(users, to: file) }
            for (path, kept, made) in [
                (folder + "/users.json", folder + "/users.json", folder + "/users.new.json"),
                (seed, seed + "/auth_export/accounts.json", seed + ".new/auth_export/accounts.json"),
            ] {
                let arguments = ["firebase", "--env", settings, "--import", path, "--export-on-exit", path]
                #expect(try await ServerProcess.errors(of: arguments).contains(".new"))
                #expect(try text(kept) == users)
                #expect(try file(made)["users"]?.array?.compactMap { $0["localId"] } == ["user-1"])
                // Another run would import the old users again and overwrite those of the first run.
                let again = try await Lockstep.run(["serve", "--port", "0"] + arguments)
                #expect(again.status == 2 && again.errors.contains(".new"), "\(again)")
                #expect(try file(made)["users"]?.array?.count == 1)
            }
        }
    }

    /// One place with two names: through a detour, a link, and the file or folder inside it that contains the users.
    @Test func samePlaceIsRecognizedUnderAnotherName() async throws {
        try await inFolder { folder in
            let (settings, seed) = (try settings(in: folder), folder + "/seed")
            let users = #"{"users":[{"localId":"user-1"},{"localId":"user-2","email":"no address"}]}"#
            try Folder.make(seed + "/auth_export")
            try Folder.make(folder + "/x")
            try write(users, to: seed + "/auth_export/accounts.json")
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: seed)
            for (source, target) in [
                (seed, folder + "/x/../seed"), (seed, folder + "/link"), (folder + "/link", seed), (seed + "/auth_export", seed),
                (seed + "/auth_export/accounts.json", seed), (seed, seed + "/auth_export/accounts.json"),
            ] {
                let arguments = ["firebase", "--env", settings, "--import", source, "--export-on-exit", target]
                #expect(try await ServerProcess.errors(of: arguments).contains(".new"), "\(source) \(target)")
                #expect(try text(seed + "/auth_export/accounts.json") == users, "\(source) \(target)")
                for name in ["seed.new", "link.new", "seed/auth_export/accounts.new.json"] {
                    try? FileManager.default.removeItem(atPath: folder + "/" + name)
                }
            }
        }
    }

    @Test func allFilesAreReadBeforeTheFirstIsUsed() async throws {
        try await inFolder { folder in
            let (seed, data) = (folder + "/seed", folder + "/state")
            try Folder.make(seed + "/auth_export")
            try write(#"{"users":[{"localId":"user-1"}]}"#, to: seed + "/auth_export/accounts.json")
            for (name, bad) in [
                ("accounts-team.json", "no JSON"), ("accounts-team.json", #"{"users":7}"#), ("config.json", "no JSON"),
                ("config.json", #"{"signIn":7}"#),
            ] {
                let file = seed + "/auth_export/" + name
                try write(bad, to: file)
                let run = try await Lockstep.run("serve", "--port", "0", "firebase", "--data", data, "--import", seed)
                #expect(run.status == 2 && run.errors.contains(file), "\(bad) \(run.errors)")
                try FileManager.default.removeItem(atPath: file)
            }
            #expect(try await told("--data", data, "--import", seed).isEmpty, "Nothing was imported.")
        }
    }

    @Test func exportCountsWhatTheFileCannotContain() async throws {
        try await inFolder { folder in
            let (settings, seed) = (try settings(in: folder), folder + "/seed")
            try Folder.make(seed + "/auth_export")
            let users = (1...3).map { #"{"localId":"user-\#($0)","passwordHash":"AAAA","salt":"AAAA"}"# }.joined(separator: ",")
            try write(#"{"hashAlgorithm":"MD5","rounds":0,"users":[\#(users)]}"#, to: seed + "/auth_export/accounts.json")
            try write(#"{"users":[{"localId":"t-1"},{"localId":"t-2"}]}"#, to: seed + "/auth_export/accounts-team.json")
            let told = try await told("--env", settings, "--import", seed, "--export-on-exit", folder + "/users.json")
            let numbers = told.split { !$0.isNumber }.map(String.init)
            #expect(numbers.suffix(2) == ["3", "2"] && told.split(separator: "\n").count == 1, "\(told)")
            #expect(try file(folder + "/users.json")["users"]?.array?.count == 3)
            // A file that is there is not replaced by one that lacks users.
            let before = try text(folder + "/users.json")
            let again = try await self.told("--env", settings, "--import", seed, "--export-on-exit", folder + "/users.json")
            #expect(again.contains("users.new.json") && again.contains("unchanged"), "\(again)")
            #expect(try text(folder + "/users.json") == before)
            #expect(try file(folder + "/users.new.json")["users"]?.array?.count == 3)
        }
    }
}
