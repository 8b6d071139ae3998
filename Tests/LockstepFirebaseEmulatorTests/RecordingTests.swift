import LockstepRecordings
import LockstepTestConcurrency
import Testing

/// Recorded responses of Firebase's own emulator.
///
/// In emulator mode this one returns the same, except for declined differences with a reason.
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
