import LockstepPrimitives

/// The signed tokens of sessions (https://clerk.com/docs/backend-requests/resources/session-tokens).
struct SessionTokens {
    let context: RequestContext

    /// Returns a token of the session, with the lifetime in the settings.
    func token(of session: SessionRecord, user: UserRecord, audience: TokenAudience, lifetime: Duration? = nil) throws -> String {
        var claims = JSONObject()
        let organization = try OrganizationClaims(context: context, session: session)
        if let origin = audience.origin { claims["azp"] = .string(origin) }
        claims["exp"] = .int((context.now + (lifetime ?? context.settings.tokenLifetime)).seconds)
        if audience.isOld {
            claims["fva"] = context.sessionJSON.age(session)
        } else {
            claims["fea"] = .string(organization?.features.map { "o:\($0)" }.joined(separator: ",") ?? "")
            claims["fva"] = context.sessionJSON.age(session)
        }
        claims["iat"] = .int(context.now.seconds)
        claims["iss"] = .string(context.state.base)
        claims["jti"] = .string(Hex.encode(context.randomness.bytes(10)))
        claims["nbf"] = .int(context.now.seconds - 10)
        if let organization, !audience.isOld { claims["o"] = organization.json }
        if let organization, audience.isOld { for (name, value) in organization.oldClaims { claims[name] = value } }
        if !audience.isOld { claims["pla"] = "u:free" }
        claims["sid"] = .string(session.id)
        if !audience.isOld { claims["sts"] = .string(session.status == .pending ? "pending" : "active") }
        claims["sub"] = .string(session.userID)
        if !audience.isOld { claims["v"] = 2 }
        if let actor = session.actor { claims["act"] = actor }
        return try context.sign(claims)
    }
}

/// The claims of a session's active organization (https://clerk.com/docs/backend-requests/resources/session-tokens).
struct OrganizationClaims {
    private let organization: OrganizationRecord
    private let role: String
    /// The instance's own permissions; tokens do not contain Clerk's own.
    private let permissions: [(feature: String, action: String, key: String)]

    /// Reads the organization of a session; the result is `nil` in the personal account, and if the user is no longer a
    /// member.
    init?(context: RequestContext, session: SessionRecord) throws {
        let repository = context.organizations
        guard let id = session.organizationID, let organization = try repository.find(id),
            let membership = try repository.membership(of: session.userID, in: id)
        else { return nil }
        self.organization = organization
        role = membership.role
        let keys = try context.roles.role(membership.role)?.permissions ?? []
        permissions = keys.compactMap { key in
            let parts = key.pieces(at: ":").map(String.init)
            guard parts.count == 3, !parts[1].hasPrefix("sys_") else { return nil }
            return (parts[1], parts[2], key)
        }
    }

    /// The features of the permissions, sorted.
    var features: [String] { Set(permissions.map(\.feature)).sorted() }

    /// The claim `o`: the permissions are a list of actions, and a number for every feature, whose bits show the
    /// allowed actions.
    var json: JSON {
        var json: JSONObject = [
            "id": .string(organization.id), "slg": .string(organization.slug),
            "rol": .string(role.hasPrefix("org:") ? String(role.dropFirst(4)) : role),
        ]
        guard !permissions.isEmpty else { return .object(json) }
        let actions = Set(permissions.map(\.action)).sorted()
        let maps = features.map { feature in
            actions.enumerated().reduce(0) { bits, action in
                permissions.contains { $0.feature == feature && $0.action == action.element } ? bits | 1 << action.offset : bits
            }
        }
        json["per"] = .string(actions.joined(separator: ","))
        json["fpm"] = .string(maps.map(String.init).joined(separator: ","))
        return .object(json)
    }

    /// The claims of versions before 2025-04-10.
    var oldClaims: JSONObject {
        [
            "org_id": .string(organization.id), "org_slug": .string(organization.slug), "org_role": .string(role),
            "org_permissions": .strings(permissions.map(\.key)),
        ]
    }

    /// The value of a template's placeholder below `org.`.
    subscript(name: String) -> JSON {
        switch name {
        case "id": .string(organization.id)
        case "slug": .string(organization.slug)
        case "name": .string(organization.name)
        case "role": .string(role)
        case "public_metadata": .object(organization.publicMetadata)
        default: .null
        }
    }
}

/// The audience of a session token, from the request.
struct TokenAudience {
    /// The page's origin, which becomes `azp`; `nil` for native apps and servers.
    var origin: String?
    /// Whether the client uses a version from before 2025-04-10, whose tokens have another format.
    var isOld = false

    static let none = TokenAudience()
}
