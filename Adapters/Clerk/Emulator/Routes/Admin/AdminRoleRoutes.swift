import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/organization_roles`.
struct AdminRoleRoutes {
    let context: RequestContext

    private var fields: Fields { context.fields }

    /// The members of ``create()``.
    static let createBody: BodySchema = [
        "name": .text, "key": .text, "description": .text, "permissions": .anything, "include_in_initial_role_set": .flag,
    ]

    /// The members of ``update()``.
    static let updateBody: BodySchema = ["name": .text, "key": .text, "description": .text, "permissions": .anything]

    func list() throws -> Answer {
        try context.checkOrganizations()
        try context.roles.prepare()
        return try context.page(
            RoleRecord.self, KeySearch.condition(context.query), order: try context.order(KeySearch.orders), json)
    }

    func create() throws -> Answer {
        try context.checkOrganizations()
        try context.roles.prepare()
        let role = RoleRecord(
            id: context.id(.role), key: try key(), name: try fields.required("name"), summary: try fields.text("description"),
            permissions: try permissions() ?? [], createdAt: context.now, updatedAt: context.now)
        try context.db.save(role)
        if try fields.flag("include_in_initial_role_set") == true,
            var set = try context.db.find(RoleSetRecord.self, "initial = 1")
        {
            set.roles.append(role.key)
            try context.db.save(set)
        }
        try context.emit("role.created", role.id, try json(role))
        return .resource(try json(role))
    }

    func get() throws -> Answer { .resource(try json(try role())) }

    func update() throws -> Answer {
        var role = try role()
        let former = role.key
        if let name = try fields.text("name"), !name.isEmpty { role.name = name }
        if fields.has("description") { role.summary = try fields.text("description") }
        if let key = try fields.text("key"), key != former { role.key = try self.key() }
        if let permissions = try permissions() { role.permissions = permissions }
        try checkCreator(role, former: former)
        try save(&role, former: former)
        return .resource(try json(role))
    }

    func delete() throws -> Answer {
        let role = try role()
        try context.roles.checkUnused(role)
        try context.db.run("DELETE FROM roles WHERE id = \(role.id)")
        try context.emitDeleted("role", role.id)
        return .resource(["object": "role", "id": .string(role.id), "deleted": true])
    }

    func assign() throws -> Answer {
        var role = try role()
        let permission = try permission()
        guard !role.permissions.contains(permission.key) else { throw ClerkError.permissionAssigned }
        role.permissions.append(permission.key)
        try save(&role, former: role.key)
        return .resource(try json(role))
    }

    func withdraw() throws -> Answer {
        var role = try role()
        let permission = try permission()
        guard role.permissions.contains(permission.key) else { throw ClerkError.permissionNotAssigned }
        role.permissions.removeAll { $0 == permission.key }
        try checkCreator(role, former: role.key)
        try save(&role, former: role.key)
        return .resource(try json(role))
    }

    /// Saves a role.
    ///
    /// If its key has changed, members, invitations and role sets get the new key.
    private func save(_ role: inout RoleRecord, former: String) throws {
        role.updatedAt = context.now
        try context.db.save(role)
        if role.key != former { try context.roles.rename(former, to: role.key) }
        try context.emit("role.updated", role.id, try json(role))
    }

    private func checkCreator(_ role: RoleRecord, former: String) throws {
        guard try context.db.count(RoleSetRecord.self, "creator_role = \(former)") > 0 else { return }
        if role.key != former { throw ClerkError.creatorRole }
        let missing = SystemPermission.ofCreators.map(\.rawValue).filter { !role.permissions.contains($0) }
        if !missing.isEmpty { throw ClerkError.creatorPermissions(missing) }
    }

    private func role() throws -> RoleRecord {
        try context.checkOrganizations()
        return try context.named("organization_role_id") { try context.roles.roles("id = \($0)").first }
    }

    private func permission() throws -> PermissionRecord {
        try context.named("permission_id") { try context.roles.permissions("id = \($0)").first }
    }

    /// Returns the permissions in a request, by id or key, as keys.
    private func permissions() throws -> [String]? {
        guard let names = try fields.texts("permissions") else { return nil }
        return try names.map { name in
            guard let permission = try context.roles.permissions("id = \(name) OR key = \(name)").first else {
                throw ClerkError.resourceMissing("permissions")
            }
            return permission.key
        }
    }

    private func key() throws -> String {
        let key = try KeySearch.checked(try fields.required("key"), parts: 2)
        if try context.roles.role(key) != nil { throw ClerkError.exists("key") }
        return key
    }

    private func json(_ role: RoleRecord) throws -> JSON { try context.organizationJSON.role(role) }
}

/// `/v1/organization_permissions`.
struct AdminPermissionRoutes {
    let context: RequestContext

    private var fields: Fields { context.fields }

    func list() throws -> Answer {
        try context.checkOrganizations()
        try context.roles.prepare()
        return try context.page(
            PermissionRecord.self, KeySearch.condition(context.query), order: try context.order(KeySearch.orders), json)
    }

    func create() throws -> Answer {
        try context.checkOrganizations()
        let permission = PermissionRecord(
            id: context.id(.permission), key: try key(), name: try fields.required("name"),
            summary: try fields.text("description") ?? "", isSystems: false, createdAt: context.now, updatedAt: context.now)
        try context.db.save(permission)
        try context.emit("permission.created", permission.id, json(permission))
        return .resource(json(permission))
    }

    func get() throws -> Answer { .resource(json(try permission())) }

    func update() throws -> Answer {
        var permission = try permission()
        guard !permission.isSystems else { throw ClerkError.systemPermission }
        let former = permission.key
        if let name = try fields.text("name"), !name.isEmpty { permission.name = name }
        if let text = try fields.text("description") { permission.summary = text }
        if let key = try fields.text("key"), key != former { permission.key = try self.key() }
        permission.updatedAt = context.now
        try context.db.save(permission)
        try rename(former, to: permission.key)
        try context.emit("permission.updated", permission.id, json(permission))
        return .resource(json(permission))
    }

    func delete() throws -> Answer {
        let permission = try permission()
        guard !permission.isSystems else { throw ClerkError.systemPermission }
        try context.db.run("DELETE FROM permissions WHERE id = \(permission.id)")
        try rename(permission.key, to: nil)
        try context.emitDeleted("permission", permission.id)
        return .resource(["object": "permission", "id": .string(permission.id), "deleted": true])
    }

    /// If the key of a permission changes, roles get the new key; a deleted permission is removed from roles.
    private func rename(_ former: String, to key: String?) throws {
        guard former != key else { return }
        for var role in try context.roles.roles() where role.permissions.contains(former) {
            role.permissions = role.permissions.compactMap { $0 == former ? key : $0 }
            try context.db.save(role)
        }
    }

    private func key() throws -> String {
        let key = try KeySearch.checked(try fields.required("key"), parts: 3)
        if try context.roles.permissions("key = \(key)").first != nil { throw ClerkError.exists("key") }
        return key
    }

    private func permission() throws -> PermissionRecord {
        try context.checkOrganizations()
        return try context.named("permission_id") { try context.roles.permissions("id = \($0)").first }
    }

    private func json(_ permission: PermissionRecord) -> JSON { context.organizationJSON.permission(permission) }
}

/// Names and keys of roles, permissions and role sets: their format, and the search in a list of them.
enum KeySearch {
    static let orders = ["created_at", "name", "key"]

    static func condition(_ query: Form) -> SQL {
        guard let text = query.text("query") else { return "1 = 1" }
        return "(id = \(text) OR \(SQL.contains(text, in: "name", "key")))"
    }

    /// Checks a key such as `org:billing:manage`: `org`, and words of small letters, digits and `_` between colons.
    static func checked(_ key: String, parts count: Int, prefix: String = "org") throws(ClerkError) -> String {
        let parts = key.pieces(at: ":", omittingEmptySubsequences: false)
        let isFine =
            parts.count == count && parts.first.map(String.init) == prefix
            && parts.dropFirst().allSatisfy { part in
                !part.isEmpty && part.utf8.count <= 100
                    && part.utf8.allSatisfy { $0.isLetterOrDigit && !(0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") }
            }
        guard isFine, count < 3 || !parts[1].hasPrefix("sys_") else {
            throw .malformed("key", "key must look like \(prefix):\(count == 3 ? "feature:permission" : "name").")
        }
        return key
    }
}
