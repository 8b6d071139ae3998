import Testing

/// The real server answered so; this one does, in every configuration.
struct RecordingTests {
    @Test(arguments: try Recording.all())
    func isHadAgain(_ recording: Recording) async throws {
        let replay = try Replay(recording)
        try await replay.run()
        #expect(replay.differences.isEmpty, "\(recording.testDescription):\n\(replay.differences.joined(separator: "\n"))")
    }

    @Test func allAreThere() throws {
        #expect(try Recording.all().count == 269)
    }
}
