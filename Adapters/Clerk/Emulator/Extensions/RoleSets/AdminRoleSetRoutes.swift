import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/role_sets`.
struct AdminRoleSetRoutes {
    let context: RequestContext

    private var fields: Fields { context.fields }

    /// The members of ``create()``.
    static let createBody: BodySchema = [
        "name": .text, "key": .text, "description": .text, "default_role_key": .text, "creator_role_key": .text, "type": .text,
        "roles": .anything,
    ]

    /// The members of ``update()``.
    static let updateBody: BodySchema = [
        "name": .text, "key": .text, "description": .text, "type": .text, "default_role_key": .text, "creator_role_key": .text,
    ]

    /// The members of ``addRoles()``.
    static let addRolesBody: BodySchema = ["role_keys": .anything, "default_role_key": .text, "creator_role_key": .text]

    func list() throws -> Answer {
        try context.checkOrganizations()
        try context.roles.prepare()
        return try context.page(
            RoleSetRecord.self, KeySearch.condition(context.query), order: try context.order(KeySearch.orders), json)
    }

    func create() throws -> Answer {
        try context.checkOrganizations()
        let name = try fields.required("name")
        let words = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let key = try key(try fields.text("key") ?? "role_set:\(String(words))")
        guard let keys = try fields.texts("roles") else { throw ClerkError.missing("roles") }
        var set = RoleSetRecord(
            id: context.id(.roleSet), key: key, name: name, summary: try fields.text("description"),
            isInitial: try isInitial() ?? false,
            roles: try keys.map { try context.roles.role(named: $0, parameter: "roles").key },
            createdAt: context.now, updatedAt: context.now)
        _ = try fields.required("default_role_key")
        _ = try fields.required("creator_role_key")
        try choose(&set)
        try save(&set)
        return .resource(try json(set))
    }

    func get() throws -> Answer { .resource(try json(try roleSet())) }

    func update() throws -> Answer {
        var set = try roleSet()
        let former = set.key
        if let name = try fields.text("name"), !name.isEmpty { set.name = name }
        if fields.has("description") { set.summary = try fields.text("description") }
        if let text = try fields.text("key"), text != former { set.key = try key(text) }
        if let isInitial = try isInitial() { set.isInitial = isInitial }
        try choose(&set)
        try save(&set)
        try context.db.run("UPDATE organizations SET role_set_key = \(set.key) WHERE role_set_key = \(former)")
        return .resource(try json(set))
    }

    /// Deletes a set; its organizations get another set.
    ///
    /// If a member's role is missing there, the member gets the role of the mapping.
    func replace() throws -> Answer {
        let set = try roleSet()
        let target = try find(try fields.required("dest_role_set_key"), parameter: "dest_role_set_key")
        if target.id.exact == set.id.exact { throw ClerkError.invalidValue("dest_role_set_key", target.key) }
        let mappings = try fields.members("reassignment_mappings") ?? [:]
        let ids: SQL = "SELECT id FROM organizations WHERE role_set_key = \(set.key)"
        let lost = set.roles.filter { !target.roles.contains($0) }
        var missing: [String] = []
        for key in lost where mappings[key] == nil {
            let count = try context.db.count(MembershipRecord.self, "role = \(key) AND organization_id IN (\(ids))")
            if count > 0 { missing.append(key) }
        }
        if !missing.isEmpty { throw ClerkError.mappingsMissing(missing) }
        for key in lost {
            guard let new = mappings[key]?.string else { continue }
            guard target.roles.contains(new) else { throw ClerkError.resourceMissing("reassignment_mappings") }
            try context.db.run("UPDATE memberships SET role = \(new) WHERE role = \(key) AND organization_id IN (\(ids))")
        }
        try context.db.run("UPDATE organizations SET role_set_key = \(target.key) WHERE role_set_key = \(set.key)")
        try context.db.run("DELETE FROM role_sets WHERE id = \(set.id)")
        return .resource(["object": "role_set", "id": .string(set.id), "deleted": true])
    }

    func addRoles() throws -> Answer {
        var set = try roleSet()
        guard let keys = try fields.texts("role_keys") else { throw ClerkError.missing("role_keys") }
        for key in keys {
            let role = try context.roles.role(named: key, parameter: "role_keys")
            if !set.roles.contains(role.key) { set.roles.append(role.key) }
        }
        try choose(&set)
        try save(&set)
        return .resource(try json(set))
    }

    /// Replaces one role with another one, also for the set's members.
    func replaceRole() throws -> Answer {
        var set = try roleSet()
        let former = try fields.required("role_key")
        guard set.roles.contains(former) else { throw ClerkError.resourceMissing("role_key") }
        let new = try context.roles.role(named: try fields.required("to_role_key"), parameter: "to_role_key").key
        set.roles = set.roles.filter { $0 != former && $0 != new } + [new]
        if set.defaultRole == former { set.defaultRole = new }
        if set.creatorRole == former { set.creatorRole = new }
        try save(&set)
        try context.db.run(
            """
            UPDATE memberships SET role = \(new) WHERE role = \(former)
            AND organization_id IN (SELECT id FROM organizations WHERE role_set_key = \(set.key))
            """)
        return .resource(try json(set))
    }

    /// Sets the roles that creators and new members get; both must be in the set.
    private func choose(_ set: inout RoleSetRecord) throws {
        for (parameter, path) in [("default_role_key", \RoleSetRecord.defaultRole), ("creator_role_key", \.creatorRole)] {
            guard let key = try fields.text(parameter) else { continue }
            guard set.roles.contains(key) else { throw ClerkError.resourceMissing(parameter) }
            set[keyPath: path] = key
        }
    }

    /// Saves a set; only one set is the initial one.
    private func save(_ set: inout RoleSetRecord) throws {
        set.updatedAt = context.now
        if set.isInitial { try context.db.run("UPDATE role_sets SET initial = 0 WHERE id <> \(set.id)") }
        try context.db.save(set)
    }

    private func isInitial() throws -> Bool? {
        guard let text = try fields.text("type") else { return nil }
        guard ["initial", "custom"].contains(text) else { throw ClerkError.invalidValue("type", String(text.prefix(40))) }
        return text == "initial"
    }

    private func key(_ text: String) throws -> String {
        let key = try KeySearch.checked(text, parts: 2, prefix: "role_set")
        if try context.db.count(RoleSetRecord.self, "key = \(key)") > 0 { throw ClerkError.exists("key") }
        return key
    }

    private func roleSet() throws -> RoleSetRecord {
        try context.checkOrganizations()
        try context.roles.prepare()
        let name = context.piece("role_set_key_or_id")
        guard let set = try context.db.find(RoleSetRecord.self, "id = \(name) OR key = \(name)") else {
            throw ClerkError.notFound(name)
        }
        return set
    }

    private func find(_ name: String, parameter: String) throws -> RoleSetRecord {
        guard let set = try context.db.find(RoleSetRecord.self, "id = \(name) OR key = \(name)") else {
            throw ClerkError.resourceMissing(parameter)
        }
        return set
    }

    private func json(_ set: RoleSetRecord) throws -> JSON {
        let items = try set.roles.compactMap { try context.roles.role($0) }
        func item(_ key: String?) throws -> JSON { try items.first { $0.key == key }.map(self.item) ?? .null }
        return [
            "object": "role_set", "id": .string(set.id), "name": .string(set.name), "key": .string(set.key),
            "description": .text(set.summary), "roles": .array(try items.map(self.item)),
            "default_role": try item(set.defaultRole), "creator_role": try item(set.creatorRole),
            "type": set.isInitial ? "initial" : "custom", "role_set_migration": nil, "created_at": .time(set.createdAt),
            "updated_at": .time(set.updatedAt),
        ]
    }

    private func item(_ role: RoleRecord) throws -> JSON {
        let count = try context.roles.members(with: role)
        return [
            "object": "role_set_item", "id": .string(role.id), "name": .string(role.name), "key": .string(role.key),
            "description": .text(role.summary), "members_count": .int(Int64(count)), "has_members": .bool(count > 0),
            "created_at": .time(role.createdAt), "updated_at": .time(role.updatedAt),
        ]
    }
}
