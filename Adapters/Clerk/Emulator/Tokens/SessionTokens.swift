import LockstepPrimitives

/// The signed tokens of sessions (reference, section 5).
struct SessionTokens {
    let context: RequestContext

    /// A token of the session, for as long as the settings say.
    func token(of session: SessionRecord, user: UserRecord, audience: TokenAudience, lifetime: Duration? = nil) throws -> String {
        var claims = JSONObject()
        if let origin = audience.origin { claims["azp"] = .string(origin) }
        claims["exp"] = .int((context.now + (lifetime ?? context.settings.tokenLifetime)).seconds)
        if audience.isOld {
            claims["fva"] = SessionJSON(context: context).age(session)
        } else {
            claims["fea"] = ""
            claims["fva"] = SessionJSON(context: context).age(session)
        }
        claims["iat"] = .int(context.now.seconds)
        claims["iss"] = .string(context.state.base)
        claims["jti"] = .string(Hex.encode(context.randomness.bytes(10)))
        claims["nbf"] = .int(context.now.seconds - 10)
        if !audience.isOld { claims["pla"] = "u:free" }
        claims["sid"] = .string(session.id)
        if !audience.isOld { claims["sts"] = .string(session.status == .pending ? "pending" : "active") }
        claims["sub"] = .string(session.userID)
        if !audience.isOld { claims["v"] = 2 }
        if let actor = session.actor { claims["act"] = actor }
        return try context.sign(claims)
    }

    /// A token after a template: its claims, the automatic ones, and no session id.
    func token(of session: SessionRecord, user: UserRecord, template: TemplateRecord, audience: TokenAudience) throws -> String {
        var claims = JSONObject()
        let texts = TemplateTexts(context: context, user: user, session: session)
        for (name, value) in template.claims { claims[name] = try texts.filled(value) }
        if let origin = audience.origin { claims["azp"] = .string(origin) }
        claims["exp"] = .int(context.now.seconds + Int64(template.lifetime))
        claims["iat"] = .int(context.now.seconds)
        claims["iss"] = .string(context.state.base)
        claims["jti"] = .string(Hex.encode(context.randomness.bytes(10)))
        claims["nbf"] = .int(context.now.seconds - Int64(template.clockSkew))
        claims["sub"] = .string(session.userID)
        return try context.sign(claims)
    }
}

/// The audience of a session token, from the request.
struct TokenAudience {
    /// The page's origin, which becomes `azp`; `nil` for native apps and servers.
    var origin: String?
    /// Whether the client speaks a version from before 2025-04-10, whose tokens have another shape.
    var isOld = false

    static let none = TokenAudience()
}
