internal import LockstepCrypto
internal import LockstepPrimitives
package import LockstepSystem

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The content of a file, or of another place that holds one value: a line that names key and revision, then the bytes as they
/// were given.
///
/// The line ends with a digest of all the rest, so that a single flipped bit is found. Versions that know no digest read the line, too,
/// and a file without one, as they have written, is read as long as nothing else is in its line.
package struct StoredFile {
    static let suffix = ".lockstep"

    /// The most bytes that a file may have: a larger one is not a store's.
    package static let limit = 16 << 20

    package let key: StoreKey
    package let revision: Revision
    package let bytes: [UInt8]

    package init(key: StoreKey, revision: Revision, bytes: [UInt8]) {
        self.key = key
        self.revision = revision
        self.bytes = bytes
    }

    /// Reads a file; `nil` where it is not one.
    package init?(_ file: [UInt8]) {
        guard let end = file.firstIndex(of: UInt8(ascii: "\n")), let header = try? JSON.parse(Array(file[..<end])),
            header["lockstep"]?.int == 1, let provider = header["provider"]?.string, let backend = header["backend"]?.string,
            let slot = header["slot"]?.string.flatMap(StoreKey.Slot.init), let revision = header["revision"]?.string,
            header["bytes"]?.int == Int64(file.count - end - 1)
        else { return nil }
        key = StoreKey(provider: provider, backend: backend, slot: slot)
        self.revision = Revision(rawValue: revision)
        bytes = Array(file[(end + 1)...])
        guard header["sha256"] == nil else {
            let rest = Array(file[..<end].dropLast(Self.seal("").count + 64)) + Array("}".utf8) + file[end...]
            guard file[..<end].elementsEqual(Self.sealed(rest).prefix(end)) else { return nil }
            return
        }
        // A line without digest has what older versions put there and nothing else: no name that may once have been the digest's.
        guard case .object(let members) = header, members.count == 6 else { return nil }
    }

    /// The value that the store returns.
    package var value: StoredValue { StoredValue(bytes: bytes, revision: revision) }

    /// The file's content.
    package func encoded() -> [UInt8] {
        let header: JSON = [
            "lockstep": 1, "provider": .string(key.provider), "backend": .string(key.backend), "slot": .string(key.slot.rawValue),
            "revision": .string(revision.rawValue), "bytes": .int(Int64(bytes.count)),
        ]
        return Self.sealed(header.bytes() + [UInt8(ascii: "\n")] + bytes)
    }

    /// The content with the digest of it at the end of its first line, which closes an object.
    private static func sealed(_ content: [UInt8]) -> [UInt8] {
        let end = content.firstIndex(of: UInt8(ascii: "\n")) ?? content.endIndex
        return content[..<end].dropLast() + seal(Hex.encode(HashFunction.sha256.digest(content))) + content[end...]
    }

    private static func seal(_ digest: String) -> [UInt8] { Array(#","sha256":"\#(digest)"}"#.utf8) }
}

extension StoreError {
    /// A file system failure as an error of the store.
    ///
    /// - Parameters:
    ///   - code: `unreadable` or `unwritable`; a full disk is always `full`.
    ///   - advice: what to do, unless the failure itself says it.
    package init(_ code: Code, _ error: SystemError, otherwise advice: String) {
        if error.isFull {
            self.init(.full, "\(error). What was stored before is still there. Make room.")
            return
        }
        switch error.refusal {
        case nil: self.init(code, "\(error). \(advice)")
        case .anotherOwner?:
            self.init(code, "\(error). Run this process as that user, or name a folder of its own.")
        case .writableByAll?:
            self.init(code, "\(error). Make sure of what is in it, and take the permission away (chmod go-rwx).")
        case .symbolicLink?, .notAFile?, .tooLarge?: self.init(code, "\(error). Move it away.")
        case .notAFolder?: self.init(code, "\(error). Name a folder.")
        case .writableByOthers?: self.init(code, "\(error). Name a folder of this user's own.")
        }
    }
}

extension FileRefusal {
    /// Whether the cause is the object at the file's path, which quarantining it removes.
    package var isOfFile: Bool {
        switch self {
        case .symbolicLink, .notAFile, .tooLarge, .writableByAll: true
        case .notAFolder, .anotherOwner, .writableByOthers: false
        }
    }
}

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
