internal import LockstepCrypto
internal import LockstepPrimitives
package import LockstepSystem

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The content of a file, or of another place for one value: a line with key and revision, then the unchanged bytes.
///
/// The line ends with a digest of everything else, so that every changed bit is found. Versions that do not know the
/// digest can read the line, too. Such versions wrote files without a digest. These files are read if their line
/// contains nothing else.
package struct StoredFile {
    static let suffix = ".lockstep"

    /// Returns whether Lockstep's stores use such a file name: for a value, a lock, a note, a quarantined file or a
    /// database.
    ///
    /// - `name`: A name in a store's folder.
    package static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.dropFirst().contains(where: { $0.elementsEqual(suffix.utf8.dropFirst()) }) { return true }
        return name.utf8.starts(with: "sessions.sqlite".utf8) || name == "open.lock"
            || name.utf8.reversed().starts(with: FileLocks.suffix.utf8.reversed())
    }

    /// The maximum size of a file in bytes.
    ///
    /// No store writes a larger file.
    package static let limit = 16 << 20

    package let key: StoreKey
    package let revision: Revision
    package let bytes: [UInt8]

    package init(key: StoreKey, revision: Revision, bytes: [UInt8]) {
        self.key = key
        self.revision = revision
        self.bytes = bytes
    }

    /// Reads a file; the result is `nil` if the bytes are not such a file.
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
        // A line without a digest may contain only the members that older versions wrote. Another member may be a damaged digest.
        guard case .object(let members) = header, members.count == 6 else { return nil }
    }

    /// The value that the store returns.
    package var value: StoredValue { StoredValue(bytes: bytes, revision: revision) }

    /// Returns the file's content.
    package func encoded() -> [UInt8] {
        let header: JSON = [
            "lockstep": 1, "provider": .string(key.provider), "backend": .string(key.backend), "slot": .string(key.slot.rawValue),
            "revision": .string(revision.rawValue), "bytes": .int(Int64(bytes.count)),
        ]
        return Self.sealed(header.bytes() + [UInt8(ascii: "\n")] + bytes)
    }

    /// Returns the content with a digest at the end of its first line, which closes an object.
    private static func sealed(_ content: [UInt8]) -> [UInt8] {
        let end = content.firstIndex(of: UInt8(ascii: "\n")) ?? content.endIndex
        return content[..<end].dropLast() + seal(Hex.encode(HashFunction.sha256.digest(content))) + content[end...]
    }

    private static func seal(_ digest: String) -> [UInt8] { Array(#","sha256":"\#(digest)"}"#.utf8) }
}

extension StoreError {
    /// Turns a failure of the file system into a store error.
    ///
    /// - `code`: `unreadable` or `unwritable`; a full disk is always `full`.
    /// - `advice`: The advice, unless the failure already contains one.
    package init(_ code: Code, _ error: SystemError, otherwise advice: String) {
        if error.isFull {
            self.init(.full, "\(error). The previous value is unchanged. Free some space.")
            return
        }
        switch error.refusal {
        case nil: self.init(code, "\(error). \(advice)")
        case .anotherOwner?:
            self.init(code, "\(error). Run this process as that user, or choose a separate folder.")
        case .writableByAll?:
            self.init(code, "\(error). Check its content, and remove the permission (chmod go-rwx).")
        case .symbolicLink?, .notAFile?, .tooLarge?: self.init(code, "\(error). Move it away.")
        case .notAFolder?: self.init(code, "\(error). Choose a folder.")
        case .writableByOthers?:
            self.init(
                code, "\(error). Run chmod go-w on it, or choose a folder that does not exist yet.")
        case .notAPath?, .homeOfAnother?, .unknownHome?: self.init(code, "\(error). Use the full path of the folder.")
        }
    }
}

extension FileRefusal {
    /// Whether the object at the file's path is the cause, so that a quarantine removes it.
    package var isOfFile: Bool {
        switch self {
        case .symbolicLink, .notAFile, .tooLarge, .writableByAll: true
        case .notAFolder, .anotherOwner, .writableByOthers, .notAPath, .homeOfAnother, .unknownHome: false
        }
    }
}

extension AtomicFile {
    /// Replaces the file at `path` with `bytes`, in a new file that must not leave this device.
    ///
    /// On Apple systems the file is excluded from backups. If a single-use token were restored to a second device, one
    /// of the two devices would be signed out. Because the mark belongs to the file, each new file is marked before it
    /// gets its name. A file system without such marks is not an error, because otherwise the session would be lost.
    ///
    /// - Throws: The errors of ``replace(_:with:mode:marking:)``.
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

/// A store's knowledge of one of its files.
///
/// The store can write the file again if it disappears without a removal.
struct KnownFile: Sendable, CustomReflectable {
    /// The newest form of the file that was read or written.
    let file: StoredFile
    /// The text of the key's last removal at the time when the file existed.
    let removal: String?
    /// Older forms of the file.
    ///
    /// Another process that has not seen the newest form may write one of them again.
    let older: Set<Revision>

    /// Empty: the bytes may be tokens.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Files that disappear without a removal.
///
/// A cleaner of temporary folders, or a user, may delete files from the folder while the app runs. This is not a
/// sign-out, so a process that knows the value writes it again.
///
/// A second file next to the value, `….removed`, distinguishes a deletion from a sign-out. Before a store removes a
/// key, it writes a new random text to that file. A missing file is written again only if the text is unchanged since
/// the file existed, or is also missing. Do not share the folder with versions that write no such text: their sign-outs
/// look like deletions until the next refresh, which the backend rejects.
extension FileSessionStore {
    /// Returns the file that must be written in place of the one in the folder; `nil` if the file in the folder is
    /// correct.
    ///
    /// - `found`: The file in the folder. If this store knows that the file is outdated, a process that had not seen
    ///   the newer one wrote it.
    func lost(_ key: StoreKey, for found: StoredFile?) throws(StoreError) -> StoredFile? {
        guard let known = known[key] else { return nil }
        if let found, !known.older.contains(found.revision) { return nil }
        let removal = try lastRemoval(key)
        return removal == nil || removal == known.removal ? known.file : nil
    }

    /// Remembers a file that existed; `nil` if the key has no file and none must be restored.
    func note(_ file: StoredFile?, under key: StoreKey) throws(StoreError) {
        guard let file else { return known[key] = nil }
        let last = known[key]
        guard last?.file.revision != file.revision else { return }
        let removal = try lastRemoval(key)
        // If the file still exists, it has not been removed since, so the text belongs to an earlier removal.
        guard try self.file(key).file?.revision == file.revision else { return known[key] = nil }
        var older = last?.older ?? []
        if older.count >= 256 { older = [] }
        if let last { older.insert(last.file.revision) }
        older.remove(file.revision)
        known[key] = KnownFile(file: file, removal: removal, older: older)
    }

    /// Records for every process that the key is emptied on purpose.
    ///
    /// The caller must have the writers' lock, and must empty the key afterwards.
    func noteRemoval(_ key: StoreKey) throws(StoreError) {
        known[key] = nil
        let text = Array(randomness.text(16).utf8)
        try writing { () throws(SystemError) in
            do throws(SystemError) {
                try AtomicFile.replace(removalPath(key), with: text, isDurable: false)
            } catch {
                // If a folder has this name, no process writes the file again.
                guard error.code == SystemError.isAFolder else { throw error }
            }
        }
    }

    /// Returns the text of the last removal; `nil` if there was none.
    ///
    /// If another object has that file's name, the result is a new random text. So nothing is written again.
    private func lastRemoval(_ key: StoreKey) throws(StoreError) -> String? {
        try reading { () throws(SystemError) in
            do throws(SystemError) {
                return try PrivateFile.read(removalPath(key), limit: 64).map { String(decoding: $0.bytes, as: UTF8.self) }
            } catch {
                guard error.refusal != nil else { throw error }
                return randomness.text(16)
            }
        }
    }

    private func removalPath(_ key: StoreKey) -> String { path(key) + ".removed" }
}
