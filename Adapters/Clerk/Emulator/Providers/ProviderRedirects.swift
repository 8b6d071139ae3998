import LockstepPrimitives

/// Sends browsers to an identity provider and takes them back (reference, section 3.7).
struct ProviderRedirects {
    enum Purpose: String {
        case signIn = "sign_in"
        case signUp = "sign_up"
        case connect
    }

    let call: FrontendCall

    private var context: RequestContext { call.context }

    /// The address to send the browser to, and the one where it ends.
    func begin(_ strategy: String, _ purpose: Purpose, attempt: String) throws -> (url: String, target: String) {
        guard let provider = call.settings.provider(ofStrategy: strategy, withPrefix: "oauth_"), provider.allowsRedirect else {
            throw ClerkError.providerDisabled(String(strategy.dropFirst("oauth_".count).prefix(60)))
        }
        let target = try call.form.required("redirect_url")
        try Redirects(call: call).check(target)
        let state = NonceRecord(
            nonce: context.token(), kind: .redirect, subject: attempt,
            payload: [
                "purpose": .string(purpose.rawValue), "provider": .string(provider.name), "strategy": .string(strategy),
                "redirect_url": .string(target), "client": .string(try call.clientOrNew().id),
                "native": .bool(call.request.isNative),
            ],
            expireAt: context.now + .seconds(600))
        try call.context.db.save(state)
        let page = provider.authorizationURL ?? "\(context.state.base)/oauth_provider/\(provider.name)/authorize"
        let url = Redirects.adding(
            [
                ("client_id", "lockstep"), ("response_type", "code"), ("scope", "openid email profile"), ("state", state.nonce),
                ("redirect_uri", "\(context.state.base)/v1/oauth_callback"),
            ] + ["login_hint", "prompt"].compactMap { name in call.form.text("oidc_" + name).map { (name, $0) } }, to: page)
        return (url, target)
    }

    /// The flow that a browser was sent to a provider for, by the `state` that it brings back.
    func flow(of state: String) throws -> NonceRecord {
        guard let nonce = try call.context.db.find(NonceRecord.self, "nonce = \(state) AND kind = 'redirect'"),
            nonce.expireAt > context.now, nonce.payload["redirect_url"]?.string != nil
        else { throw ClerkError.badCallback }
        return nonce
    }

    /// `/v1/oauth_callback`: the provider has sent the browser back, with a code or with a refusal.
    ///
    /// - Parameter profile: the profile that the provider gave for the code; `nil` where it refused.
    func finish(_ nonce: NonceRecord, profile: ProviderProfile?) throws -> FrontendResponse {
        guard let attempt = nonce.subject, let target = nonce.payload["redirect_url"]?.string,
            let owner = try ClientRepository(context: context).find(id: nonce.payload["client"]?.string ?? "")
        else { throw ClerkError.badCallback }
        try call.context.db.run("DELETE FROM nonces WHERE nonce = \(nonce.nonce)")
        let opener = call.client
        call.client = owner
        defer { call.client = opener }
        let name = nonce.payload["provider"]?.string ?? ""
        let isDone: Bool
        switch Purpose(rawValue: nonce.payload["purpose"]?.string ?? "") {
        case .signIn: isDone = try finishSignIn(attempt, profile, name)
        case .signUp: isDone = try finishSignUp(attempt, profile, name)
        case .connect, nil: isDone = try finishConnection(attempt, profile, name)
        }
        var query: [(String, String)] = []
        if isDone, nonce.payload["native"] == true {
            query.append(("rotating_token_nonce", try Redirects(call: call).newRotation(for: call.client ?? owner)))
        }
        call.redirect = query.isEmpty ? target : Redirects.adding(query, to: target)
        return .page("Go on in the app.")
    }

    private func finishSignIn(_ id: String, _ profile: ProviderProfile?, _ name: String) throws -> Bool {
        guard var signIn = try call.context.db.find(SignInRecord.self, "id = \(id)"), signIn.status != .complete else {
            return false
        }
        guard let profile else {
            signIn.first?.failure = ProofFailure(.accessDenied(name))
            try call.context.db.save(signIn)
            return false
        }
        do {
            try ProviderSignIn(call: call).settle(&signIn, profile)
        } catch let refusal as ClerkError {
            signIn.first?.status = .failed
            signIn.first?.failure = ProofFailure(refusal)
            try call.context.db.save(signIn)
        }
        return signIn.status == .complete
    }

    private func finishSignUp(_ id: String, _ profile: ProviderProfile?, _ name: String) throws -> Bool {
        guard var signUp = try call.context.db.find(SignUpRecord.self, "id = \(id)"), signUp.status != .complete else {
            return false
        }
        guard let profile else {
            signUp.externalVerification?.failure = ProofFailure(.accessDenied(name))
            try call.context.db.save(signUp)
            return false
        }
        try ProviderSignUp(call: call).settle(&signUp, profile)
        return signUp.status == .complete
    }

    private func finishConnection(_ id: String, _ profile: ProviderProfile?, _ name: String) throws -> Bool {
        guard var account = try call.context.db.find(ExternalAccountRecord.self, "id = \(id)") else { return false }
        let repository = UserRepository(context: context)
        if let profile, let other = try repository.externalAccount(profile.provider, profile.subject), other.id != account.id {
            account.verification?.status = .failed
            account.verification?.failure = ProofFailure(.externalAccountExists)
        } else if let profile {
            account.subject = profile.subject
            account.email = profile.email
            account.firstName = profile.firstName
            account.lastName = profile.lastName
            account.imageURL = profile.imageURL
            account.verification?.status = .verified
            account.accessToken = context.token()
            if let email = profile.email, let row = try repository.identification(.email, email), row.userID == account.userID {
                account.linkedEmailID = row.id
            }
        } else {
            account.verification?.failure = ProofFailure(.accessDenied(name))
        }
        account.updatedAt = context.now
        try call.context.db.save(account)
        return account.verification?.isVerified ?? false
    }
}
