internal import LockstepEmulation
internal import LockstepPrimitives

/// A project, or one tenant of it: the owner of users, codes and sessions.
struct ProjectScope: Sendable {
    let id: Int64
    let project: String
    /// `nil` for the project itself.
    let tenant: String?
    /// The settings as administrators read and write them.
    let config: JSONObject
    /// The rules that result from these settings and from the server's settings.
    let rules: Rules

    /// The scope before the sender is admitted; it has no rows.
    static let nowhere = ProjectScope(id: 0, project: "", tenant: nil, config: [:], rules: Rules())
}

/// A scope in the tables.
///
/// Users, codes and sessions belong to exactly one scope.
struct Space: Record, Hashable {
    var id: Int64?
    var project = ""
    /// Empty for the project itself.
    var tenant = ""
    var config: JSONObject = [:]

    static let table = Table<Space>(
        "spaces",
        [Column("id", \.id, .key), Column("project", \.project), Column("tenant", \.tenant), Column("config", \.config)],
        rules: ["UNIQUE (project, tenant)"])
}
