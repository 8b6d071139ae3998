internal import LockstepPostgres
internal import LockstepPrimitives

extension PostgresStatement {
    /// A JSON object.
    static func json(_ object: JSONObject) -> PostgresStatement { "\(JSON.object(object).text())::jsonb" }

    /// Returns an SQL expression that sets members of a column, and removes those that are `null`; a value that is not
    /// an object is replaced.
    static func merging(_ members: JSONObject, into column: PostgresStatement) -> PostgresStatement {
        let kept = JSONObject(members.filter { $0.value != .null }.map { ($0.name, $0.value) })
        let base: PostgresStatement = "CASE WHEN jsonb_typeof(\(column)) = 'object' THEN \(column) ELSE '{}'::jsonb END"
        return members.filter { $0.value == .null }.reduce("(\(base) || \(.json(kept)))") { "\($0) - \($1.name)" }
    }
}
