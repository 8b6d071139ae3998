internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The administrators' route for the audit log.
struct AdminAuditRoutes {
    let context: RequestContext

    /// The fields of `query=field:text`, and their columns.
    private static let fields = ["action": ["$.action"], "type": ["$.log_type"], "author": ["$.actor_username", "$.actor_name"]]

    /// Handles `GET /admin/audit`.
    func list() throws -> EmulatorResponse {
        let page = try Page(context.request)
        var condition: SQL = "TRUE"
        if let query = context.request.query["query"], !query.isEmpty {
            let pieces = query.pieces(at: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pieces.count == 2, let paths = Self.fields[pieces[0]] else {
                throw GoTrueError.invalid("Invalid query scope: \(query)")
            }
            // An empty text matches everything.
            if !pieces[1].isEmpty {
                let (path, other) = (paths[0], paths[paths.count - 1])
                let fields: (SQL, SQL) = ("json_extract(payload, \(path))", "json_extract(payload, \(other))")
                condition += " AND \(SQL.contains(pieces[1], in: fields.0, fields.1))"
            }
        }
        let count = try context.db.count(AuditEntry.self, condition)
        condition += " ORDER BY row DESC LIMIT \(page.size) OFFSET \(page.offset)"
        let entries = try context.db.all(AuditEntry.self, condition).map(\.json)
        return page.headed(.go(.array(entries)), count: count, context.request)
    }
}
