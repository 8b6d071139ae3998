internal import LockstepPrimitives
internal import LockstepSystem

/// What a store knows of one of its files, so that it can write again what disappears without having been removed.
struct KnownFile: Sendable, CustomReflectable {
    /// The newest form that was read or written.
    let file: StoredFile
    /// The last removal of the key when the file was there.
    let removal: String?
    /// Older forms, one of which may be written again by another process that has not seen the newest.
    let older: Set<Revision>

    /// Empty: the bytes may be tokens.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// A cleaner of temporary folders, or a user, may delete files from the folder while the app runs. That is no sign-out: a process
/// that knows the value writes it again.
///
/// A second file beside the value, `….removed`, distinguishes the two: a store that removes a key puts a new random text there
/// first. A missing file is written again only where that text is unchanged since the file was there, or is missing as well.
/// Processes of versions that write no such text should not share the folder with others: their sign-outs look like deletions,
/// until the next refresh, which the backend refuses.
extension FileSessionStore {
    /// The file that has to be written again in place of the one found; `nil` where the found one is right.
    ///
    /// - Parameter found: the file that is there: one that this store knows as older was written by a process that had not seen
    ///   the newer one.
    func lost(_ key: StoreKey, for found: StoredFile?) throws(StoreError) -> StoredFile? {
        guard let known = known[key] else { return nil }
        if let found, !known.older.contains(found.revision) { return nil }
        let removal = try lastRemoval(key)
        return removal == nil || removal == known.removal ? known.file : nil
    }

    /// Remembers a file that was there; `nil`: there is none, and none is missing.
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

    /// Records for every process that the key is emptied on purpose; the caller holds the writers' lock and empties the key
    /// afterwards.
    func noteRemoval(_ key: StoreKey) throws(StoreError) {
        known[key] = nil
        let text = Array(randomness.text(16).utf8)
        try writing { () throws(SystemError) in
            do throws(SystemError) {
                try AtomicFile.replace(removalPath(key), with: text, isDurable: false)
            } catch {
                // Beside a folder in its place no process writes anything again.
                guard error.code == SystemError.isAFolder else { throw error }
            }
        }
    }

    /// The text of the last removal; `nil` where there was none.
    ///
    /// Where something else than a file lies in its place, it is a new random text, so that nothing is written again.
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
