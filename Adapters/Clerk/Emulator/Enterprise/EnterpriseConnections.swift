internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The enterprise connections of the instance, and whom they concern.
struct EnterpriseConnections {
    let context: RequestContext

    static func domain(of address: String) -> String {
        address.split(separator: "@").last.map { $0.lowercased() } ?? ""
    }

    func find(_ id: String) throws -> EnterpriseConnectionRecord {
        try prepare()
        guard let connection = try context.db.find(EnterpriseConnectionRecord.self, "id = \(id)") else {
            throw ClerkError.notFound(id)
        }
        return connection
    }

    func all(_ condition: SQL = "1 = 1 ORDER BY created_at, rowid") throws -> [EnterpriseConnectionRecord] {
        try prepare()
        return try context.db.all(EnterpriseConnectionRecord.self, condition)
    }

    /// The active connections of an address's domain, the oldest first.
    func active(for address: String?) throws -> [EnterpriseConnectionRecord] {
        guard let address, address.contains("@") else { return [] }
        return try all("active = 1 ORDER BY created_at, rowid").filter { $0.covers(address) }
    }

    /// The connection that a request means: the one it names, or the only one of the address.
    ///
    /// - Throws: `missing` where there is none; a refusal where the request must say which.
    func chosen(for address: String, _ form: Form, missing: ClerkError) throws -> EnterpriseConnectionRecord {
        let connections = try active(for: address)
        if let id = form.text("enterprise_connection_id") {
            guard let connection = connections.first(where: { $0.id == id }) else { throw missing }
            return connection
        }
        guard let connection = connections.first else { throw missing }
        guard connections.count == 1 else { throw ClerkError.enterpriseConnectionNotNamed }
        return connection
    }

    /// The first factors of an address whose domain has connections; empty for any other.
    func factors(for address: String?) throws -> [JSONObject] {
        try active(for: address).map {
            [
                "strategy": "enterprise_sso", "enterprise_connection_id": .string($0.id),
                "enterprise_connection_name": .string($0.name),
            ]
        }
    }

    /// Refuses other proofs of an address whose domain has a connection: its users sign in there
    /// (https://clerk.com/docs/guides/configure/auth-strategies/enterprise-connections/overview).
    func checkNoneFor(_ address: String?) throws {
        if try !active(for: address).isEmpty { throw ClerkError.strategyInvalidForUser }
    }

    /// Stores a connection with the request's time.
    func save(_ connection: inout EnterpriseConnectionRecord) throws {
        connection.updatedAt = context.now
        try context.db.save(connection)
    }

    /// Switches off the connections that an organization has by a domain, which is its own no longer.
    func deactivate(of organizationID: String, by domain: String) throws {
        for var connection in try all("organization_id = \(organizationID) AND active = 1")
        where connection.domains.contains(domain) {
            connection.isActive = false
            try save(&connection)
        }
    }

    func delete(_ connection: EnterpriseConnectionRecord) throws -> JSON {
        try context.db.run("DELETE FROM enterprise_connections WHERE id = \(connection.id)")
        return ["object": "enterprise_connection", "id": .string(connection.id), "deleted": true]
    }

    /// Makes the connections of the settings, each once: one that was deleted stays so until the next reset.
    private func prepare() throws {
        for setting in context.settings.enterprise.connections {
            let mark = "enterprise_connection:" + setting.name
            let isNew = try context.db.run(
                "INSERT INTO instance (name, value) VALUES (\(mark), '') ON CONFLICT (name) DO NOTHING")
            guard isNew > 0 else { continue }
            try context.db.save(
                EnterpriseConnectionRecord(
                    id: context.id(.enterpriseConnection), name: setting.name, provider: "oidc_custom", domains: setting.domains,
                    isActive: true, clientID: setting.clientID, clientSecret: setting.clientSecret,
                    discoveryURL: setting.discoveryURL, requiresProofKey: setting.clientSecret == nil, createdAt: context.now,
                    updatedAt: context.now))
        }
    }
}
