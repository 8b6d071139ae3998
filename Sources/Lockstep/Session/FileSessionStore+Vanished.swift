internal import LockstepPrimitives
internal import LockstepSystem

/// What a store knows of one of its files, so that it can write again what disappears without having been removed.
struct KnownFile: Sendable, CustomReflectable {
    /// The newest form that was read or written.
    let file: StoredFile
    /// The last removal of the key when the file was there.
    let removal: String?
    /// The forms before it, of which another process may write one again that has not seen the newest.
    let older: Set<Revision>

    /// Nothing: the bytes may be tokens.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// A cleaner of temporary folders, or a user, may delete what lies in the folder while the app runs. That is no sign-out: whoever knows
/// the value writes it again.
///
/// What tells the two apart is a file beside the value, `….removed`: whatever empties a key through a store puts a new random text there
/// first. A file that is missing is written again only where that text is what it was when the file was there, or is missing as well.
/// Processes of versions that write no such text should not share the folder with others: their sign-outs look like deletions, until
/// the next refresh, which the backend refuses.
extension FileSessionStore {
    /// What has to be written again in the place of what was found; `nil` where that is what counts.
    ///
    /// - Parameter found: the file that is there: one that this store knows as older was written again by another process that did not know better.
    func lost(_ key: StoreKey, for found: StoredFile?) throws(StoreError) -> StoredFile? {
        guard let known = known[key] else { return nil }
        if let found, !known.older.contains(found.revision) { return nil }
        let removal = try lastRemoval(key)
        return removal == nil || removal == known.removal ? known.file : nil
    }

    /// Remembers a file that was there; `nil`: there is none, and none is missed.
    func note(_ file: StoredFile?, under key: StoreKey) throws(StoreError) {
        guard let file else { return known[key] = nil }
        let last = known[key]
        guard last?.file.revision != file.revision else { return }
        let removal = try lastRemoval(key)
        // A file that is still there has not been removed since: the text belongs to the time before it.
        guard try self.file(key).file?.revision == file.revision else { return known[key] = nil }
        var older = last?.older ?? []
        if older.count >= 256 { older = [] }
        if let last { older.insert(last.file.revision) }
        older.remove(file.revision)
        known[key] = KnownFile(file: file, removal: removal, older: older)
    }

    /// Lets every process know that the key is emptied on purpose; the caller holds the lock of its writers, and empties it then.
    func noteRemoval(_ key: StoreKey) throws(StoreError) {
        known[key] = nil
        let text = Array(randomness.text(16).utf8)
        try writing { () throws(SystemError) in try AtomicFile.replace(removalPath(key), with: text, isDurable: false) }
    }

    private func lastRemoval(_ key: StoreKey) throws(StoreError) -> String? {
        try reading { () throws(SystemError) in
            try PrivateFile.read(removalPath(key), limit: 64).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
    }

    private func removalPath(_ key: StoreKey) -> String { path(key) + ".removed" }
}
