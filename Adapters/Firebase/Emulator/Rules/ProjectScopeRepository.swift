internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Reads and writes projects and tenants, inside the request's transaction.
///
/// There is no cache, because a request would need its lock while it already holds the lock of the database.
struct ProjectScopeRepository {
    let context: RequestContext

    /// Returns the project or tenant in a request.
    ///
    /// As in Firebase's emulator, it exists from then on, even if the request fails. The first request for it creates
    /// it with deferred work, which a rollback of the request does not remove.
    func named(project: String, tenant: String? = nil) throws -> ProjectScope {
        // Another request may delete it meanwhile.
        for attempt in 1...3 {
            if let found = try find(project: project, tenant: tenant) { return found }
            _ = try context.result(
                of: ScopeCreation(
                    rows: rows(project: project, tenant: tenant), attempt: attempt, database: context.state.database))
        }
        throw APIError.inside("The project \(project) was deleted meanwhile.")
    }

    /// Returns the project or tenant, created in this transaction if it is missing.
    ///
    /// - `config`: The configuration of a tenant that does not exist yet.
    func created(project: String, tenant: String? = nil, config: JSONObject = TenantConfig.mentioned) throws -> ProjectScope {
        if let found = try find(project: project, tenant: tenant) { return found }
        for row in rows(project: project, tenant: tenant, config: config) { try context.db.make(row) }
        guard let created = try find(project: project, tenant: tenant) else { throw APIError.inside("No project \(project).") }
        return created
    }

    /// Replaces the configuration of a project or tenant.
    @discardableResult
    func setConfig(_ config: JSONObject, of scope: ProjectScope) throws -> ProjectScope {
        let space = Space(id: scope.id, project: scope.project, tenant: scope.tenant ?? "", config: config)
        try context.db.update(space)
        return try self.scope(space)
    }

    /// Returns a project's tenants after an id, in the order of their ids.
    func tenants(of project: String, after id: String, limit: Int) throws -> [Space] {
        try context.db.all(
            Space.self, "project = \(project) AND tenant <> '' AND tenant > \(id) ORDER BY tenant LIMIT \(limit)")
    }

    /// Whether there is such a project or tenant.
    func has(project: String, tenant: String?) throws -> Bool { try context.db.space(project, tenant ?? "") != nil }

    /// Deletes a tenant and all its data.
    func remove(_ scope: ProjectScope) throws { try context.db.delete(Space.self, "id = \(scope.id)") }

    private func find(project: String, tenant: String?) throws -> ProjectScope? {
        try context.db.space(project, tenant ?? "").map(scope)
    }

    /// Returns the scope of a row; a tenant inherits its project's rules.
    private func scope(_ space: Space) throws -> ProjectScope {
        let isTenant = !space.tenant.isEmpty
        let project = isTenant ? try context.db.space(space.project, "")?.config ?? [:] : space.config
        let own = Rules(project: project, settings: context.settings)
        return ProjectScope(
            id: space.id ?? 0, project: space.project, tenant: isTenant ? space.tenant : nil, config: space.config,
            rules: isTenant ? Rules(tenant: space.config, of: own) : own)
    }

    private func rows(project: String, tenant: String?, config: JSONObject = TenantConfig.mentioned) -> [Space] {
        let own = Space(project: project, config: context.settings.projectConfig)
        guard let tenant else { return [own] }
        return [
            own, Space(project: project, tenant: tenant, config: TenantConfig.named(config, project: project, tenant: tenant)),
        ]
    }
}

/// Creates the scope that a request uses for the first time, in a separate transaction.
private struct ScopeCreation: DeferredWork {
    let rows: [Space]
    let attempt: Int
    let database: Database

    func run(in environment: EmulationEnvironment) async throws -> Int {
        try database.write { db in
            for row in rows { try db.make(row) }
            return rows.count
        }
    }

    static func == (left: ScopeCreation, right: ScopeCreation) -> Bool {
        left.rows == right.rows && left.attempt == right.attempt
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(rows)
        hasher.combine(attempt)
    }
}

extension SQLiteConnection {
    fileprivate mutating func space(_ project: String, _ tenant: String) throws -> Space? {
        try find(Space.self, "project = \(project) AND tenant = \(tenant)")
    }

    /// Inserts a project or tenant, unless one with its name exists.
    fileprivate mutating func make(_ row: Space) throws {
        if try space(row.project, row.tenant) == nil { try insert(row) }
    }
}
