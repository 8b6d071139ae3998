internal import Synchronization

/// The active faults, the oldest first.
final class FaultList: Sendable {
    private let faults = Mutex<[Fault]>([])
    private let count = Atomic(0)

    /// Kept so that what they hold can be released, though they affect no more requests.
    private static let capacity = 1000

    var all: [Fault] { faults.withLock { $0 } }

    func add(_ fault: Fault) {
        faults.withLock { faults in
            faults.append(fault)
            if faults.count > Self.capacity { faults.removeFirst().release() }
            count.store(faults.count, ordering: .releasing)
        }
    }

    /// The first fault that affects a request.
    func claim(_ request: EmulatorRequest) -> Fault? {
        guard count.load(ordering: .acquiring) > 0 else { return nil }
        return all.first { $0.claim(request) }
    }

    func reset() {
        let old = faults.withLock { faults in
            defer { faults = [] }
            count.store(0, ordering: .releasing)
            return faults
        }
        for fault in old { fault.lift() }
    }
}
