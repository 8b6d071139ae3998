import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("Streams of the command", .limitedConcurrency)
struct StreamTests {
    private func shell(_ script: String) async throws -> (status: Int32, output: String, errors: String) {
        let outcome = try await ChildProcess.run("/bin/sh", ["-c", script, "sh", Lockstep.executable], within: .seconds(120))
        return (outcome.status, String(decoding: outcome.output, as: UTF8.self), String(decoding: outcome.errors, as: UTF8.self))
    }

    /// A socket or a database must not take the descriptor of a stream that was closed before the start.
    @Test(arguments: ["--version", "serve gotrue --port 0", "compare --journeys sign-up --no-contracts", "--help"])
    func unwritableOutputIsAnError(_ words: String) async throws {
        for place in [">&-", "> /dev/full"] {
            let run = try await shell("exec \"$1\" \(words) \(place)")
            #expect(run.status == 1, "\(words) \(place): \(run.status) \(run.errors)")
            #expect(run.errors.contains("lockstep: "), "\(words) \(place): \(run.errors)")
        }
        let all = try await shell("exec \"$1\" \(words) <&- >&- 2>&-")
        #expect(all.status == 1)
    }

    @Test func closedReaderIsAnError() async throws {
        let run = try await shell("{ \"$1\" compare --journeys sign-up --no-contracts --format json; echo $? >&2; } | true")
        #expect(run.errors.contains("1\n"), "\(run.errors)")
    }

    @Test(arguments: ["/dev/full", "/dev/null", "/dev/stdout", "/", "/etc"])
    func eventsNeedARegularFile(_ place: String) async throws {
        let before = try FileStatus(of: place)
        let run = try await Lockstep.run("compare", "--journeys", "sign-up", "--no-contracts", "--events", place)
        #expect(run.status == 2, "\(run.errors)")
        #expect(try FileStatus(of: place)?.kind == before?.kind)
    }

    @Test func addressReachableByOthersPrintsAWarning() async throws {
        let open = try await ServerProcess.errors(of: ["gotrue", "--host", "0.0.0.0"])
        #expect(open.contains("warning") && open.contains("0.0.0.0"), "\(open)")
        for words in [["gotrue"], ["gotrue", "--host", "127.0.0.2"], ["gotrue", "--allow-host", "auth.example.test,[fd00::1]"]] {
            #expect(try await ServerProcess.errors(of: words).isEmpty)
        }
    }

    @Test(arguments: [
        ["--port", "-1"], ["--port", "65536"], ["--port", "1e3"], ["--port", "99999999999999999999"], ["--port", "65535"],
        ["--port", " 80"], ["--host", "localhost"], ["--host", "::1"], ["--host", "127.0.0.1:80"], ["--allow-host", "*"],
        ["--allow-host", "http://a"], ["--allow-host", "a:80"], ["--data", ""], ["--data", "/dev/null/x"],
    ])
    func garbageIsRejectedWithASentence(_ words: [String]) async throws {
        let run = try await Lockstep.run(["serve"] + words)
        #expect(run.status == 2, "\(words): \(run.errors)")
        #expect(run.output.isEmpty)
        #expect(!run.errors.contains("Fatal"))
    }
}
