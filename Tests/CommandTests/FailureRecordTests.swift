import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep exec --on-failure", .limitedConcurrency)
struct FailureRecordTests {
    private func inFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    private func document(_ path: String) throws -> JSON {
        try JSON.parse(Array(try #require(FileManager.default.contents(atPath: path), "\(path)")))
    }

    /// A sign-up sends a mail with a code.
    ///
    /// A password in a body of the wrong type is masked, too. The record contains the address, but not the password, the code or
    /// the tokens.
    @Test func recordsTheEmulatorsRequestsWithoutSecrets() async throws {
        try await inFolder { folder in
            let script = """
                BODY='{"email": "ada@example.com", "password": "Correct-Horse-1"}'
                sign_up() { curl -s -H "apikey: $SUPABASE_ANON_KEY" "$@" -d "$BODY" "$SUPABASE_URL/auth/v1/signup" >/dev/null; }
                sign_up; sign_up -H "Content-Type: application/json"; curl -s "$SUPABASE_URL/__lockstep/messages"; exit 7
                """
            let place = folder + "/made/failure"
            let run = try await Lockstep.run("exec", "gotrue", "--on-failure", place, "--", "sh", "-c", script)
            #expect(run.status == 7 && run.errors.contains(place), "\(run.errors)")
            let code = try #require(try JSON.parse(run.output)["messages"]?[0]?["code"]?.string)
            let run7 = try document(place + "/run.json")
            #expect(run7["status"] == 7 && run7["command"] == "sh" && run7["emulators"]?[0]?["provider"] == "gotrue")
            let requests = try document(place + "/gotrue/requests.json")
            #expect(requests["requests"]?.array?.contains { $0["path"] == "/auth/v1/signup" } == true, "\(requests.text())")
            let messages = try document(place + "/gotrue/messages.json")
            #expect(messages["messages"]?[0]?["to"] == "ada@example.com")
            #expect(try document(place + "/gotrue/faults.json").array?.isEmpty == true)
            for name in try Folder.names(place + "/gotrue") {
                let text = try document("\(place)/gotrue/\(name)").text()
                #expect(!text.contains("Correct-Horse-1") && !text.contains(code) && !text.contains("eyJ"), "\(name): \(text)")
                #expect(try FileStatus(of: "\(place)/gotrue/\(name)")?.mode == 0o600)
            }
            for made in [folder + "/made", place, place + "/gotrue"] { #expect(try FileStatus(of: made)?.mode == 0o700) }
            #expect(try FileStatus(of: place + "/run.json")?.mode == 0o600)
        }
    }

    @Test func successWritesNoRecord() async throws {
        try await inFolder { folder in
            let run = try await Lockstep.run("exec", "clerk", "--on-failure", folder + "/failure", "--", "true")
            #expect(run.status == 0 && run.errors.isEmpty)
            #expect(try Folder.names(folder + "/failure").isEmpty)
        }
    }

    @Test func signalIsAFailureOfAllEmulators() async throws {
        try await inFolder { folder in
            let run = try await Lockstep.run("exec", "--on-failure", folder, "--", "sh", "-c", "kill -KILL $$")
            #expect(run.status == 137)
            #expect(try Folder.names(folder) == ["clerk", "firebase", "gotrue", "run.json"])
        }
    }

    /// A link in the place of a provider's folder, before the start or made by the command.
    @Test func recordIsNotWrittenThroughALink() async throws {
        try await inFolder { folder in
            let (place, elsewhere) = (folder + "/failure", folder + "/elsewhere")
            for each in [place, elsewhere] { try Folder.make(each) }
            let link = ["sh", "-c", "ln -s \"$1\" \"$2\"; exit 7", "sh", elsewhere, place + "/gotrue"]
            let late = try await Lockstep.run(["exec", "gotrue", "--on-failure", place, "--"] + link)
            #expect(late.status == 7 && late.errors.contains("incomplete"), "\(late.errors)")
            let early = try await Lockstep.run("exec", "gotrue", "--on-failure", place, "--", "touch", folder + "/ran")
            #expect(early.status == 2 && early.errors.contains(place + "/gotrue"), "\(early.errors)")
            #expect(try Folder.names(elsewhere).isEmpty && !Folder.isThere(folder + "/ran"))
        }
    }

    @Test func unwritableFolderEndsTheStart() async throws {
        try await inFolder { folder in
            let file = folder + "/file"
            #expect(FileManager.default.createFile(atPath: file, contents: Data()))
            for place in [file, file + "/x", "/proc/none"] {
                let run = try await Lockstep.run("exec", "clerk", "--on-failure", place, "--", "touch", folder + "/ran")
                #expect(
                    run.status == 2 && run.errors.split(separator: "\n").count == 1 && run.errors.contains("\"\(place)\""),
                    "\(run.errors)")
            }
            #expect(try Folder.names(folder) == ["file"])
        }
    }
}
