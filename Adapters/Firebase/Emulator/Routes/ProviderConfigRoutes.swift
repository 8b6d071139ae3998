internal import LockstepEmulation
internal import LockstepPrimitives

/// The configurations of identity providers, which Firebase's emulator lacks: three collections with the same operations.
struct ProviderConfigRoutes {
    let context: RequestContext

    /// `create` of a collection of identity providers' configurations.
    func create(_ kind: ProviderConfig) throws -> JSON {
        let named = context.query[kind.idParameter] ?? ""
        let id = try context.require(named.isEmpty ? nil : named, .missingConfigID)
        try context.require(kind.accepts(id), .invalidConfigID)
        guard try context.providerConfigs.find(id, kind) == nil else { throw APIError.refused(.configurationExists) }
        let document = ProviderConfigDocument(id: id, kind: kind, config: context.body.members)
        try kind.check(document.config, of: id)
        try context.providerConfigs.set(document.config, of: id, kind)
        return document.json(in: context.scope)
    }

    /// `get` of a collection of identity providers' configurations.
    func show(_ kind: ProviderConfig) throws -> JSON {
        try ProviderConfigDocument(named: context, kind).json(in: context.scope)
    }

    private static let most = 100

    /// `list` of a collection of identity providers' configurations, in the order of their ids.
    func list(_ kind: ProviderConfig) throws -> JSON {
        let asked = try context.wholeNumber("pageSize")
        try context.require(asked >= 0, .invalidArgument, "pageSize must not be negative.")
        let size = asked == 0 ? Self.most : min(asked, Self.most)
        let found = try context.providerConfigs.list(kind, after: context.query["pageToken"] ?? "", limit: size + 1)
        let page = found.prefix(size)
        var response: JSONObject = [:]
        if !page.isEmpty {
            response[kind.rawValue] = .array(
                page.map { ProviderConfigDocument(id: $0.id, kind: kind, config: $0.config).json(in: context.scope) })
        }
        if found.count > size { response["nextPageToken"] = page.last.map { .string($0.id) } }
        return .object(response)
    }

    /// `patch` of a collection of identity providers' configurations: a member in the mask without a value is removed.
    func update(_ kind: ProviderConfig) throws -> JSON {
        let stored = try ProviderConfigDocument(named: context, kind)
        let mask = context.query["updateMask"] ?? ""
        let change = context.body.members
        let config = mask.isEmpty ? change : FieldMask(mask).applied(change, to: stored.config, clears: true)
        let changed = ProviderConfigDocument(id: stored.id, kind: kind, config: config)
        try kind.check(changed.config, of: stored.id)
        try context.providerConfigs.set(changed.config, of: stored.id, kind)
        return changed.json(in: context.scope)
    }

    /// `delete` of a collection of identity providers' configurations.
    func delete(_ kind: ProviderConfig) throws -> JSON {
        let stored = try ProviderConfigDocument(named: context, kind)
        try context.providerConfigs.remove(stored.id, kind)
        return [:]
    }

    /// `GET /v2/defaultSupportedIdps`: returns the providers that need no separate description.
    func known() -> JSON {
        let known = ProviderConfig.known.sorted { $0.key < $1.key }
        return [
            "defaultSupportedIdps": .array(
                known.map { id, name in ["idpId": .string(id), "description": .string(name)] })
        ]
    }
}

/// One configuration of an identity provider, as it is stored and shown.
private struct ProviderConfigDocument {
    let id: String
    let kind: ProviderConfig
    /// The configuration without the members that the server adds.
    let config: JSONObject

    init(id: String, kind: ProviderConfig, config: JSONObject) {
        self.id = id
        self.kind = kind
        var own = config
        own["name"] = nil
        if var party = own["spConfig"]?.object {
            // In production, this member is for output only, because production signs its requests with it.
            party["spCertificates"] = nil
            own["spConfig"] = .object(party)
        }
        self.config = own
    }

    /// Finds the configuration in the path.
    init(named context: RequestContext, _ kind: ProviderConfig) throws {
        let id = context.request[placeholder: "id"]
        guard let config = try context.providerConfigs.find(id, kind) else { throw APIError.refused(.configurationNotFound) }
        self.init(id: id, kind: kind, config: config)
    }

    /// Returns the configuration as Google writes messages: without members that are `false` or empty.
    func json(in scope: ProjectScope) -> JSON {
        let owner = "projects/\(scope.project)" + (scope.tenant.map { "/tenants/\($0)" } ?? "")
        var members: JSONObject = ["name": .string("\(owner)/\(kind.rawValue)/\(id)")]
        for (name, value) in JSON.object(config).withoutDefaults.object ?? [:] { members[name] = value }
        return .object(members)
    }
}
