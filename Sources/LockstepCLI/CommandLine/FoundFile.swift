import LockstepSystem

/// A file that a command finds in the current folder or above it, without a path on the command line.
enum FoundFile {
    /// Rejects a file that belongs to another user, or is in a folder that only another user can change.
    ///
    /// Otherwise, that user would decide where the command writes, and to which address it sends its caller's secrets. The
    /// superuser reads the files of all users, and all users read the superuser's files.
    ///
    /// - Parameters:
    ///   - folder: The path of its folder; empty for `/`.
    ///   - option: The option with which the command line can name the file.
    /// - Throws: ``UsageError`` with the path and the owner.
    static func check(
        _ path: String, in folder: String, by user: UInt32 = CurrentProcess.user, option: String
    ) throws(UsageError) {
        guard user != 0 else { return }
        func status(_ path: String) -> FileStatus? { (try? FileStatus(of: path)) ?? nil }
        let place = status(folder + "/.").flatMap { $0.isWritableByOthers ? nil : $0 }
        guard let stranger = [place, status(path)].compactMap(\.self).first(where: { $0.owner != user && $0.owner != 0 })
        else { return }
        throw UsageError(
            "\"\(path)\" belongs to another user (number \(stranger.owner)), so it is not read. If you trust it, name it with --\(option)."
        )
    }
}
