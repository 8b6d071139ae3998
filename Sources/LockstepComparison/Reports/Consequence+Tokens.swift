extension Consequence {
    /// Sessions on several devices, and what servers read of a token.
    static let tokens: [Consequence] = [
        Consequence(
            "devices", "access token after the sign-out, shown to the backend", 78,
            "a token of a user who has signed out is taken until it expires", "ask the backend where it matters",
            when: { $0 == "taken" }),
        Consequence(
            "devices", "refresh token after the sign-out, shown to the backend", 86,
            "a sign-out does not end the session at the backend", "end it from your server, by the administrator's API",
            when: { $0 == "taken" }),
        Consequence(
            "devices", "the other device", 51, "a sign-out here signs the other devices out", "say so before it",
            when: { $0.hasPrefix("signedOut") }),
        Consequence(
            "devices", "sign out the others", 53, "the app cannot end the user's other sessions",
            "do it on your server, by the administrator's API",
            call: "if auth.capabilities.contains(.signOutOthers) { screen.showButton() }", when: { $0.contains("unsupported") }),
        Consequence(
            "devices", "sign out everywhere", 54, "the app cannot end all sessions of the user",
            "do it on your server, by the administrator's API",
            call: "if auth.capabilities.contains(.signOutEverywhere) { screen.showButton() }",
            when: { $0.contains("unsupported") }),
        Consequence(
            "token", "life of a token", 65, "tokens live about a minute: a kept one is dead when it is sent",
            "ask for the token at every request, and never keep one",
            call: "_ = try await auth.authorized(request, by: myClient.send)",
            when: { Int($0.prefix { $0.isNumber }).map { $0 <= 120 } ?? false }),
        Consequence(
            "token", "life of a token", 13, "a token lives longer: what you change about a user reaches servers later",
            "renew the token where that matters", call: "_ = try await auth.refreshUser()", isRelative: true, when: { _ in true }),
        Consequence(
            "ids-and-claims", "id of a user", 93,
            "every user has another id of another form: rows, rules and analytics that are keyed by it lose their users",
            "keep a table from old to new ids, and widen the columns to text before the move", isRelative: true,
            when: { _ in true }),
        Consequence(
            "ids-and-claims", "id of a session", 27, "ids of sessions have another form, or are not there",
            "treat them as opaque text", isRelative: true, when: { _ in true }),
        Consequence(
            "ids-and-claims", "claims of its own", 70,
            "rules on a server or in a database read claims that are not there any more",
            "rewrite them for the claims of the new tokens", isRelative: true, when: { _ in true }),
        Consequence(
            "server", "form", 74, "your servers cannot verify the token by themselves", "ask the backend for each token",
            when: { $0.hasPrefix("opaque") }),
        Consequence(
            "server", "signed with", 89,
            "servers share the secret that signs: each of them could make tokens, and the key cannot be published",
            "switch asymmetric keys on at the backend before the move", when: { $0.hasPrefix("HS") }),
        Consequence(
            "server", "signed with", 73, "your servers need the new backend's published keys",
            "verify by them", call: "_ = try verifier.verify(bearer, at: now)", isRelative: true, when: { _ in true }),
        Consequence(
            "server", "names its key", 29, "a token does not name its key", "verify by each key that the backend publishes",
            when: { $0 == "no" }),
        Consequence(
            "server", "names its key", 12, "a token names its key", "look the key up by its name", when: { $0 == "yes" }),
        Consequence(
            "server", "issuer", 91,
            "every server refuses the new tokens until it knows their issuer, and must go on knowing the old one",
            "add rules for the new issuer beside the old ones, and compare it whole",
            call: "rules.append(TokenRules(issuers: [newIssuer], audiences: [newAudience]))", isRelative: true,
            when: { _ in true }),
        Consequence(
            "server", "audience", 87,
            "tokens carry no audience: a server that compares `aud` refuses them, and must tell them from those of other projects by the issuer",
            "say in the rules that there is none",
            call: "rules.append(TokenRules(issuers: [newIssuer], audiences: .notInTokens))",
            when: { $0 == "none" }),
        Consequence(
            "server", "audience", 88,
            "a server that compares `aud` refuses the new tokens; one that does not takes another project's",
            "compare what the new tokens have",
            call: "rules.append(TokenRules(issuers: [newIssuer], audiences: [newAudience]))", isRelative: true,
            when: { _ in true }),
    ]
}
