import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// The users that Clerk's Dashboard has exported: comma-separated values with the hashes and secrets that no API returns
/// (https://clerk.com/docs/guides/development/migrating/export-from-clerk).
///
/// Only the places of the users are in memory.
final class ClerkExport: Sendable {
    /// What only the export has of a user.
    struct Row: Sendable {
        let id: String
        let digest: Secret?
        let hasher: String?
        /// The secret of an authenticator app.
        let appSecret: Secret?
    }

    /// The path of the file.
    let path: String
    /// The time of the export; what changed later is not in the file.
    let exportedAt: Instant
    private let columns: Columns
    /// The places of the users, in the order of their keys.
    private let places: [IndexedPlace]
    /// Whether a user was looked up, for each place.
    private let seen: Mutex<[Bool]>

    /// Reads the file once, to find its users.
    ///
    /// - Parameter exportedAt: The time of the export.
    /// - Throws: ``UsageError`` with the line of a value that cannot be used.
    init(_ path: String, exportedAt: Instant) throws(UsageError) {
        self.path = path
        self.exportedAt = exportedAt
        (columns, places) = try Self.reading(path) { file in
            guard file.size != nil else {
                throw UsageError("it is a pipe. A move reads the export more than once. Use a file instead.")
            }
            var records = Records(file)
            guard let names = try records.next() else { throw UsageError("the file is empty. Export the users again.") }
            let columns = try Columns(names)
            var places: [IndexedPlace] = []
            while true {
                let start = UserFileReader.Place(offset: records.offset, line: records.line)
                guard let values = try records.next() else { break }
                let row = try columns.row(values, line: start.line + 1)
                places.append(IndexedPlace(key: row.id.exact.hashValue, start: start))
            }
            places.sort { $0.key < $1.key }
            return (columns, places)
        }
        seen = Mutex([Bool](repeating: false, count: places.count))
        try requireDistinctIDs()
    }

    /// The number of users.
    var count: Int { places.count }

    /// Returns the rows of users by their ids, in the given order; `nil` for a user who is not in the export.
    ///
    /// - Throws: ``UsageError`` if the file has changed since it was opened.
    func rows(of ids: [String]) async throws -> [Row?] {
        try await BlockingThread.run { [self] in
            try Self.reading(path) { file in
                var records = Records(file, piece: 1 << 12)
                return try ids.map { id in
                    let found = places.range(of: id.exact.hashValue)
                    for index in found {
                        let row = try row(at: places[index].start, &records)
                        guard row.id.exact == id.exact else { continue }
                        seen.withLock { $0[index] = true }
                        return row
                    }
                    guard found.isEmpty else { throw Self.changed }
                    return nil
                }
            }
        }
    }

    /// Returns the ids of the users who were never looked up, in the order of the file.
    ///
    /// - Throws: ``UsageError`` if none of the users was looked up, because then the export belongs to another instance.
    func unseen() async throws -> [String] {
        let open = seen.withLock { seen in seen.indices.filter { !seen[$0] } }
        guard open.count < places.count || places.isEmpty else {
            throw UsageError(
                "\(path): the instance has none of the \(places.count) users of this export. Export the users of this instance.")
        }
        return try await BlockingThread.run { [self] in
            try Self.reading(path) { file in
                var records = Records(file, piece: 1 << 12)
                return try open.map { places[$0].start }.sorted { $0.offset < $1.offset }.map { try row(at: $0, &records).id }
            }
        }
    }

    private static let changed = UsageError("the file has changed while it was in use. Run the command again.")

    private func row(at place: UserFileReader.Place, _ records: inout Records) throws -> Row {
        try records.seek(to: place)
        guard let values = try records.next() else { throw Self.changed }
        return try columns.row(values, line: place.line + 1)
    }

    private func requireDistinctIDs() throws(UsageError) {
        for (former, place) in zip(places, places.dropFirst()) where former.key == place.key {
            try Self.reading(path) { file in
                var records = Records(file, piece: 1 << 12)
                let id = try row(at: former.start, &records).id
                guard try row(at: place.start, &records).id.exact == id.exact else { return }
                let lines = [former.start.line, place.start.line].sorted()
                throw UsageError("line \(lines[1] + 1): the user of line \(lines[0] + 1) appears again. Export the users again.")
            }
        }
    }

    /// Calls a closure with the file, and names the file in its errors.
    private static func reading<Value>(_ path: String, _ body: (FileReader) throws -> Value) throws(UsageError) -> Value {
        do {
            return try body(FileReader(path))
        } catch let error as UsageError {
            throw UsageError("\(path): \(error)")
        } catch let error as SeedProblem {
            throw UsageError("\(path): \(error)")
        } catch {
            throw UsageError("cannot read \"\(path)\": \(error)")
        }
    }
}

/// The places of the columns that a move reads.
private struct Columns: Sendable {
    private let count: Int
    private let id: Int
    private let digest: Int
    private let hasher: Int
    private let appSecret: Int?

    init(_ names: [String]) throws(UsageError) {
        func place(_ name: String) -> Int? { names.firstIndex(of: name) }
        guard let id = place("id"), let digest = place("password_digest"), let hasher = place("password_hasher") else {
            throw UsageError(
                "line 1: the columns id, password_digest and password_hasher are required. Export the users in the Dashboard, "
                    + "under Settings, \"User exports\".")
        }
        (self.id, self.digest, self.hasher, appSecret) = (id, digest, hasher, place("totp_secret"))
        count = names.count
    }

    func row(_ values: [String], line: Int) throws(UsageError) -> ClerkExport.Row {
        guard values.count == count else {
            throw UsageError("line \(line): \(values.count) values for \(count) columns. Download the export again.")
        }
        guard let id = values[id].clerkCell else { throw UsageError("line \(line): the user has no id. Download it again.") }
        return ClerkExport.Row(
            id: id, digest: values[digest].clerkCell.map { Secret($0) }, hasher: values[hasher].clerkCell,
            appSecret: appSecret.flatMap { values[$0].clerkCell }.map { Secret($0) })
    }
}
