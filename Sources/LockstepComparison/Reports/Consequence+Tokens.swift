extension Consequence {
    /// Consequences for sessions on several devices, and for servers that read tokens.
    static let tokens: [Consequence] = [
        Consequence(
            "devices", "access token after the sign-out", 78, .server,
            "the token of a signed-out user is accepted until it expires",
            "for sensitive requests, ask the backend whether the session is still active",
            when: { $0 == "accepted" }),
        Consequence(
            "devices", "refresh token after the sign-out", 86, .server,
            "a sign-out does not end the session on the backend", "end the session from your server, with the admin API",
            when: { $0 == "accepted" }),
        Consequence(
            "devices", "the other device", 51, .screen, "a sign-out here signs the other devices out",
            "inform the user before the sign-out",
            when: { $0.hasPrefix("signedOut") }),
        Consequence(
            "devices", "sign out other devices", 53, .server, "the app cannot end the user's other sessions",
            "end these sessions on your server, with the admin API",
            call: "if auth.capabilities.contains(.signOutOthers) { screen.showButton() }", when: { $0.contains("unsupported") }),
        Consequence(
            "devices", "sign out everywhere", 54, .server, "the app cannot end all sessions of the user",
            "end these sessions on your server, with the admin API",
            call: "if auth.capabilities.contains(.signOutEverywhere) { screen.showButton() }",
            when: { $0.contains("unsupported") }),
        Consequence(
            "token", "lifetime of a token", 65, .line,
            "tokens are valid for about a minute, so a stored token has expired by the time it is sent",
            "get a token for each request, and never store it",
            call: "_ = try await auth.authorized(request, by: myClient.send)",
            when: { Int($0.prefix { $0.isNumber }).map { $0 <= 120 } ?? false }),
        Consequence(
            "token", "lifetime of a token", 13, .line, "a token is valid for longer, so changes to a user reach servers later",
            "renew the token after a change to a user", call: "_ = try await auth.refreshUser()", isRelative: true,
            when: { _ in true }
        ),
        Consequence(
            "ids-and-claims", "id of a user", 93, .server,
            "all user ids and their format change, so rows, access rules and analytics with old ids no longer match",
            "keep a table of old and new ids, and change the type of the columns to text before the move", isRelative: true,
            brief: "every user id changes", work: "the ids in your database", when: { _ in true }),
        Consequence(
            "ids-and-claims", "id of a session", 27, .line, "session ids have a different format, or are missing",
            "treat session ids as opaque strings", isRelative: true, when: { _ in true }),
        Consequence(
            "ids-and-claims", "claims of the provider", 70, .server,
            "server or database rules may depend on claims that no longer exist",
            "rewrite the rules for the claims of the new tokens", isRelative: true, when: { _ in true }),
        Consequence(
            "server", "form", 74, .server, "your servers cannot verify the token without the backend",
            "ask the backend for each token",
            when: { $0.hasPrefix("opaque") }),
        Consequence(
            "server", "signed with", 89, .setting,
            "all servers share the signing secret, so each server can create tokens and must protect the secret",
            "enable asymmetric keys on the backend before the move", when: { $0.hasPrefix("HS") }),
        Consequence(
            "server", "signed with", 73, .server, "your servers need the new backend's published keys",
            "verify with these keys", call: "_ = try verifier.verify(bearer, at: now)", isRelative: true, when: { _ in true }),
        Consequence(
            "server", "names its key", 29, .server, "a token does not name its key", "try each key that the backend publishes",
            when: { $0 == "no" }),
        Consequence(
            "server", "names its key", 12, .server, "a token names its key", "look up the key by its name", when: { $0 == "yes" }),
        Consequence(
            "server", "issuer", 91, .server,
            "every server rejects the new tokens until it knows their issuer, and must still accept the old issuer",
            "add rules for the new issuer, keep the old rules, and compare the whole issuer",
            call: "rules.append(TokenRules(issuers: [newIssuer], audiences: [newAudience]))", isRelative: true,
            work: "the checks of tokens on your servers", when: { _ in true }),
        Consequence(
            "server", "audience", 87, .server,
            "tokens have no audience, so only the issuer identifies the project, and a server that checks `aud` rejects them",
            "allow tokens without an audience in the rules",
            call: "rules.append(TokenRules(issuers: [newIssuer], audiences: .notInTokens))",
            when: { $0 == "none" }),
        Consequence(
            "server", "audience", 88, .server,
            "a server that checks `aud` rejects the new tokens; without the check, a server accepts other projects' tokens",
            "check the audience of the new tokens",
            call: "rules.append(TokenRules(issuers: [newIssuer], audiences: [newAudience]))", isRelative: true,
            when: { _ in true }),
    ]
}
