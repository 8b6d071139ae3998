internal import Synchronization

/// The secrets of all recorded requests, calls and messages.
///
/// Each record is read once, when something is shown for the first time after it. So a response costs as much as the records since
/// the last response, and not as much as all records.
final class KnownSecrets: Sendable {
    private struct State {
        var mask = TranscriptMask()
        var requests = ReadingPlace(after: 0)
        var calls = ReadingPlace(after: 0)
        var messages = ReadingPlace(after: 0)
        /// The number of requests and calls whose secrets the mask contains.
        var count = 0
    }

    private let state = Mutex(State())

    /// The number of records above which the mask is made again, without the secrets of records that are gone.
    private static let limit = 1500

    /// Returns a mask for everything that an emulator has recorded until now.
    func mask(for panel: ControlPanel) -> TranscriptMask {
        state.withLock { state in
            if state.count > Self.limit { state = State() }
            let entries =
                panel.transcript.entries(after: &state.requests)
                + panel.deliveries.entries(after: &state.calls).map(\.exchange)
            let sent = panel.outbox.secretTexts(after: &state.messages)
            state.count += entries.count
            panel.changes.noteReading(of: entries.count + sent.count)
            if !entries.isEmpty || !sent.isEmpty { state.mask.learn(entries, sent: sent) }
            return state.mask
        }
    }
}
