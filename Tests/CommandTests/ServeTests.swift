import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep serve", .limitedConcurrency)
struct ServeTests {
    @Test func startsThreeEmulatorsAndPrintsTheirAddresses() async throws {
        _ = try await ServerProcess.serving([], lines: 3) { lines in
            #expect(lines.compactMap { $0["provider"]?.string } == ["firebase", "gotrue", "clerk"])
            for line in lines {
                for name in ["base", "inbox", "sms", "advance", "reset"] {
                    #expect(line[name]?.string?.hasPrefix("http://127.0.0.1:") == true, "\(name)")
                }
                #expect(line["control"]?["Authorization"]?.string?.hasPrefix("Bearer ") == true)
                #expect(line["vars"]?.object?.isEmpty == false)
            }
        }
    }

    @Test func endsCleanlyOnControlC() async throws {
        let end = try await ServerProcess.serving(["gotrue"], lines: 1) { _ in }
        #expect(end.status == 0)
    }

    /// Emulators are for tests.
    ///
    /// A password's hash has the lowest cost unless the caller asks for production's cost, and the ready line names it.
    @Test func readyLineNamesTheCostOfPasswordHashes() async throws {
        _ = try await ServerProcess.serving([], lines: 3) { lines in
            #expect(lines.compactMap { $0["vars"]?["hashing"]?.string } == ["least", "least", "least"])
        }
        _ = try await ServerProcess.serving(["--hashing", "real"], lines: 3) { lines in
            #expect(lines.compactMap { $0["vars"]?["hashing"]?.string } == ["real", "real", "real"])
        }
    }

    /// A settings file decides, unless the command line overrides it.
    @Test(arguments: [
        ("firebase", "hashing.memoryCost=14"), ("firebase", #"{"hashing": {"memoryCost": 14}}"#),
        ("gotrue", "LOCKSTEP_PASSWORD_COST=real"), ("clerk", "PASSWORD_COST=real"), ("clerk", #"{"PASSWORD_COST": "real"}"#),
    ])
    func settingsChooseTheCostOfPasswordHashes(_ provider: String, _ text: String) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/settings"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        _ = try await ServerProcess.serving([provider, "--env", file], lines: 1) { lines in
            #expect(lines.first?["vars"]?["hashing"] == "real")
        }
        _ = try await ServerProcess.serving([provider, "--env", file, "--hashing", "least"], lines: 1) { lines in
            #expect(lines.first?["vars"]?["hashing"] == "least")
        }
    }

    @Test func portInUsePrintsOneSentence() async throws {
        _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
            let base = try #require(lines.first?["base"]?.string)
            let run = try await Lockstep.run("serve", "gotrue", "--port", String(base.split(separator: ":").last ?? ""))
            #expect(run.status == 2)
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test func malformedSettingsPrintOneSentence() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lockstep-settings-\(ProcessInfo.processInfo.processIdentifier).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try "{\"mode\": ".write(to: file, atomically: true, encoding: .utf8)
        for provider in ["firebase", "clerk"] {
            let run = try await Lockstep.run("serve", "--port", "0", provider, "--env", file.path)
            #expect(run.status == 2)
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test func supabaseServesGoTrue() async throws {
        _ = try await ServerProcess.serving(["supabase"], lines: 1) { lines in
            #expect(lines.first?["provider"] == "gotrue")
        }
    }

    /// The output is a file for `--env`: nothing in it is unknown, and a line explains each setting.
    @Test func printedEnvironmentFileStartsAServer() async throws {
        let sample = try await Lockstep.run("serve", "gotrue", "--print-env")
        #expect(sample.status == 0 && sample.errors.isEmpty, "\(sample.errors)")
        #expect(sample.output.contains("\nGOTRUE_SITE_URL=http://localhost:3000\n"))
        #expect(sample.output == (try await Lockstep.run("serve", "supabase", "--print-env")).output)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lockstep-sample-\(ProcessInfo.processInfo.processIdentifier).env")
        defer { try? FileManager.default.removeItem(at: file) }
        try sample.output.write(to: file, atomically: true, encoding: .utf8)
        #expect(try await ServerProcess.errors(of: ["gotrue", "--env", file.path]) == "")
    }
}
