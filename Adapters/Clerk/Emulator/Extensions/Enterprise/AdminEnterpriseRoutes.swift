import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/enterprise_connections`: OpenID connections; SAML ones are rejected.
struct AdminEnterpriseRoutes {
    let context: RequestContext

    /// The members of ``create()``.
    static let createBody = both.adding(["provider": .text])

    /// The members of ``update()``.
    static let updateBody = both.adding(["disable_additional_identifications": .flag, "sync_user_attributes": .flag])

    private static let both: BodySchema = [
        "name": .text, "domains": .anything, "active": .flag, "organization_id": .text,
        "allow_organization_account_linking": .flag,
        "custom_attributes": .anything, "oidc": .object, "saml": .object,
    ]

    func list() throws -> Answer {
        _ = try context.enterpriseConnections.all()
        var condition: SQL = "1 = 1"
        if let id = context.query.text("organization_id") { condition += " AND organization_id = \(id)" }
        if let isActive = try context.query.flag("active") { condition += " AND active = \(isActive)" }
        let (rows, total) = try context.page(of: EnterpriseConnectionRecord.self, where: condition)
        return .resource(.page(rows.map(json), total: total))
    }

    func create() throws -> Answer {
        let draft = try draft()
        return .created(json(try draft.make(in: context)))
    }

    func get() throws -> Answer { .resource(json(try connection())) }

    func update() throws -> Answer {
        let draft = try draft()
        var connection = try connection()
        try draft.apply(to: &connection, in: context)
        return .resource(json(connection))
    }

    func delete() throws -> Answer { .resource(try context.enterpriseConnections.delete(try connection())) }

    func testRuns() throws -> Answer {
        .resource(
            try context.enterpriseTestRuns.list(
                try connection(), statuses: context.query.list("status") + context.query.list("status[]")))
    }

    func createTestRun() throws -> Answer {
        .resource(try context.enterpriseTestRuns.make(for: try connection()))
    }

    private func connection() throws -> EnterpriseConnectionRecord {
        try context.enterpriseConnections.find(context.piece("enterprise_connection_id"))
    }

    private func json(_ connection: EnterpriseConnectionRecord) -> JSON {
        context.enterpriseJSON.connection(connection, isPrivate: true)
    }

    private func draft() throws -> EnterpriseConnectionDraft {
        let fields = context.fields
        if fields.object["custom_attributes"]?.array?.isEmpty == false { throw ClerkError.featureNotEnabled }
        if try fields.members("saml") != nil, try fields.text("provider")?.hasPrefix("saml_") != true {
            throw ClerkError.disallowed("saml", when: "provider", is: "an OpenID provider")
        }
        var draft = EnterpriseConnectionDraft(
            name: try fields.text("name"), provider: try fields.text("provider"), domains: try fields.texts("domains"),
            isActive: try fields.flag("active"), organizationID: try fields.text("organization_id"))
        draft.allowsOrganizationLinking = try fields.flag("allow_organization_account_linking")
        draft.syncsAttributes = try fields.flag("sync_user_attributes")
        draft.refusesMoreIdentifications = try fields.flag("disable_additional_identifications")
        guard let members = try fields.members("oidc") else { return draft }
        let openID = Fields(object: members)
        try openID.check(BodySchema(name: "oidc", EnterpriseConnectionDraft.openIDFields.map { ($0, .anything) }))
        try draft.readOpenID(text: openID.text, flag: openID.flag)
        return draft
    }
}
