import Foundation
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// Every option that names a file to read, with the arguments before the file.
private let options: [[String]] = [
    ["serve", "--port", "0", "gotrue", "--env"], ["serve", "--port", "0", "clerk", "--seed"],
    ["serve", "gotrue", "--check-seed"], ["serve", "--port", "0", "firebase", "--import"], ["migrate", "plan", "--move"],
]

@Suite("Files named on the command line", .limitedConcurrency)
struct NamedFileTests {
    /// Runs a script in its own folder.
    ///
    /// `$0` is the command, and `"$@"` the option.
    private func errors(_ option: [String], _ script: String) async throws -> (status: Int32, text: String) {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = try await ChildProcess.run(
            "bash", ["-c", "cd '\(folder)' || exit 1; " + script, Lockstep.executable] + option, within: .seconds(300))
        return (outcome.status, String(decoding: outcome.errors, as: UTF8.self))
    }

    @Test(arguments: options)
    func unusableFilePrintsOneSentence(_ option: [String]) async throws {
        let isImport = option.last == "--import"
        let broken = #"printf '{"a": "\377"}'"#
        let cases: [(script: String, word: String)] = [
            (":", "there is no file"),
            ("mkdir file.json", isImport ? "file.json" : "is a folder"),
            ("ln -s /dev/zero file.json", "or a device"),
            ("\(broken) > file.json", "UTF-8"),
            (#"printf '\377\376{\0}\0' > file.json"#, "UTF-16"),
            ("truncate -s 2G file.json", isImport ? "expected a JSON list" : "is too long"),
            ("mkfifo file.json; (\(broken) > file.json &)", isImport ? "a pipe" : "UTF-8"),
        ]
        for (script, word) in cases {
            let found = try await errors(option, script + "; \"$0\" \"$@\" file.json")
            #expect(found.status == 2 && found.text.contains(word), "\(script): \(found)")
            #expect(found.text.split(separator: "\n").count == 1, "\(script): \(found)")
        }
    }

    /// Then the rest of the pipe has no reader, so its writer ends.
    @Test(arguments: options.filter { $0.last != "--import" })
    func pipeHasTheSizeLimitOfFiles(_ option: [String]) async throws {
        let found = try await errors(option, "\"$0\" \"$@\" <(cat /dev/zero)")
        #expect(found.status == 2 && found.text.contains("is too long"), "\(found)")
    }

    /// The writer of a named pipe can come later.
    @Test func namedPipeIsRead() async throws {
        let script = """
            mkfifo pipe; ("$0" serve gotrue --print-env > pipe &)
            "$0" "$@" --env pipe -- sh -c 'grep -c GOTRUE_MAILER_SUBJECTS_CONFIRMATION "$LOCKSTEP_READY" >&2'
            """
        let found = try await errors(["exec", "gotrue"], script)
        #expect(found.status == 0 && found.text == "1\n", "\(found)")
    }

    /// Nobody has named lockstep.json.
    ///
    /// A pipe there would block each command.
    @Test func pipeNamedLikeTheConfigurationIsRejected() async throws {
        let found = try await errors(["exec", "gotrue"], "mkfifo lockstep.json; \"$0\" \"$@\" -- true")
        #expect(found.status == 2 && found.text.contains("a pipe or a device"), "\(found)")
    }
}
