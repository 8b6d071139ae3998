internal import LockstepPrimitives

/// `create` of a collection of identity providers' configurations.
struct CreateProviderConfig: Endpoint {
    let kind: ProviderConfig
    var shape: Shape { kind.shape }

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let named = request.query[kind.idParameter] ?? ""
        let id = try request.require(named.isEmpty ? nil : named, .missingConfigID)
        try request.require(kind.accepts(id), .invalidConfigID)
        guard try request.providerConfigs.find(id, kind) == nil else { throw APIError.configurationExists }
        let document = ProviderConfigDocument(id: id, kind: kind, config: request.body.members)
        try kind.check(document.config, of: id)
        try request.providerConfigs.set(document.config, of: id, kind)
        return document.json(in: request.scope)
    }
}

/// `get` of a collection of identity providers' configurations.
struct GetProviderConfig: Endpoint {
    let kind: ProviderConfig
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try ProviderConfigDocument(named: request, kind).json(in: request.scope)
    }
}

/// `list` of a collection of identity providers' configurations, in the order of their ids.
struct ListProviderConfigs: Endpoint {
    let kind: ProviderConfig
    let shape = Shape.empty
    let isReading = true

    private static let most = 100

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let asked = try request.query["pageSize"].map(BatchGet.whole) ?? 0
        try request.require(asked >= 0, .invalidArgument, "pageSize must not be negative.")
        let size = asked == 0 ? Self.most : min(asked, Self.most)
        let found = try request.providerConfigs.list(kind, after: request.query["pageToken"] ?? "", limit: size + 1)
        let page = found.prefix(size)
        var response: JSONObject = [:]
        if !page.isEmpty {
            response[kind.rawValue] = .array(
                page.map { ProviderConfigDocument(id: $0.id, kind: kind, config: $0.config).json(in: request.scope) })
        }
        if found.count > size { response["nextPageToken"] = page.last.map { .string($0.id) } }
        return .object(response)
    }
}

/// `patch` of a collection of identity providers' configurations: a masked member without a value is removed.
struct UpdateProviderConfig: Endpoint {
    let kind: ProviderConfig
    var shape: Shape { kind.shape }

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let stored = try ProviderConfigDocument(named: request, kind)
        let mask = request.query["updateMask"] ?? ""
        let change = request.body.members
        let config = mask.isEmpty ? change : FieldMask(mask).applied(change, to: stored.config, clears: true)
        let changed = ProviderConfigDocument(id: stored.id, kind: kind, config: config)
        try kind.check(changed.config, of: stored.id)
        try request.providerConfigs.set(changed.config, of: stored.id, kind)
        return changed.json(in: request.scope)
    }
}

/// `delete` of a collection of identity providers' configurations.
struct DeleteProviderConfig: Endpoint {
    let kind: ProviderConfig
    let shape = Shape.empty

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let stored = try ProviderConfigDocument(named: request, kind)
        try request.providerConfigs.remove(stored.id, kind)
        return [:]
    }
}

/// `GET /v2/defaultSupportedIdps`: the providers that need no description of their own.
struct ListKnownProviders: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
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
    /// Without what the server adds.
    let config: JSONObject

    init(id: String, kind: ProviderConfig, config: JSONObject) {
        self.id = id
        self.kind = kind
        var own = config
        own["name"] = nil
        if var party = own["spConfig"]?.object {
            // Output only in production, which signs its requests with them.
            party["spCertificates"] = nil
            own["spConfig"] = .object(party)
        }
        self.config = own
    }

    /// The one that the path names.
    init(named request: AuthorizedRequest, _ kind: ProviderConfig) throws {
        let id = request.context.request[placeholder: "id"]
        guard let config = try request.providerConfigs.find(id, kind) else { throw APIError.configurationNotFound }
        self.init(id: id, kind: kind, config: config)
    }

    /// As Google writes its messages: members with the value `false`, or an empty one, are absent.
    func json(in scope: ProjectScope) -> JSON {
        let owner = "projects/\(scope.project)" + (scope.tenant.map { "/tenants/\($0)" } ?? "")
        var members: JSONObject = ["name": .string("\(owner)/\(kind.rawValue)/\(id)")]
        for (name, value) in JSON.object(config).withoutDefaults.object ?? [:] { members[name] = value }
        return .object(members)
    }
}
