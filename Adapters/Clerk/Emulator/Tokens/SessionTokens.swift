import LockstepPrimitives

/// The signed tokens of sessions (reference, section 5).
struct SessionTokens {
    let exchange: Exchange

    /// A token of the session, for as long as the settings say.
    func token(of session: SessionRecord, user: UserRecord, audience: TokenAudience, lifetime: Duration? = nil) throws -> String {
        var claims = JSONObject()
        if let origin = audience.origin { claims["azp"] = .string(origin) }
        claims["exp"] = .int((exchange.now + (lifetime ?? exchange.settings.tokenLifetime)).seconds)
        if audience.isOld {
            claims["fva"] = SessionJSON(exchange: exchange).age(session)
        } else {
            claims["fea"] = ""
            claims["fva"] = SessionJSON(exchange: exchange).age(session)
        }
        claims["iat"] = .int(exchange.now.seconds)
        claims["iss"] = .string(exchange.instance.base)
        claims["jti"] = .string(Hex.encode(exchange.instance.randomness.bytes(10)))
        claims["nbf"] = .int(exchange.now.seconds - 10)
        if !audience.isOld { claims["pla"] = "u:free" }
        claims["sid"] = .string(session.id)
        if !audience.isOld { claims["sts"] = .string(session.status == .pending ? "pending" : "active") }
        claims["sub"] = .string(session.userID)
        if !audience.isOld { claims["v"] = 2 }
        if let actor = session.actor { claims["act"] = actor }
        return try exchange.sign(claims)
    }

    /// A token after a template: its claims, the automatic ones, and no session id.
    func token(of session: SessionRecord, user: UserRecord, template: TemplateRecord, audience: TokenAudience) throws -> String {
        var claims = JSONObject()
        let texts = TemplateTexts(exchange: exchange, user: user, session: session)
        for (name, value) in template.claims { claims[name] = try texts.filled(value) }
        if let origin = audience.origin { claims["azp"] = .string(origin) }
        claims["exp"] = .int(exchange.now.seconds + Int64(template.lifetime))
        claims["iat"] = .int(exchange.now.seconds)
        claims["iss"] = .string(exchange.instance.base)
        claims["jti"] = .string(Hex.encode(exchange.instance.randomness.bytes(10)))
        claims["nbf"] = .int(exchange.now.seconds - Int64(template.clockSkew))
        claims["sub"] = .string(session.userID)
        return try exchange.sign(claims)
    }
}
