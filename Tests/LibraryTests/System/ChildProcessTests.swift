import LockstepSystem
import Testing

@Suite struct ChildProcessTests {
    @Test func returnsStatusAndBothStreams() async throws {
        let outcome = try await ChildProcess.run("sh", ["-c", "cat; echo bad >&2; exit 3"], input: Array("good\n".utf8))
        #expect(outcome.status == 3)
        #expect(outcome.text == "good")
        #expect(outcome.errors == Array("bad\n".utf8))
    }

    @Test func passesTheGivenEnvironment() async throws {
        let outcome = try await ChildProcess.run("/bin/sh", ["-c", "echo $WHAT"], environment: ["WHAT": "it"])
        #expect(outcome.text == "it")
    }

    @Test func signalEndsTheProcess() async throws {
        let child = try ChildProcess("sleep", ["600"])
        child.send(.terminate)
        #expect(try await BlockingThread.run { try child.wait() } == Signal.terminate.exitStatus)
        child.send(.terminate)
    }

    @Test func processEndsWithItsLastReference() throws {
        let id = try ChildProcess("sleep", ["600"]).id
        // A reaped process can no longer get a signal.
        #expect(try ChildProcess("sh", ["-c", "kill -0 \(id) 2>/dev/null"]).wait() != 0)
    }

    @Test func aMissingProgramIsReportedByItsCode() {
        // By its path, because a search through unreadable folders ends with another code.
        let error = #expect(throws: SystemError.self) { try ChildProcess("/no-such-program-here") }
        #expect(error?.code == SystemError.noSuchFile)
    }

    /// The system would end this process by a signal (SIGPIPE).
    @Test func aWriteToAProcessThatHasEndedIsAnError() async throws {
        let child = try ChildProcess("true")
        #expect(try await BlockingThread.run { try child.wait() } == 0)
        // A process that another thread has forked holds this pipe, too, until it runs its program.
        #expect(throws: SystemError.self) { while true { try child.write([1]) } }
        #expect(throws: SystemError.self) { try child.write([1]) }
    }

    @Test func noSocketIsInherited() async throws {
        let listener = try SocketListener()
        let child = try ChildProcess("sleep", ["600"])
        defer { child.kill() }
        listener.close()
        // A child with the socket would still listen on it; a process that was forked meanwhile does until it runs its program.
        let isClosed = try (0..<100).contains { _ in
            if (try? SocketConnection(port: listener.port)) == nil { return true }
            return try ChildProcess("true").wait() != 0
        }
        #expect(isClosed)
    }
}
