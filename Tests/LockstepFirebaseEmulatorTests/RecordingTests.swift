import LockstepRecordings
import LockstepTestConcurrency
import Testing

/// Firebase's own emulator answered so; in emulator mode this one does, but for what is declined with a reason.
@Suite(.limitedConcurrency)
struct RecordingTests {
    private static let files = (try? Recording.files(in: Fixtures.recordings + "/firebase")) ?? []
    private static let runner = Result { try RecordingRunner() }

    @Test(arguments: files)
    func recordingIsReproduced(_ file: String) async throws {
        let outcome = try await Self.runner.get().run(Recording(file: file))
        #expect(outcome.isFine, "\(outcome)")
    }

    @Test func allRecordingsArePresent() {
        #expect(Self.files.count == 261)
    }
}
