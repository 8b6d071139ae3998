public import LockstepPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FileSessionStore {
    /// Opens a store in a folder that Foundation names.
    ///
    /// - Parameters:
    ///   - directory: The folder's `file:` URL. A missing folder is made, for its owner only.
    ///   - clock: The clock for the limits of locks and for the names of quarantined files.
    ///   - randomness: The source of revisions.
    /// - Throws: `unwritable` if the URL names no file, or the folder cannot be used.
    public init(
        directory: URL, clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        try self.init(directory: directory.absoluteString, clock: clock, randomness: randomness)
    }
}
