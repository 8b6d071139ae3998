internal import LockstepPrimitives
internal import LockstepTestSupport
internal import Synchronization

/// The `Date` header of the backend's clock, written anew once a second.
final class DateHeader: Sendable {
    private let clock: ManualClock
    private let last = Mutex<(second: Int64, text: String)>((.min, ""))

    init(clock: ManualClock) {
        self.clock = clock
    }

    var value: String {
        let now = clock.now
        return last.withLock { last in
            if last.second != now.seconds { last = (now.seconds, now.httpDate) }
            return last.text
        }
    }
}
