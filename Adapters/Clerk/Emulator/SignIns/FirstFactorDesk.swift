import LockstepPrimitives

/// Prepares and tries first factors of a sign-in.
struct FirstFactorDesk {
    let call: FrontendCall

    private var exchange: Exchange { call.exchange }
    private var desk: SignInDesk { SignInDesk(call: call) }

    /// The factors that need a message first.
    static let codes: Set<String> = ["email_code", "phone_code", "reset_password_email_code", "reset_password_phone_code"]

    /// Sends the message of `strategy`; changes the sign-in without storing it.
    func prepare(_ signIn: inout SignInRecord, strategy: String) throws {
        guard let userID = signIn.userID else {
            if strategy == "email_link" { _ = try EmailLinks(call: call).make(.signIn, attempt: signIn.id) }
            signIn.first = try PretendedFactors(settings: call.settings, signIn: signIn).proof(strategy, exchange)
            return
        }
        guard let user = try UserDirectory(exchange: exchange).find(userID) else { throw ClerkError.unknownIdentifier }
        try Lockout(exchange: exchange).check(user)
        let row = try address(for: strategy, of: user, identifier: signIn)
        let address: Identifier = row.kind == .email ? .email(row.value) : .phone(row.value)
        let previous = signIn.first?.strategy == strategy && signIn.first?.target == row.id ? signIn.first : nil
        if strategy == "email_link" {
            let (link, url) = try EmailLinks(call: call).make(.signIn, attempt: signIn.id)
            signIn.first = try ProofDesk(exchange: exchange).sendLink(
                to: row.value, target: row.id, after: previous, link, url: url)
        } else {
            signIn.first = try ProofDesk(exchange: exchange).sendCode(strategy, to: address, target: row.id, after: previous)
        }
    }

    /// Checks a password: a right one continues the sign-in, a wrong one is refused and counted.
    func tryPassword(_ signIn: inout SignInRecord, _ password: String) throws {
        guard call.settings.password.isEnabled, call.settings.signsInByPassword else {
            throw ClerkError.disabledStrategy("password")
        }
        guard signIn.userID != nil else {
            // An unknown identifier takes as long as a known one.
            _ = try exchange.digest(of: password)
            throw ClerkError.wrongPasswordOrIdentifier
        }
        var user = try desk.user(of: signIn)
        try Lockout(exchange: exchange).check(user)
        guard let isRight = try exchange.matches(password, user) else {
            // So does one without a password.
            _ = try exchange.digest(of: password)
            throw ClerkError.strategyInvalidForUser
        }
        guard isRight else {
            let refusal = call.settings.hidesAccounts ? ClerkError.wrongPasswordOrIdentifier : ClerkError.wrongPassword
            throw try Lockout(exchange: exchange).refusal(refusal, countedFor: user)
        }
        if user.isPasswordCompromised { throw ClerkError.compromisedPassword }
        try Hashers(exchange: exchange).upgrade(&user, password)
        signIn.first = .password
        try desk.advance(&signIn, &user)
    }

    /// Checks a code: a right one continues the sign-in, a wrong one is refused and counted.
    func tryCode(_ signIn: inout SignInRecord, strategy: String, code: String?) throws {
        if let userID = signIn.userID, let user = try UserDirectory(exchange: exchange).find(userID) {
            try Lockout(exchange: exchange).check(user)
        }
        let refusal = ProofDesk(exchange: exchange).attempt(&signIn.first, strategy: strategy, code: code)
        if let refusal {
            guard refusal.code == ClerkError.wrongCode.code else { throw refusal }
            try exchange.store.save(signIn)
            guard signIn.userID != nil else { throw refusal.keepingChanges() }
            throw try Lockout(exchange: exchange).refusal(refusal, countedFor: try desk.user(of: signIn))
        }
        var user = try desk.user(of: signIn)
        try markProven(signIn.first)
        try desk.advance(&signIn, &user)
    }

    /// A right code proves the address that it was sent to.
    private func markProven(_ proof: Verification?) throws {
        guard let target = proof?.target, var row = try exchange.store.find(IdentificationRecord.self, "id = ?", .text(target)),
            !row.isVerified
        else { return }
        row.verification = proof
        row.isReserved = false
        row.updatedAt = exchange.now
        try exchange.store.save(row)
    }

    /// The address that the request names, or the factor's default.
    private func address(for strategy: String, of user: UserRecord, identifier signIn: SignInRecord) throws
        -> IdentificationRecord
    {
        let factors = try FactorList(exchange: exchange, user: user)
        let offered = factors.first(identifierKind: signIn.identifierKind).filter { $0["strategy"]?.string == strategy }
        let field = strategy.contains("phone") ? "phone_number_id" : "email_address_id"
        guard !offered.isEmpty else { throw ClerkError.strategyInvalidForUser }
        let id: String
        if let asked = call.form.text(field) {
            guard offered.contains(where: { $0[field]?.string == asked }) else { throw ClerkError.notFound(asked) }
            id = asked
        } else {
            let own = factors.rows.first { $0.value == signIn.identifier }?.id
            id = own ?? offered.first { $0["primary"] == true }?[field]?.string ?? offered.first?[field]?.string ?? ""
        }
        guard let row = factors.rows.first(where: { $0.id == id }) else { throw ClerkError.notFound(id) }
        return row
    }
}
