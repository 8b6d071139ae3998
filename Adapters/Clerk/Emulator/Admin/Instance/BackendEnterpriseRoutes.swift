import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/enterprise_connections`: OpenID connections; SAML ones are refused.
struct BackendEnterpriseRoutes {
    let call: BackendCall

    private var context: RequestContext { call.context }

    func list() throws -> BackendResponse {
        _ = try context.enterpriseConnections.all()
        var condition: SQL = "1 = 1"
        if let id = call.query.text("organization_id") { condition += " AND organization_id = \(id)" }
        if let isActive = try call.query.flag("active") { condition += " AND active = \(isActive)" }
        let (rows, total) = try context.page(of: EnterpriseConnectionRecord.self, where: condition)
        return .resource(.page(rows.map(json), total: total))
    }

    func create() throws -> BackendResponse {
        let draft = try draft(more: ["provider"])
        return .created(json(try draft.make(in: context)))
    }

    func get() throws -> BackendResponse { .resource(json(try connection())) }

    func update() throws -> BackendResponse {
        let draft = try draft(more: ["disable_additional_identifications", "sync_user_attributes"])
        var connection = try connection()
        try draft.apply(to: &connection, in: context)
        return .resource(json(connection))
    }

    func delete() throws -> BackendResponse { .resource(try context.enterpriseConnections.delete(try connection())) }

    func testRuns() throws -> BackendResponse {
        .resource(
            try context.enterpriseTestRuns.list(
                try connection(), statuses: call.query.list("status") + call.query.list("status[]")))
    }

    func createTestRun() throws -> BackendResponse {
        .resource(try context.enterpriseTestRuns.make(for: try connection()))
    }

    private func connection() throws -> EnterpriseConnectionRecord {
        try context.enterpriseConnections.find(call.piece("enterprise_connection_id"))
    }

    private func json(_ connection: EnterpriseConnectionRecord) -> JSON {
        context.enterpriseJSON.connection(connection, isPrivate: true)
    }

    private func draft(more: Set<String>) throws -> EnterpriseConnectionDraft {
        let fields = call.fields
        try fields.check(
            more.union([
                "name", "domains", "active", "organization_id", "allow_organization_account_linking", "custom_attributes", "oidc",
                "saml",
            ]))
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
        try openID.check(Set(EnterpriseConnectionDraft.openIDFields))
        try draft.readOpenID(text: openID.text, flag: openID.flag)
        return draft
    }
}
