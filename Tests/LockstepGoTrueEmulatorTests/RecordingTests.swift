import LockstepRecordings
import LockstepTestConcurrency
import Testing

/// Recorded responses of the real server.
///
/// The emulator returns the same, in every configuration.
@Suite(.limitedConcurrency)
struct RecordingTests {
    private static let files = (try? Recording.files(in: Fixtures.recordings + "/gotrue")) ?? []
    private static let runner = Result { try RecordingRunner() }

    @Test(arguments: files)
    func recordingIsReproduced(_ file: String) async throws {
        let outcome = try await Self.runner.get().run(Recording(file: file))
        #expect(outcome == .matched)
    }

    @Test func allRecordingsArePresent() {
        #expect(Self.files.count == 269)
    }
}
