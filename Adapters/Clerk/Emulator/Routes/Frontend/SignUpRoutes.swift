import LockstepEmulation
import LockstepPrimitives

/// `/v1/client/sign_ups` and the paths below it.
struct SignUpRoutes {
    let context: RequestContext

    /// The members of ``create()``.
    static let createBody = updateBody.adding(.form("transfer"))

    /// The members of ``update()``.
    static let updateBody: BodySchema = .form(
        "email_address", "phone_number", "username", "password", "first_name", "last_name", "unsafe_metadata", "legal_accepted",
        "locale", "strategy", "redirect_url", "action_complete_redirect_url", "redirect_uri", "code_challenge",
        "code_challenge_method", "ticket", "token", "code", "web3_wallet", "email_address_or_phone_number", "oidc_prompt",
        "oidc_login_hint", "channel", "enterprise_connection_id")

    private var service: SignUpService { context.signUps }
    private var form: Form { context.form }

    /// The members of ``prepareVerification()``.
    static let prepareVerificationBody: BodySchema = .form(
        "strategy", "redirect_url", "redirect_uri", "code_challenge", "code_challenge_method", "action_complete_redirect_url",
        "channel", "oidc_prompt", "oidc_login_hint", "enterprise_connection_id")

    /// Creates a sign-up from the fields of the request, and completes it if nothing is missing.
    func create() throws -> Answer {
        try checkRoom()
        try checkCaptcha()
        let ticket = try form.text("ticket").map { try context.tickets.spendable($0) }
        if let ticket, ticket.kind != .invitation, ticket.kind != .organizationInvitation {
            throw ClerkError.signInToken("not_in_sign_in")
        }
        try service.checkMode(hasTicket: ticket != nil, address: try address())
        let strategy = form.text("strategy")
        var signUp = try service.make()
        if let ticket { try admit(&signUp, ticket) }
        if try form.flag("transfer") == true { return try context.providerSignUps.transfer(&signUp) }
        try context.signUpFields.apply(to: &signUp)
        if let strategy, strategy.hasPrefix("oauth_token_") || strategy == "google_one_tap" {
            return try context.providerSignUps.token(strategy, &signUp)
        }
        if let strategy, strategy.hasPrefix("oauth_") { return try context.providerSignUps.redirect(strategy, &signUp) }
        if let other = Extensions.strategy(strategy) { return try other.prepareSignUp(context, &signUp) }
        try prepareIfAsked(&signUp, strategy)
        try service.settle(&signUp)
        return .resource(try context.signUpJSON.signUp(signUp))
    }

    private func checkCaptcha() throws {
        guard context.settings.asksForCaptcha else { return }
        guard let token = form.text("captcha_token") else { throw ClerkError.captchaMissing }
        guard token == Self.passingCaptcha else { throw ClerkError.captchaInvalid }
    }

    /// The token that Turnstile returns in tests
    /// (https://developers.cloudflare.com/turnstile/troubleshooting/testing/).
    private static let passingCaptcha = "XXXX.DUMMY.TOKEN.XXXX"

    /// Returns the address of a new sign-up: from the request, or from the transferred profile of a connection's
    /// provider.
    private func address() throws -> String? {
        guard try form.flag("transfer") == true else {
            let text = form.text("email_address") ?? form.text("email_address_or_phone_number")
            return text.flatMap { EmailAddress($0)?.text }
        }
        guard let id = context.client?.signInID, let signIn = try context.db.find(SignInRecord.self, "id = \(id)"),
            signIn.profile?.connectionID != nil
        else { return nil }
        return signIn.profile?.email
    }

    func update() throws -> Answer {
        var signUp = try open()
        try context.signUpFields.apply(to: &signUp)
        if let other = Extensions.strategy(form.text("strategy")) { return try other.prepareSignUp(context, &signUp) }
        try prepareIfAsked(&signUp, form.text("strategy"))
        try service.settle(&signUp)
        return .resource(try context.signUpJSON.signUp(signUp))
    }

    /// Reads a sign-up of this client, even a finished one: a client that waits for a link polls here.
    func get() throws -> Answer {
        try context.redirects.redeemRotation()
        let id = context.piece("sign_up_id")
        guard let client = context.client, let signUp = try context.db.find(SignUpRecord.self, "id = \(id)"),
            signUp.clientID.exact == client.id.exact
        else { throw ClerkError.notFound(id) }
        return .resource(try context.signUpJSON.signUp(signUp))
    }

    func prepareVerification() throws -> Answer {
        var signUp = try open()
        let strategy = try form.required("strategy")
        if strategy.hasPrefix("oauth_") { return try context.providerSignUps.redirect(strategy, &signUp) }
        if let other = Extensions.strategy(strategy) { return try other.prepareSignUp(context, &signUp) }
        try prepare(&signUp, strategy)
        try context.db.save(signUp)
        return .resource(try context.signUpJSON.signUp(signUp))
    }

    func attemptVerification() throws -> Answer {
        var signUp = try service.current()
        let strategy = try form.required("strategy")
        let code = try form.required("code")
        let proofs = context.proofs
        let refusal: ClerkError?
        switch strategy {
        case "email_code": refusal = proofs.attempt(&signUp.emailVerification, strategy: strategy, code: code)
        case "phone_code": refusal = proofs.attempt(&signUp.phoneVerification, strategy: strategy, code: code)
        default: throw ClerkError.invalidValue("strategy", String(strategy.prefix(60)))
        }
        if let refusal {
            try context.db.save(signUp)
            throw refusal.keepingChanges()
        }
        try service.settle(&signUp)
        return .resource(try context.signUpJSON.signUp(signUp))
    }

    /// Returns the sign-up in the path, which must not be finished.
    private func open() throws -> SignUpRecord {
        let signUp = try service.current()
        guard signUp.status == .missingRequirements else {
            throw ClerkError.clientState("update", "The sign up is \(signUp.status.rawValue).")
        }
        return signUp
    }

    /// Rejects the call if the client is signed in and may have only one session.
    private func checkRoom() throws {
        guard context.settings.isSingleSession, let client = context.client else { return }
        let live = try context.clients.sessions(of: client).filter(\.isLive)
        if !live.isEmpty { throw ClerkError.sessionExists }
    }

    /// Applies the ticket's verified values to the sign-up; the ticket is used up when the sign-up completes.
    private func admit(_ signUp: inout SignUpRecord, _ ticket: TicketRecord) throws {
        signUp.ticketID = ticket.id
        // The values of an invitation to an organization belong to the membership.
        if ticket.kind == .invitation { signUp.publicMetadata = ticket.publicMetadata }
        guard let address = ticket.emailAddress else { return }
        if let row = try context.users.claimed(.email, address) {
            throw ticket.kind == .organizationInvitation && row.isVerified
                ? ClerkError.invitedUserExists : .taken("email_address")
        }
        signUp.emailAddress = address
        signUp.emailVerification = .ticket(expireAt: ticket.expireAt)
    }

    /// Sends a code immediately if the request contains a code strategy; `password` has no effect here.
    private func prepareIfAsked(_ signUp: inout SignUpRecord, _ strategy: String?) throws {
        switch strategy {
        case nil, "password", "ticket": break
        case "email_code", "phone_code", "email_link": try prepare(&signUp, strategy ?? "")
        case let other?: throw ClerkError.invalidValue("strategy", String(other.prefix(60)))
        }
    }

    private func prepare(_ signUp: inout SignUpRecord, _ strategy: String) throws {
        let proofs = context.proofs
        let settings = context.settings
        switch strategy {
        case "email_code":
            guard settings.emailAddress.isEnabled, settings.emailVerification.contains(.code) else {
                throw ClerkError.disabledStrategy(strategy)
            }
            guard let address = signUp.emailAddress else { throw ClerkError.missing("email_address") }
            if signUp.emailVerification?.isVerified == true { throw ClerkError.alreadyVerified }
            signUp.emailVerification = try proofs.sendCode(strategy, to: .email(address), after: signUp.emailVerification)
        case "email_link":
            guard settings.emailAddress.isEnabled, settings.emailVerification.contains(.link) else {
                throw ClerkError.disabledStrategy(strategy)
            }
            guard let address = signUp.emailAddress else { throw ClerkError.missing("email_address") }
            if signUp.emailVerification?.isVerified == true { throw ClerkError.alreadyVerified }
            let (link, url) = try context.links.make(.signUp, attempt: signUp.id)
            signUp.emailVerification = try proofs.sendLink(
                to: address, target: nil, after: signUp.emailVerification, link, url: url)
        case "phone_code":
            guard settings.phoneNumber.isEnabled else { throw ClerkError.disabledStrategy(strategy) }
            guard let number = signUp.phoneNumber else { throw ClerkError.missing("phone_number") }
            if signUp.phoneVerification?.isVerified == true { throw ClerkError.alreadyVerified }
            signUp.phoneVerification = try proofs.sendCode(strategy, to: .phone(number), after: signUp.phoneVerification)
        default: throw ClerkError.invalidValue("strategy", String(strategy.prefix(60)))
        }
    }
}
