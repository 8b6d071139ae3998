import LockstepEmulation
import LockstepPrimitives

/// `/v1/me/external_accounts`: connects and removes accounts at providers.
struct ExternalAccountRoutes {
    let context: RequestContext

    /// The members of ``create()``.
    static let createBody: BodySchema = .form(
        "strategy", "redirect_url", "action_complete_redirect_url", "oidc_prompt", "oidc_login_hint", "enterprise_connection_id",
        "token", "code", lists: ["additional_scope"])

    /// The members of ``reauthorize()``.
    static let reauthorizeBody: BodySchema = .form(
        "redirect_url", "action_complete_redirect_url", "oidc_login_hint", "oidc_prompt", lists: ["additional_scope"])

    /// Connects an account: immediately with an ID token, or by a redirect to the provider.
    func create() throws -> Answer {
        let user = try context.user
        try context.extensions.checkAdditions(to: user)
        let strategy = try context.form.required("strategy")
        if strategy.hasPrefix("oauth_token_") || strategy == "google_one_tap" {
            let profile = try context.providerTokens.profile(strategy)
            if try context.users.externalAccount(profile.provider, profile.subject) != nil {
                throw ClerkError.externalAccountExists
            }
            try context.restrictions.checkNew([profile.email])
            let own = try profile.email.flatMap { try context.users.identification(.email, $0, of: user.id) }
            let account = try context.providerAccounts.connect(profile, to: user, email: own, strategy: strategy)
            return .resource(context.userJSON.externalAccount(account))
        }
        guard strategy.hasPrefix("oauth_") else { throw ClerkError.invalidValue("strategy", String(strategy.prefix(60))) }
        let id = context.id(.externalAccount)
        var proof = Verification(object: "verification_oauth", strategy: strategy)
        proof.expireAt = context.now + .seconds(600)
        proof.redirectURL = try context.providerRedirects.begin(strategy, .connect, attempt: id).url
        let account = ExternalAccountRecord(
            id: id, identificationID: context.id(.identification), userID: user.id,
            provider: String(strategy.dropFirst("oauth_".count)),
            scopes: (["email", "profile"] + context.form.list("additional_scope")).joined(separator: " "), verification: proof,
            createdAt: context.now, updatedAt: context.now)
        try context.db.save(account)
        return .resource(context.userJSON.externalAccount(account))
    }

    /// Sends the browser to the provider again, for more scopes or a new consent.
    func reauthorize() throws -> Answer {
        var account = try account(of: try context.freshUser())
        let strategy = "oauth_\(account.provider)"
        var proof = Verification(object: "verification_oauth", strategy: strategy)
        proof.expireAt = context.now + .seconds(600)
        proof.redirectURL = try context.providerRedirects.begin(strategy, .connect, attempt: account.id).url
        account.verification = proof
        let known = account.scopes.pieces(at: " ").map(String.init)
        account.scopes = (known + context.form.list("additional_scope").filter { !known.contains($0) }).joined(separator: " ")
        account.updatedAt = context.now
        try context.db.save(account)
        return .resource(context.userJSON.externalAccount(account))
    }

    /// Deletes the provider's token; the account stays connected.
    func deleteTokens() throws -> Answer {
        let user = try context.user
        var account = try account(of: user)
        account.accessToken = nil
        account.updatedAt = context.now
        try context.db.save(account)
        return .resource(try context.userJSON.user(user))
    }

    private func account(of user: UserRecord) throws -> ExternalAccountRecord {
        let id = context.piece("external_account_id")
        guard let account = try context.db.find(ExternalAccountRecord.self, "id = \(id) OR identification_id = \(id)"),
            account.userID.exact == user.id.exact
        else { throw ClerkError.notFound(id) }
        return account
    }

    func delete() throws -> Answer {
        let user = try context.user
        let account = try account(of: user)
        let others = try context.users.externalAccounts(of: user).filter { $0.id.exact != account.id.exact }
        let rows = try context.users.identifications(of: user).filter(context.users.isUsable)
        if others.isEmpty, rows.isEmpty, user.username == nil { throw ClerkError.lastIdentification }
        try context.db.run("DELETE FROM external_accounts WHERE id = \(account.id)")
        return .resource(["id": .string(account.id), "object": "external_account", "deleted": true])
    }
}
