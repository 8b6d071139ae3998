import LockstepPrimitives
import LockstepSystem

/// The users that Clerk's Dashboard has exported: comma-separated values with the hashes and secrets that no API returns
/// (https://clerk.com/docs/guides/development/migrating/export-from-clerk).
final class ClerkExport: Sendable {
    /// What only the export has of a user.
    struct Row: Sendable {
        let id: String
        let digest: Secret?
        let hasher: String?
        /// The secret of an authenticator app.
        let appSecret: Secret?
    }

    /// The time of the export; what changed later is not in the file.
    let exportedAt: Instant
    private let table: IndexedTable

    /// Reads the file once, to find its users.
    ///
    /// - Parameter exportedAt: The time of the export.
    /// - Throws: ``UsageError`` with the line of a value that cannot be used.
    init(_ path: String, exportedAt: Instant) throws(UsageError) {
        self.exportedAt = exportedAt
        table = try IndexedTable(
            path, by: "id", requiring: ["password_digest", "password_hasher"],
            remedy: "Export the users in the Dashboard, under Settings, \"User exports\".")
        try table.requireDistinctKeys()
    }

    var path: String { table.path }
    /// The number of users.
    var count: Int { table.count }

    /// Returns the rows of users by their ids, in the given order; `nil` for a user who is not in the export.
    ///
    /// - Throws: ``UsageError`` if the file has changed since it was opened.
    func rows(of ids: [String]) async throws -> [Row?] {
        try await BlockingThread.run { [table] in
            try ids.map { id in
                try table.records(of: id).first.map { record in
                    func text(_ column: String) -> String? { record[column]?.string?.clerkCell }
                    return Row(
                        id: id, digest: text("password_digest").map { Secret($0) }, hasher: text("password_hasher"),
                        appSecret: text("totp_secret").map { Secret($0) })
                }
            }
        }
    }

    /// Returns the ids of the users who were never looked up, in the order of the file.
    ///
    /// - Throws: ``UsageError`` if none of the users was looked up, because then the export belongs to another instance.
    func unseen() async throws -> [String] {
        let ids = try await BlockingThread.run { [table] in try table.unseen() }
        guard ids.count < count || count == 0 else {
            throw UsageError(
                "\(path): the instance has none of the \(count) users of this export. Export the users of this instance.")
        }
        return ids
    }
}
