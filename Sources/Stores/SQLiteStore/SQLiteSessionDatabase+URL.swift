public import Lockstep
public import LockstepPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension SQLiteSessionDatabase {
    /// Opens a database in a folder that Foundation names.
    ///
    /// - Parameters:
    ///   - directory: The folder's `file:` URL. A missing folder is made, for its owner only.
    ///   - owner: Whose the sessions are that a version of Lockstep without owners has stored here.
    ///   - busyTimeout: How long a call waits for another process that writes, before it fails as `busy`.
    ///   - clock: The clock for the limits of locks and for the names of quarantined files.
    ///   - randomness: The source of revisions.
    /// - Throws: `unwritable` if the URL names no file, or the folder cannot be used.
    public init(
        directory: URL, unownedRowsBelongTo owner: String? = nil, busyTimeout: Duration = .seconds(10),
        clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        try self.init(
            directory: directory.absoluteString, unownedRowsBelongTo: owner, busyTimeout: busyTimeout, clock: clock,
            randomness: randomness)
    }
}
