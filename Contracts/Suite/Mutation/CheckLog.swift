public import LockstepPrimitives
internal import Synchronization

/// Notes that the fakes of one world share.
public final class CheckLog: Sendable {
    private let notes = Mutex<[String: Secret]>([:])
    private let counts = Mutex<[String: Int]>([:])

    /// The promise that is checked.
    public let contract: Contract.ID

    /// No notes, of a check of this promise.
    public init(contract: Contract.ID) { self.contract = contract }

    /// A note by its name.
    public subscript(name: String) -> Secret? {
        get { notes.withLock { $0[name] } }
        set { notes.withLock { $0[name] = newValue } }
    }

    /// Counts how often it was asked for a name: 1 at the first time.
    public func count(_ name: String) -> Int {
        counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name, default: 0]
        }
    }
}
