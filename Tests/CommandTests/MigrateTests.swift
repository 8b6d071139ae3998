import LockstepPrimitives
import LockstepSystem
import Testing

@Suite("Moving users") struct MigrateTests {
    /// Runs a verb with a file of its own.
    private static func run(_ file: String, _ verb: String, _ options: [String] = []) async throws -> Lockstep {
        let folder = try Folder.makeTemporary(prefix: "lockstep-migrate")
        defer { try? Folder.remove(folder) }
        try AtomicFile.replace("\(folder)/move.json", with: Array(file.utf8))
        return try await Lockstep.run(["migrate", verb, "--move", "\(folder)/move.json"] + options)
    }

    /// Cases: J06, J09, J10.
    @Test func theDemoHolds() async throws {
        let run = try await Lockstep.run("migrate", "demo", "--from", "firebase", "--to", "gotrue", "--api-only", "--users", "40")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("checks held") && !run.output.contains("FAIL"))
    }

    private static let firebase = #"{"provider": "firebase", "emulator": "http://127.0.0.1:9", "project": "demo-x"}"#

    @Test(arguments: [
        ("{", "not JSON"), ("[]", "the file must be an object"), ("{}", "from.provider"),
        (#"{"frm": 1}"#, "Did you mean from?"), (#"{"from": {"provider": "clerk"}}"#, "expected firebase or gotrue"),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue", "url": "http://127.0.0.1:9", "key": "sb_secret_abcdef"}}"#,
            #""to.key" holds a secret"#
        ),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue", "url": "http://127.0.0.1:9", "key": {"env": "LOCKSTEP_NO_SUCH"}}}"#,
            #"variable "LOCKSTEP_NO_SUCH""#
        ),
        (
            #"{"from": \#(firebase), "to": {"provider": "gotrue", "url": "http://127.0.0.1:9", "key": {"file": "a", "env": "B"}}}"#,
            "must name one place"
        ),
        (#"{"from": \#(firebase), "to": \#(firebase)}"#, "from firebase to gotrue only"),
        (#"{"from": \#(firebase), "to": {"provider": "gotrue"}, "guests": "keep"}"#, #""guests" must be skip or refuse"#),
    ])
    func fileThatCannotBeUsedEndsWithStatus2(_ file: String, _ words: String) async throws {
        let run = try await Self.run(file, "plan")
        #expect(run.status == 2 && run.errors.contains(words), "\(run.errors)")
        #expect(!run.errors.contains("abcdef") && !run.output.contains("abcdef"))
    }

    @Test func verbWithoutARunEndsWithStatus2() async throws {
        let run = try await Self.run("{}", "status", ["--run", "../x"])
        #expect(run.status == 2)
    }
}
