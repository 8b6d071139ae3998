import LockstepSystem
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Programs in their own terminals.
@Suite struct TerminalTests {
    private static func read(_ child: ChildProcess, to end: String) throws -> String {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains(end) {
            let part = try child.readOutput()
            if part.isEmpty { break }
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func shell(_ script: String, columns: Int = 60) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", script], terminalColumns: columns)
    }

    @Test func allThreeStreamsAreTheTerminal() async throws {
        let shown = try await BlockingThread.run {
            let child = try Self.shell("test -t 0 && test -t 1 && test -t 2 && stty size; echo done >&2; exit 3")
            return (try Self.read(child, to: "\0"), try child.wait())
        }
        #expect(shown.0 == "24 60\r\ndone\r\n")
        #expect(shown.1 == 3)
    }

    @Test func typedInputIsEchoedAndRead() async throws {
        let shown = try await BlockingThread.run {
            let child = try Self.shell("read word; echo got $word; cat; echo end")
            try child.write(Array("this\n\u{4}".utf8))
            return try Self.read(child, to: "\0")
        }
        #expect(shown == "this\r\ngot this\r\nend\r\n")
    }

    /// The program owns the terminal, so the keys that send signals work.
    @Test func controlCInterruptsTheProgram() async throws {
        let status = try await BlockingThread.run {
            let child = try Self.shell("echo ready; read word")
            _ = try Self.read(child, to: "ready")
            try child.write([3])
            return try child.wait()
        }
        #expect(status == Signal.interrupt.exitStatus)
    }

    /// A shell's background job ignores SIGINT, and so do its child processes.
    @Test func controlCInterruptsProgramsOfABackgroundJob() async throws {
        let status = try await BlockingThread.run {
            let former = signal(SIGINT, SIG_IGN)
            defer { signal(SIGINT, former) }
            let child = try Self.shell("echo ready; read word")
            _ = try Self.read(child, to: "ready")
            try child.write([3])
            return try child.wait()
        }
        #expect(status == Signal.interrupt.exitStatus)
    }

    @Test func programEndsWithItsTerminal() async throws {
        let child = try Self.shell("echo ready; read word; exit 7")
        let status = try await BlockingThread.run {
            _ = try Self.read(child, to: "ready")
            child.finishInput()
            return try child.wait()
        }
        #expect(status != 0)
    }
}
