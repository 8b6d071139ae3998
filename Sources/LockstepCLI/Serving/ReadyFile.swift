import LockstepSystem

/// The file of `--ready-file`, which exists only while all servers are ready.
struct ReadyFile {
    private let path: String

    /// Removes the file of a server that has ended.
    ///
    /// - Throws: ``UsageError`` if the path contains something else, or if the file belongs to a running server.
    init(_ path: String) throws(UsageError) {
        self.path = path
        func invalid(_ reason: String) -> UsageError { UsageError("invalid value \"\(path)\" for --ready-file: \(reason)") }
        do {
            let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            guard try FileStatus(of: folder + "/.")?.kind == .folder else {
                throw invalid("there is no folder \"\(folder)\". Create it first.")
            }
            guard let status = try FileStatus(of: path) else { return }
            guard status.kind == .plainFile else {
                throw invalid("the path is a folder, a link, a pipe or a device. Choose a new file.")
            }
            guard let bytes = try AtomicFile.read(path, limit: ReadyLines.limit) else { return }
            guard let lines = ReadyLines(bytes) else {
                throw invalid("the file was not written by lockstep. Choose a new file.")
            }
            if let process = lines.process,
                HeldFile.isHeld(path) || RuntimeFolder.entries().contains(where: { $0.process.id == process })
            {
                throw invalid("the file belongs to the running process \(process). Stop that process, or choose a new file.")
            }
            try AtomicFile.remove(path)
        } catch let error as UsageError {
            throw error
        } catch let error as SystemError {
            throw invalid("\(error.refusal?.rawValue ?? error.reason). Choose a new file.")
        } catch {
            throw invalid("\(error)")
        }
    }

    /// Writes the lines in one step, for this user alone.
    ///
    /// - Returns: The file, which its owner removes at the end.
    func write(_ lines: ReadyLines) throws(UsageError) -> HeldFile {
        do throws(SystemError) {
            return try HeldFile(path, with: Array(lines.text.utf8))
        } catch {
            throw UsageError("invalid value \"\(path)\" for --ready-file: \(error.reason). Choose another file.")
        }
    }
}
