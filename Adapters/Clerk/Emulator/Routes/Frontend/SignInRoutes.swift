import LockstepEmulation
import LockstepPrimitives

/// `/v1/client/sign_ins` and the paths below it.
struct SignInRoutes {
    let context: RequestContext

    private var service: SignInService { context.signIns }
    private var first: FirstFactorService { context.firstFactors }
    private var form: Form { context.form }

    /// The members of ``create()``.
    static let createBody: BodySchema = .form(
        "identifier", "password", "strategy", "ticket", "token", "code", "transfer", "redirect_url",
        "action_complete_redirect_url", "redirect_uri", "code_challenge", "code_challenge_method", "oidc_prompt",
        "oidc_login_hint", "trusted_device_id", "sign_up_if_missing", "locale", "channel", "enterprise_connection_id",
        "email_address_id", "phone_number_id")

    /// The members of ``prepareFirstFactor()``.
    static let prepareFirstFactorBody: BodySchema = .form(
        "strategy", "email_address_id", "phone_number_id", "passkey_id", "trusted_device_id", "web3_wallet_id", "redirect_url",
        "channel", "enterprise_connection_id", "redirect_uri", "code_challenge", "code_challenge_method",
        "action_complete_redirect_url", "oidc_prompt", "oidc_login_hint")

    /// The members of ``attemptFirstFactor()``.
    static let attemptFirstFactorBody: BodySchema = .form(
        "strategy", "code", "password", "token", "ticket", "public_key_credential", "signature", "trusted_device_id",
        "client_data", "algorithm")

    /// The members of ``prepareSecondFactor()``.
    static let prepareSecondFactorBody: BodySchema = .form(
        "strategy", "phone_number_id", "email_address_id", "redirect_url", "channel")

    /// Creates a sign-in, and advances it as far as the request's fields allow.
    func create() throws -> Answer {
        try service.checkRoom()
        let strategy = form.text("strategy")
        if try form.flag("transfer") == true { return try context.providerSignIns.transfer() }
        if strategy == "ticket" || form.has("ticket") { return try context.ticketSignIns.create() }
        if let strategy, strategy.hasPrefix("oauth_token_") || strategy == "google_one_tap" {
            return try context.providerSignIns.token(strategy)
        }
        if let strategy, strategy.hasPrefix("oauth_") { return try context.providerSignIns.redirect(strategy) }
        if let other = Extensions.strategy(strategy) { return try other.createSignIn(context) }
        if strategy == "passkey", !form.has("identifier") { return try PasskeyRoutes(context: context).beginSignIn() }
        guard let text = form.text("identifier") else {
            if form.has("identifier") { throw ClerkError.empty("identifier") }
            if let strategy { throw ClerkError.conditionallyMissing("identifier", when: "strategy", is: strategy) }
            let signIn = try service.make()
            try service.keep(signIn)
            return .resource(try context.signInJSON.signIn(signIn))
        }
        return try identified(text, strategy)
    }

    private func identified(_ text: String, _ strategy: String?) throws -> Answer {
        if let strategy, strategy != "password" { try checkStrategy(strategy) }
        guard let identifier = Identifier(text), context.settings.requirement(of: identifier.attribute).isEnabled else {
            throw ClerkError.malformed("identifier", "Identifier is invalid.")
        }
        try context.restrictions.checkSignIn(identifier.text)
        let found = try context.users.find(identifier: identifier)
        let isOfOthers = try context.extensions.reserve(identifier.text)
        if found == nil, !context.settings.hidesAccounts, !isOfOthers { throw ClerkError.unknownIdentifier }
        if let user = found?.user {
            try context.lockout.check(user)
            try service.checkRoom(for: user)
            try context.extensions.check(identifier, of: user)
        }
        var signIn = try service.make(identifier: identifier, user: found?.user)
        // The provider may know a user whom the instance does not know yet; clerk-js continues from this status.
        if isOfOthers, found == nil, !context.settings.hidesAccounts { signIn.status = .needsIdentifier }
        if form.has("password") || strategy == "password" {
            try context.db.save(signIn)
            try first.tryPassword(&signIn, try form.required("password"))
        } else if let strategy {
            try first.prepare(&signIn, strategy: strategy)
            try service.keep(signIn)
        } else {
            try service.keep(signIn)
        }
        return .resource(try context.signInJSON.signIn(signIn))
    }

    /// Reads a sign-in of this client, even a finished one: a client that waits for a link polls here.
    func get() throws -> Answer {
        try context.redirects.redeemRotation()
        let id = context.piece("sign_in_id")
        guard let client = context.client, let signIn = try context.db.find(SignInRecord.self, "id = \(id)"),
            signIn.clientID.exact == client.id.exact
        else { throw ClerkError.notFound(id) }
        return .resource(try context.signInJSON.signIn(signIn))
    }

    func prepareFirstFactor() throws -> Answer {
        var signIn = try service.current()
        let strategy = try form.required("strategy")
        if strategy.hasPrefix("oauth_") { return try context.providerSignIns.prepare(&signIn, strategy) }
        if let other = Extensions.strategy(strategy) { return try other.prepareSignIn(context, &signIn) }
        try checkStrategy(strategy)
        guard signIn.status == .needsFirstFactor || signIn.status == .needsNewPassword else {
            throw ClerkError.clientState("prepare_first_factor", "The sign in is \(signIn.status.rawValue).")
        }
        try first.prepare(&signIn, strategy: strategy)
        signIn.status = .needsFirstFactor
        try service.keep(signIn)
        return .resource(try context.signInJSON.signIn(signIn))
    }

    func attemptFirstFactor() throws -> Answer {
        var signIn = try service.current()
        let strategy = try form.required("strategy")
        if signIn.first?.isVerified == true { throw ClerkError.alreadyVerified }
        guard signIn.status == .needsFirstFactor else {
            throw ClerkError.clientState("attempt_first_factor", "The sign in is \(signIn.status.rawValue).")
        }
        switch strategy {
        case "password": try first.tryPassword(&signIn, try form.required("password"))
        case "passkey": try PasskeyRoutes(context: context).finishSignIn(&signIn)
        case _ where FirstFactorService.codes.contains(strategy):
            try checkStrategy(strategy)
            try first.tryCode(&signIn, strategy: strategy, code: try form.required("code"))
        default: throw ClerkError.invalidValue("strategy", strategy)
        }
        return .resource(try context.signInJSON.signIn(signIn))
    }

    func prepareSecondFactor() throws -> Answer {
        var signIn = try service.current()
        let offered = try offeredSecondFactors(signIn)
        signIn.second = try context.secondFactorProofs.prepare(
            try form.required("strategy"), offered: offered, after: signIn.second)
        try service.keep(signIn)
        return .resource(try context.signInJSON.signIn(signIn))
    }

    func attemptSecondFactor() throws -> Answer {
        var signIn = try service.current()
        if signIn.second?.isVerified == true { throw ClerkError.alreadyVerified }
        let offered = try offeredSecondFactors(signIn)
        let strategy = try form.required("strategy")
        var user = try service.user(of: signIn)
        try context.lockout.check(user)
        let refusal = try context.secondFactorProofs.attempt(
            strategy, code: try form.required("code"), offered: offered, &signIn.second, user)
        if let refusal {
            guard refusal.code == ClerkError.wrongCode.code else { throw refusal }
            try context.db.save(signIn)
            throw try context.lockout.refusal(refusal, countedFor: user)
        }
        try service.complete(&signIn, &user)
        return .resource(try context.signInJSON.signIn(signIn))
    }

    /// Sets the new password after a reset code, and completes the sign-in.
    func resetPassword() throws -> Answer {
        var signIn = try service.current()
        guard signIn.status == .needsNewPassword else {
            throw ClerkError.clientState("reset_password", "Verify a reset code first: the sign in is \(signIn.status.rawValue).")
        }
        var user = try service.user(of: signIn)
        let password = try form.required("password")
        try context.passwords.set(password, of: &user)
        if try form.flag("sign_out_of_other_sessions") == true { try context.sessions.revokeAll(of: user) }
        if try context.secondFactors.of(user).isEnabled {
            signIn.status = .needsSecondFactor
            try service.keep(signIn)
        } else {
            try service.complete(&signIn, &user)
        }
        return .resource(try context.signInJSON.signIn(signIn))
    }

    private func offeredSecondFactors(_ signIn: SignInRecord) throws -> [JSONObject] {
        let factors = try FactorList(context: context, user: try service.user(of: signIn))
        switch signIn.status {
        case .needsSecondFactor: return try factors.second()
        case .needsClientTrust: return factors.clientTrust()
        default: throw ClerkError.clientState("second factor", "The sign in is \(signIn.status.rawValue).")
        }
    }

    /// Rejects a strategy that Clerk does not have, or that is switched off here.
    private func checkStrategy(_ strategy: String) throws {
        let settings = context.settings
        let isOn: Bool? =
            switch strategy {
            case "email_code": settings.emailAddress.isEnabled && settings.emailSignIn.contains(.code)
            case "email_link": settings.emailAddress.isEnabled && settings.emailSignIn.contains(.link)
            case "phone_code": settings.phoneNumber.isEnabled && settings.signsInByPhoneCode
            case "reset_password_email_code":
                settings.emailAddress.isEnabled && settings.password.isEnabled && settings.signsInByPassword
            case "reset_password_phone_code":
                settings.phoneNumber.isEnabled && settings.password.isEnabled && settings.signsInByPassword
            case "password": settings.password.isEnabled && settings.signsInByPassword
            case "passkey": settings.passkeys.isEnabled
            case "trusted_device", "saml": false
            default: nil
            }
        guard let isOn else { throw ClerkError.invalidValue("strategy", String(strategy.prefix(60))) }
        if !isOn { throw ClerkError.disabledStrategy(strategy) }
    }
}
