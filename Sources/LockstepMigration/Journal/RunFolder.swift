public import LockstepPrimitives
internal import LockstepSystem

/// The folder of a run, which contains its journal and its key.
///
/// Only the current user of the machine can access the folder.
public final class RunFolder: Sendable {
    /// The name of the run.
    public let id: String
    /// The path of the folder.
    public let path: String
    /// The key for the digests of the run.
    public let key: RunKey
    /// The journal of the run.
    public let journal: SQLiteJournal
    /// The lock that keeps other processes away; `nil` if another process has it, so that this one only looks on.
    private let hold: FileLock.Hold?

    /// Whether another process is working on the run.
    ///
    /// In that case, this process can only read the journal.
    public var isInUse: Bool { hold == nil }

    private static let names = Set(
        [
            "journal.db", "journal.db-wal", "journal.db-shm", "journal.db-journal", "key", "lock", "archive.sealed", "map.csv",
            "duplicates.jsonl", "new-passwords.jsonl", "failures.jsonl", "requests.jsonl",
        ]
        .flatMap { [$0, $0 + ".new"] } + revealing)

    /// The files with hashes, addresses or private data, with their unfinished forms.
    private static let revealing = (["archive.sealed", "large-data.jsonl"] + MoveList.Kind.allCases.map(\.file))
        .flatMap { [$0, $0 + ".new"] }

    /// The path of the run's archive.
    ///
    /// There may be no archive.
    public var archive: String { "\(path)/archive.sealed" }

    private init(_ id: String, _ path: String, _ key: RunKey, _ journal: SQLiteJournal, _ hold: FileLock.Hold?) {
        self.id = id
        self.path = path
        self.key = key
        self.journal = journal
        self.hold = hold
    }

    /// Creates the folder of a new run.
    ///
    /// - Parameters:
    ///   - parent: The path of the folder that contains all runs. If the folder does not exist, it is created.
    ///   - clock: The clock for the time in the name of the run. If another run was created in the same second, the next second is used.
    ///   - randomness: The source of random values for the run's key and for the end of its name.
    /// - Returns: The folder.
    /// - Throws: `journal` if the folder cannot be created.
    public static func make(in parent: String, clock: any DeviceClock, randomness: any Randomness) throws(MigrationError)
        -> RunFolder
    {
        var now = clock.now
        // Two runs of one second would be in no order, and the newest one must be the last.
        let runs = list(in: parent)
        for _ in runs where runs.contains(where: { $0.hasPrefix(time(now)) }) { now = now + .seconds(1) }
        let id = "\(time(now))-\(Hex.encode(randomness.bytes(2)))"
        do throws(SystemError) {
            let path = try checked(LocalPath.resolve(parent), id)
            try AtomicFile.replace("\(path)/key", with: randomness.bytes(RunKey.size))
        } catch {
            throw unusable(id, error)
        }
        return try open(id, in: parent)
    }

    /// Returns a time as the start of a name: 20261125-101502 in 20261125-101502-a1b2.
    private static func time(_ instant: Instant) -> String {
        let digits = instant.rfc3339.utf8.prefix(19).filter { (0x30...0x39).contains($0) }
        return String(decoding: digits.prefix(8), as: UTF8.self) + "-" + String(decoding: digits.dropFirst(8), as: UTF8.self)
    }

    /// Opens the folder of a run.
    ///
    /// - Parameters:
    ///   - id: The name of the run.
    ///   - parent: The path of the folder that contains all runs.
    ///   - looksOn: Whether to open a run that another process is working on, only to read its journal.
    /// - Returns: The folder.
    /// - Throws: `notPlanned` if there is no such run; `inUse`, `newerJournal`, `journal`.
    public static func open(_ id: String, in parent: String, looksOn: Bool = false) throws(MigrationError) -> RunFolder {
        guard isName(id) else { throw noRun(id, parent) }
        do {
            let parent = try LocalPath.resolve(parent)
            guard try Folder.isThere("\(parent)/\(id)/key") else { throw noRun(id, parent) }
            let path = try checked(parent, id)
            let hold = try FileLock(path: "\(path)/lock").tryAcquire()
            guard hold != nil || looksOn else { throw inUse(id) }
            guard let key = try PrivateFile.read("\(path)/key").flatMap({ RunKey(bytes: $0.bytes) }) else {
                throw noRun(id, parent)
            }
            for name in ["journal.db-wal", "journal.db-shm", "archive.sealed"] { try PrivateFile.check("\(path)/\(name)") }
            return RunFolder(id, path, key, try SQLiteJournal("\(path)/journal.db", isReadOnly: hold == nil), hold)
        } catch let error as MigrationError {
            throw error
        } catch let error as SystemError {
            throw unusable(id, error)
        } catch {
            throw MigrationError(.journal, "The folder of the run \"\(id)\" cannot be used: \(error).")
        }
    }

    /// Returns the names of all runs, newest last.
    ///
    /// - Parameter parent: The path of the folder that contains all runs.
    /// - Returns: The names.
    public static func list(in parent: String) -> [String] {
        ((try? Folder.names(LocalPath.resolve(parent))) ?? []).filter(isName)
    }

    /// Returns the names of a run's files, even if the run cannot be opened.
    ///
    /// - Parameters:
    ///   - id: The name of the run.
    ///   - parent: The path of the folder that contains all runs.
    /// - Returns: The names of the files.
    /// - Throws: `notPlanned` if there is no such run.
    public static func contents(of id: String, in parent: String) throws(MigrationError) -> [String] {
        guard isName(id), let names = try? Folder.names("\(LocalPath.resolve(parent))/\(id)") else { throw noRun(id, parent) }
        return names.map(\.visible)
    }

    /// The names of the files that a plan has written about users who lose something, and about what stays on the source.
    public var losses: [String] {
        let names = ["large-data.jsonl", "new-passwords.jsonl"] + MoveList.Kind.allCases.map(\.file)
        return names.filter { (try? Folder.isThere("\(path)/\($0)")) == true }
    }

    /// Deletes a run with its archive, journal and key, even if the run cannot be opened.
    ///
    /// - Parameters:
    ///   - id: The name of the run.
    ///   - parent: The path of the folder that contains all runs.
    /// - Throws: `notPlanned` if there is no such run; `inUse` if another process works on the run; `journal` if the folder contains
    ///   other files, or cannot be deleted.
    public static func purge(_ id: String, in parent: String) throws(MigrationError) {
        guard isName(id) else { throw noRun(id, parent) }
        do {
            let path = try "\(LocalPath.resolve(parent))/\(id)"
            guard let status = try FileStatus(of: path) else { throw noRun(id, parent) }
            // A link could point to files that do not belong to this run.
            guard status.kind == .folder else { throw SystemError(SystemError.noSuchFile, "use \(path)", refusal: .notAFolder) }
            if let stranger = try Folder.names(path).first(where: { !names.contains($0) }) {
                throw MigrationError(
                    .journal,
                    "The run \"\(id)\" has the file \"\(stranger.visible)\", which does not belong to the run. Move it away first."
                )
            }
            guard let hold = try FileLock(path: "\(path)/lock").tryAcquire() else { throw inUse(id) }
            defer { hold.release() }
            // What has hashes and addresses goes first.
            for name in revealing + names.subtracting(["lock"]).sorted() {
                try AtomicFile.removeDurably("\(path)/\(name)")
            }
            try Folder.remove(path)
        } catch let error as MigrationError {
            throw error
        } catch let error as SystemError {
            throw unusable(id, error)
        } catch {
            throw MigrationError(.journal, "The folder of the run \"\(id)\" cannot be removed: \(error).")
        }
    }

    private static func inUse(_ id: String) -> MigrationError {
        MigrationError(.inUse, "Another process is using the run \"\(id)\". Wait until it exits.")
    }

    /// Closes the run, so that other processes can work on it.
    public func close() { hold?.release() }

    /// Whether a text is a run's name.
    ///
    /// A name has no slash and no dot, so it cannot leave its folder.
    private static func isName(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 64
            && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func checked(_ parent: String, _ id: String) throws(SystemError) -> String {
        try Folder.makePrivate(parent, owns: isName)
        let path = "\(parent)/\(id)"
        try Folder.makePrivate(path, owns: names.contains)
        guard try FileStatus(of: path)?.kind == .folder else {
            // A link would lead out of the folder of the runs.
            throw SystemError(SystemError.noSuchFile, "use \(path)", refusal: .notAFolder)
        }
        return path
    }

    private static func noRun(_ id: String, _ parent: String) -> MigrationError {
        MigrationError(.notPlanned, "There is no run \"\(id)\" in \"\(parent)\". Create one with lockstep migrate plan.")
    }

    private static func unusable(_ id: String, _ error: SystemError) -> MigrationError {
        MigrationError(.journal, "The folder of the run \"\(id)\" cannot be used: \(error). Repair it, or use another one.")
    }
}
