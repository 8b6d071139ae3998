internal import LockstepEmulation
import LockstepPrimitives

/// Redirects browsers to an identity provider, and handles their return
/// (https://clerk.com/docs/reference/frontend-api).
struct ProviderRedirects {
    enum Purpose: String {
        case signIn = "sign_in"
        case signUp = "sign_up"
        case connect
    }

    let context: RequestContext

    /// Returns the URL to which the browser is redirected, and the URL at the end of the redirect.
    func begin(_ strategy: String, _ purpose: Purpose, attempt: String) throws -> (url: String, target: String) {
        guard let provider = context.settings.provider(ofStrategy: strategy, withPrefix: "oauth_"), provider.allowsRedirect else {
            throw ClerkError.providerDisabled(String(strategy.dropFirst("oauth_".count).prefix(60)))
        }
        let target = try target()
        let state = context.token()
        try remember(state, purpose.rawValue, attempt: attempt, target: target, provider: provider.name)
        let page = provider.authorizationURL ?? "\(context.state.base)/oauth_provider/\(provider.name)/authorize"
        let url = Redirects.adding(
            [
                ("client_id", "lockstep"), ("response_type", "code"), ("scope", "openid email profile"), ("state", state),
                ("redirect_uri", Self.callback(context)),
            ] + ["login_hint", "prompt"].compactMap { name in context.form.text("oidc_" + name).map { (name, $0) } }, to: page)
        return (url, target)
    }

    /// The URL to which providers redirect browsers.
    static func callback(_ context: RequestContext) -> String { "\(context.state.base)/v1/oauth_callback" }

    /// Returns the URL in the app at the end of the redirect.
    func target() throws -> String {
        let target = try context.form.required("redirect_url")
        try context.redirects.check(target)
        return target
    }

    /// Stores the context of a redirect under its `state`, for ten minutes.
    ///
    /// - `state`: The value that the provider returns.
    /// - `purpose`: A ``Purpose``, or another one of an extension.
    /// - `attempt`: The id of the object that the provider's response changes.
    /// - `target`: The URL in the app at the end of the redirect.
    /// - `provider`: The provider's name, for errors.
    /// - `memory`: Members that an extension needs when the browser returns.
    func remember(
        _ state: String, _ purpose: String, attempt: String, target: String, provider: String, _ memory: JSONObject = [:]
    ) throws {
        var payload: JSONObject = [
            "purpose": .string(purpose), "provider": .string(provider), "redirect_url": .string(target),
            "client": .string(try context.clientOrNew().id), "native": .bool(context.sender.isNative),
        ]
        for (name, value) in memory { payload[name] = value }
        try context.db.save(
            NonceRecord(
                nonce: state, kind: .redirect, subject: attempt, payload: payload, expireAt: context.now + .seconds(600)))
    }

    /// Returns the flow for which a browser was sent to a provider, by the `state` that the browser returns.
    func flow(of state: String) throws -> NonceRecord {
        guard let nonce = try context.db.find(NonceRecord.self, "nonce = \(state) AND kind = 'redirect'"),
            nonce.expireAt > context.now, nonce.payload["redirect_url"]?.string != nil
        else { throw ClerkError.badCallback }
        return nonce
    }

    /// `/v1/oauth_callback`: handles the browser that the provider has redirected, with a code or with an error.
    ///
    /// - `nonce`: The redirect that has ended.
    /// - `answer`: The profile that the provider returned for the code, or the error there.
    /// - `finishOther`: Ends an attempt of a purpose that only an extension has, and returns whether it is complete.
    func finish(
        _ nonce: NonceRecord, _ answer: Result<ProviderProfile, ClerkError>,
        _ finishOther: (_ purpose: String, _ attempt: String) throws -> Bool = { _, _ in throw ClerkError.badCallback }
    ) throws -> Answer {
        guard let attempt = nonce.subject, let target = nonce.payload["redirect_url"]?.string,
            let owner = try context.clients.find(id: nonce.payload["client"]?.string ?? "")
        else { throw ClerkError.badCallback }
        try context.db.run("DELETE FROM nonces WHERE nonce = \(nonce.nonce)")
        let opener = context.client
        context.client = owner
        defer { context.client = opener }
        let isDone: Bool
        let purpose = nonce.payload["purpose"]?.string ?? ""
        switch Purpose(rawValue: purpose) {
        case .signIn:
            isDone = try finish(SignInRecord.self, attempt, answer) { try context.providerSignIns.settle(&$0, $1) }
        case .signUp:
            isDone = try finish(SignUpRecord.self, attempt, answer) { try context.providerSignUps.settle(&$0, $1) }
        case .connect: isDone = try finishConnection(attempt, answer)
        case nil: isDone = try finishOther(purpose, attempt)
        }
        var query: [(String, String)] = []
        if isDone, nonce.payload["native"] == true {
            query.append(("rotating_token_nonce", try context.redirects.newRotation(for: context.client ?? owner)))
        }
        context.redirect = query.isEmpty ? target : Redirects.adding(query, to: target)
        return .page("Go on in the app.")
    }

    /// Ends an attempt with the provider's response; an error is stored in the attempt, and nothing else of the
    /// response.
    ///
    /// - Returns: Whether the attempt is complete.
    private func finish<Attempt: ProviderAttempt>(
        _ attempts: Attempt.Type, _ id: String, _ answer: Result<ProviderProfile, ClerkError>,
        by settle: (inout Attempt, ProviderProfile) throws -> Void
    ) throws -> Bool {
        guard var attempt = try context.db.find(attempts, "id = \(id)"), !attempt.isComplete else { return false }
        switch answer {
        case .failure(let refusal):
            attempt.providerProof?.failure = ProofFailure(refusal)
            try context.db.save(attempt)
        case .success(let profile):
            let (former, client) = (attempt, context.client)
            do {
                try context.wholly { try settle(&attempt, profile) }
            } catch {
                context.client = client
                guard let refusal = error as? ClerkError else { throw error }
                attempt = former
                attempt.providerProof?.status = .failed
                attempt.providerProof?.failure = ProofFailure(refusal)
                try context.db.save(attempt)
            }
        }
        return attempt.isComplete
    }

    private func finishConnection(_ id: String, _ answer: Result<ProviderProfile, ClerkError>) throws -> Bool {
        guard var account = try context.db.find(ExternalAccountRecord.self, "id = \(id)") else { return false }
        switch answer {
        case .failure(let refusal): account.verification?.failure = ProofFailure(refusal)
        case .success(let profile): try settle(&account, profile)
        }
        account.updatedAt = context.now
        try context.db.save(account)
        return account.verification?.isVerified ?? false
    }

    private func settle(_ account: inout ExternalAccountRecord, _ profile: ProviderProfile) throws {
        let repository = context.users
        if let other = try repository.externalAccount(profile.provider, profile.subject), other.id.exact != account.id.exact {
            account.verification?.status = .failed
            account.verification?.failure = ProofFailure(.externalAccountExists)
            return
        }
        do {
            try context.restrictions.checkNew([profile.email])
        } catch let refusal as ClerkError {
            account.verification?.status = .failed
            account.verification?.failure = ProofFailure(refusal)
            return
        }
        account.subject = profile.subject
        account.email = profile.email
        account.firstName = profile.firstName
        account.lastName = profile.lastName
        account.imageURL = profile.imageURL
        account.verification?.status = .verified
        account.accessToken = context.token()
        account.linkedEmailID =
            try profile.email.flatMap { try repository.identification(.email, $0, of: account.userID)?.id }
            ?? account.linkedEmailID
    }
}

/// A sign-in or a sign-up that a provider's response completes.
private protocol ProviderAttempt: Record {
    var isComplete: Bool { get }
    /// The verification that the provider completes.
    var providerProof: Verification? { get set }
}

extension SignInRecord: ProviderAttempt {
    fileprivate var isComplete: Bool { status == .complete }
    fileprivate var providerProof: Verification? {
        get { first }
        set { first = newValue }
    }
}

extension SignUpRecord: ProviderAttempt {
    fileprivate var isComplete: Bool { status == .complete }
    fileprivate var providerProof: Verification? {
        get { externalVerification }
        set { externalVerification = newValue }
    }
}
