import LockstepPrimitives
import LockstepSystem

/// The folder in which this user's running servers are found: a file of ready lines for each process.
///
/// A file's name contains the mark of its process, so that a file of a killed process is recognized, ignored and removed. The
/// mark says nothing to a process of another container that shares the folder. That process sees the lock, and leaves the file.
enum RuntimeFolder {
    /// The command that serves.
    enum Kind: String, CaseIterable {
        case serve
        /// Its servers are for one program alone: other commands do not list them.
        case exec
    }

    /// The file of a process that runs.
    struct Entry {
        let kind: Kind
        let process: ProcessMark
        let path: String
    }

    private static let ending = ".jsonl"

    /// The possible places, in order: the user's runtime folder, then a folder that only this user can access.
    private static var places: [String] {
        var places: [String] = []
        if let folder = Environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), (try? Folder.isThere(folder)) == true {
            places.append(folder + "/lockstep")
        }
        #if canImport(Darwin)
        let caches = "Library/Caches"
        #else
        let caches = ".cache"
        #endif
        if let home = Environment["HOME"], home.hasPrefix("/"), (try? Folder.isThere(home)) == true {
            places.append("\(home)/\(caches)/lockstep/run")
        }
        return places + ["/tmp/lockstep-\(CurrentProcess.user)"]
    }

    /// The folder, which is created if it is missing.
    ///
    /// - Throws: ``SystemError`` if no place can be used, with the reason for the first place.
    private static func folder() throws(SystemError) -> String {
        var first: SystemError?
        for place in places {
            do throws(SystemError) {
                try Folder.makePrivate(place) { entry(named: $0, in: place) != nil || isSessions($0) }
                return place
            } catch {
                first = first ?? error
            }
        }
        throw first ?? SystemError(SystemError.noSuchFile, "find a folder for running servers")
    }

    /// Writes the lines of this process, and removes the files of processes that have ended.
    ///
    /// - Throws: ``SystemError`` if there is no folder that can be used.
    static func add(_ lines: String, _ kind: Kind) throws(SystemError) -> HeldFile {
        _ = entries()
        guard let process = ProcessMark(of: CurrentProcess.id) else {
            throw SystemError(SystemError.noSuchFile, "inspect process \(CurrentProcess.id)")
        }
        let path = "\(try folder())/\(kind.rawValue)-\(process.id)-\(process.start)\(ending)"
        return try HeldFile(path, with: Array(lines.utf8))
    }

    /// The file with the dashboard's sessions for a port; they outlive a process.
    ///
    /// - Throws: ``SystemError`` if there is no folder that can be used.
    static func sessions(port: UInt16) throws(SystemError) -> String {
        "\(try folder())/\(sessionsStart)\(port)\(sessionsEnding)"
    }

    /// Removes the sessions for all ports.
    ///
    /// - Throws: ``SystemError``.
    static func removeSessions() throws(SystemError) {
        let folder = try folder()
        for name in try Folder.names(folder) where isSessions(name) { try AtomicFile.remove("\(folder)/\(name)") }
    }

    private static let (sessionsStart, sessionsEnding) = ("sessions-", ".json")

    private static func isSessions(_ name: String) -> Bool {
        let whole = name.hasSuffix(".new") ? name.dropLast(4) : name[...]
        return whole.hasPrefix(sessionsStart) && whole.hasSuffix(sessionsEnding)
    }

    /// The files of running processes, newest process first.
    ///
    /// The files of processes that have ended are removed.
    static func entries() -> [Entry] {
        guard let folder = try? folder(), let names = try? Folder.names(folder) else { return [] }
        var running: [Entry] = []
        for entry in names.compactMap({ entry(named: $0, in: folder) }) {
            if entry.process.isRunning {
                if entry.path.hasSuffix(ending) { running.append(entry) }
            } else if !HeldFile.isHeld(entry.path) {
                try? AtomicFile.remove(entry.path)
            }
        }
        return running.sorted { $0.process.order > $1.process.order }
    }

    /// The parts of a file's name; `nil` for an unrelated file.
    private static func entry(named name: String, in place: String) -> Entry? {
        let whole = name.hasSuffix(".new") ? name.dropLast(4) : name[...]
        guard whole.hasSuffix(ending) else { return nil }
        let parts = whole.dropLast(ending.count).split(separator: "-", maxSplits: 2).map(String.init)
        guard parts.count == 3, let kind = Kind(rawValue: parts[0]), let id = Int32(parts[1]) else { return nil }
        return Entry(kind: kind, process: ProcessMark(id: id, start: parts[2]), path: "\(place)/\(name)")
    }
}

extension ProcessMark {
    /// A number that grows with the time of the start.
    fileprivate var order: Int { start.split(separator: "-").last.flatMap { Int($0) } ?? 0 }
}
