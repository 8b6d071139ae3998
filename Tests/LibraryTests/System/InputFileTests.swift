import Foundation
import LockstepSystem
import Testing

@Suite("Input files")
struct InputFileTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test func plainFileIsReadUpToTheLimit() async throws {
        try await inFolder { folder in
            let file = folder + "/file"
            try AtomicFile.replace(file, with: [1, 2, 3])
            #expect(try InputFile.read(file, limit: 3) == [1, 2, 3])
            #expect(failure(file, limit: 2)?.refusal == .tooLarge)
            #expect(try InputFile.read(folder + "/nothing", limit: 3) == nil)
            for path in [folder, "/dev/zero"] {
                #expect(failure(path, limit: 3)?.refusal != nil)
            }
            #expect(!InputFile.isPipe(file) && !InputFile.isPipe(folder + "/nothing"))
        }
    }

    /// Without a writer a read would look like the end of the file.
    @Test func namedPipeWaitsForItsWriter() async throws {
        try await inFolder { folder in
            let pipe = folder + "/pipe"
            #expect(try await ChildProcess.run("mkfifo", [pipe]).status == 0)
            #expect(InputFile.isPipe(pipe))
            let error = failure(pipe, limit: 10, patience: .zero)
            #expect(error?.code == SystemError.timedOut)
            let reading = Task { try await bytes(of: pipe) }
            _ = try await ChildProcess.run("sh", ["-c", "printf abc > \"$0\"", pipe])
            let found = try await reading.value
            #expect(found == Array("abc".utf8))
        }
    }

    /// The reader of large files waits, too.
    @Test func readerOfANamedPipeWaitsForItsWriter() async throws {
        try await inFolder { folder in
            let pipe = folder + "/pipe"
            #expect(try await ChildProcess.run("mkfifo", [pipe]).status == 0)
            let error = #expect(throws: SystemError.self) { try FileReader(pipe, patience: .zero) }
            #expect(error?.code == SystemError.timedOut)
            let reading = Task { try await BlockingThread.run { try FileReader(pipe).read(upTo: 10) } }
            _ = try await ChildProcess.run("sh", ["-c", "printf abc > \"$0\"", pipe])
            #expect(try await reading.value == Array("abc".utf8))
        }
    }

    @Test func pipeIsReadUpToTheLimit() async throws {
        try await inFolder { folder in
            let pipe = folder + "/pipe"
            #expect(try await ChildProcess.run("mkfifo", [pipe]).status == 0)
            let reading = Task { try await BlockingThread.run { failure(pipe, limit: 10) } }
            _ = try await ChildProcess.run("sh", ["-c", "printf 12345678901 > \"$0\"", pipe])
            #expect(try await reading.value?.refusal == .tooLarge)
        }
    }
}

private func bytes(of path: String) async throws -> [UInt8]? {
    try await BlockingThread.run { try InputFile.read(path, limit: 10) }
}

/// The error of a read; `nil` if it succeeds.
private func failure(_ path: String, limit: Int, patience: Duration = .seconds(60)) -> SystemError? {
    do throws(SystemError) {
        _ = try InputFile.read(path, limit: limit, patience: patience)
        return nil
    } catch {
        return error
    }
}
