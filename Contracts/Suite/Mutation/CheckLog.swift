public import LockstepPrimitives
internal import Synchronization

/// Notes that the fakes of one world share.
public final class CheckLog: Sendable {
    private let notes = Mutex<[String: Secret]>([:])
    private let counts = Mutex<[String: Int]>([:])

    /// The contract that is checked.
    public let contract: Contract.ID

    /// Creates an empty notebook for a check of this contract.
    public init(contract: Contract.ID) { self.contract = contract }

    /// The note with a name.
    public subscript(name: String) -> Secret? {
        get { notes.withLock { $0[name] } }
        set { notes.withLock { $0[name] = newValue } }
    }

    /// Returns the number of calls with this name, including this one.
    public func count(_ name: String) -> Int {
        counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name, default: 0]
        }
    }
}
