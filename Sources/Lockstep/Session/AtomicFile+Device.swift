package import LockstepSystem

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension AtomicFile {
    /// Puts `bytes` in the place of what is at `path`, in a file that is not to leave this device.
    ///
    /// On Apple systems it is kept out of backups: a single-use token that is restored to a second device signs one of the two out. The mark
    /// belongs to the file, so each one that takes the place of another gets it, before it has the name. A file system that keeps no such
    /// marks is no reason to fail: the session would be lost with certainty.
    ///
    /// - Throws: as ``replace(_:with:mode:marking:)``.
    package static func replaceOnDevice(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        try replace(path, with: bytes) { temporary in
            #if canImport(Darwin)
            var file = URL(filePath: temporary, directoryHint: .notDirectory)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? file.setResourceValues(values)
            #endif
        }
    }
}
