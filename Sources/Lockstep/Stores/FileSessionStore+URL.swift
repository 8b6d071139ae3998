public import LockstepPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FileSessionStore {
    /// Opens a store in a folder.
    ///
    /// - Parameters:
    ///   - directory: The folder's `file:` URL. If the folder is missing, the store creates it for its owner only.
    ///   - clock: The clock for the time limits of locks and the names of quarantined files.
    ///   - randomness: The source of randomness for revisions.
    /// - Throws: `unwritable` if the URL is not a file URL, or if the folder cannot be used.
    public init(
        directory: URL, clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness()
    ) throws(StoreError) {
        try self.init(directory: directory.absoluteString, clock: clock, randomness: randomness)
    }
}
