public import LockstepPrimitives
internal import Synchronization

/// The latest requests to an emulator, with their responses.
///
/// Requests to the control routes and the inbox are left out. Only the first 16 KiB of each body are recorded.
public final class Transcript: Sendable {
    private struct State {
        var entries: [TranscriptEntry] = []
        var count = 0
        var resets = 0
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let changes: ChangeLog
    private static let bodyLimit = 16 << 10

    init(capacity: Int = 500, changes: ChangeLog) {
        self.capacity = capacity
        self.changes = changes
    }

    /// The recorded requests, oldest first.
    public var entries: [TranscriptEntry] {
        var start = ReadingPlace(after: 0)
        return entries(after: &start)
    }

    /// Returns the requests that were recorded since a reader's last look, oldest first.
    func entries(after place: inout ReadingPlace) -> [TranscriptEntry] {
        let (entries, count, number) = state.withLock { state in
            (state.entries, state.count, place.advance(to: state.count, resets: state.resets))
        }
        return (max(number, count - entries.count)..<max(number, count)).map { entries[$0 % capacity] }
    }

    /// Returns the latest requests that match, newest first.
    func latest(_ limit: Int, where isMeant: (TranscriptEntry) -> Bool) -> [TranscriptEntry] {
        let (entries, count) = state.withLock { ($0.entries, $0.count) }
        var found: [TranscriptEntry] = []
        for index in ((count - entries.count)..<count).reversed() where found.count < limit {
            let entry = entries[index % capacity]
            if isMeant(entry) { found.append(entry) }
        }
        return found
    }

    /// The number of requests since the start or the last reset, including requests that are no longer recorded.
    public var count: Int { state.withLock { $0.count } }

    func add(
        _ request: EmulatorRequest, _ response: EmulatorResponse, at date: Instant, from start: Duration, to end: Duration,
        isFaulty: Bool
    ) {
        var entry = TranscriptEntry(
            number: 0, date: date, duration: end - start, end: end, request: request, response: response, isFaulty: isFaulty)
        if request.body.count > Self.bodyLimit { entry.request.body = Array(request.body.prefix(Self.bodyLimit)) }
        if response.body.count > Self.bodyLimit { entry.response.body = Array(response.body.prefix(Self.bodyLimit)) }
        state.withLock { state in
            state.count += 1
            entry.number = state.count
            // In this ring, a new entry replaces the oldest one.
            if state.entries.count < capacity {
                state.entries.append(entry)
            } else {
                state.entries[(state.count - 1) % capacity] = entry
            }
        }
        changes.note(.requests)
    }

    func reset() {
        state.withLock { $0 = State(resets: $0.resets + 1) }
    }
}

/// A request to an emulator, and its response.
///
/// It contains secrets. To show the exchange, use ``ControlPanel/shownTranscript``.
public struct TranscriptEntry: Sendable {
    /// The number of the request, counted from 1.
    public var number: Int
    /// The time of the response, on the backend's clock.
    public var date: Instant
    /// The time from the last byte of the request to the response, on the machine's clock.
    public var duration: Duration
    /// The machine's uptime when the response was sent; sort requests to several emulators by this value.
    public var end: Duration = .zero
    /// The request.
    public var request: EmulatorRequest
    /// The response.
    public var response: EmulatorResponse
    /// Whether a fault has affected the request.
    public var isFaulty: Bool
}
