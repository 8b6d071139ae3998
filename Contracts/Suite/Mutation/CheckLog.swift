public import LockstepPrimitives
internal import Synchronization

/// The notes of one check.
///
/// All faulty components of the check share these notes.
public final class CheckLog: Sendable {
    private let notes = Mutex<[String: Secret]>([:])
    private let counts = Mutex<[String: Int]>([:])

    /// The id of the contract that is checked.
    public let contract: String

    /// Creates an empty list of notes.
    ///
    /// - Parameter contract: The id of the contract that is checked.
    public init(contract: String) { self.contract = contract }

    /// The note with the given name, or `nil`.
    public subscript(name: String) -> Secret? {
        get { notes.withLock { $0[name] } }
        set { notes.withLock { $0[name] = newValue } }
    }

    /// Counts a call with a name.
    ///
    /// - Returns: The number of such calls so far, including this call.
    public func count(_ name: String) -> Int {
        counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name, default: 0]
        }
    }
}
