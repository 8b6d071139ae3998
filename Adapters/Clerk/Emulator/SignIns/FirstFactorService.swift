import LockstepPrimitives

/// Prepares and tries first factors of a sign-in.
struct FirstFactorService {
    let call: FrontendCall

    private var context: RequestContext { call.context }
    private var service: SignInService { SignInService(call: call) }

    /// The factors that need a message first.
    static let codes: Set<String> = ["email_code", "phone_code", "reset_password_email_code", "reset_password_phone_code"]

    /// Sends the message of `strategy`; changes the sign-in without storing it.
    func prepare(_ signIn: inout SignInRecord, strategy: String) throws {
        guard let userID = signIn.userID else {
            if strategy == "email_link" { _ = try EmailLinks(call: call).make(.signIn, attempt: signIn.id) }
            signIn.first = try PretendedFactors(settings: call.settings, signIn: signIn).proof(strategy, context)
            return
        }
        guard let user = try UserRepository(context: context).find(userID) else { throw ClerkError.unknownIdentifier }
        try Lockout(context: context).check(user)
        let row = try address(for: strategy, of: user, identifier: signIn)
        let address: Identifier = row.kind == .email ? .email(row.value) : .phone(row.value)
        let previous = signIn.first?.strategy == strategy && signIn.first?.target == row.id ? signIn.first : nil
        if strategy == "email_link" {
            let (link, url) = try EmailLinks(call: call).make(.signIn, attempt: signIn.id)
            signIn.first = try ProofService(context: context).sendLink(
                to: row.value, target: row.id, after: previous, link, url: url)
        } else {
            signIn.first = try ProofService(context: context).sendCode(strategy, to: address, target: row.id, after: previous)
        }
    }

    /// Checks a password: a right one continues the sign-in, a wrong one is refused and counted.
    func tryPassword(_ signIn: inout SignInRecord, _ password: String) throws {
        guard call.settings.password.isEnabled, call.settings.signsInByPassword else {
            throw ClerkError.disabledStrategy("password")
        }
        guard signIn.userID != nil else {
            // An unknown identifier takes as long as a known one.
            _ = try context.digest(of: password)
            throw ClerkError.wrongPasswordOrIdentifier
        }
        var user = try service.user(of: signIn)
        try Lockout(context: context).check(user)
        guard let isRight = try context.matches(password, user) else {
            // So does one without a password.
            _ = try context.digest(of: password)
            throw ClerkError.strategyInvalidForUser
        }
        guard isRight else {
            let refusal = call.settings.hidesAccounts ? ClerkError.wrongPasswordOrIdentifier : ClerkError.wrongPassword
            throw try Lockout(context: context).refusal(refusal, countedFor: user)
        }
        if user.isPasswordCompromised { throw ClerkError.compromisedPassword }
        try Hashers(context: context).upgrade(&user, password)
        signIn.first = .password
        try service.advance(&signIn, &user)
    }

    /// Checks a code: a right one continues the sign-in, a wrong one is refused and counted.
    func tryCode(_ signIn: inout SignInRecord, strategy: String, code: String?) throws {
        if let userID = signIn.userID, let user = try UserRepository(context: context).find(userID) {
            try Lockout(context: context).check(user)
        }
        let refusal = ProofService(context: context).attempt(&signIn.first, strategy: strategy, code: code)
        if let refusal {
            guard refusal.code == ClerkError.wrongCode.code else { throw refusal }
            try context.db.save(signIn)
            guard signIn.userID != nil else { throw refusal.keepingChanges() }
            throw try Lockout(context: context).refusal(refusal, countedFor: try service.user(of: signIn))
        }
        var user = try service.user(of: signIn)
        try markProven(signIn.first)
        try service.advance(&signIn, &user)
    }

    /// A right code proves the address that it was sent to.
    private func markProven(_ proof: Verification?) throws {
        guard let target = proof?.target, var row = try context.db.find(IdentificationRecord.self, "id = \(target)"),
            !row.isVerified
        else { return }
        row.verification = proof
        row.isReserved = false
        row.updatedAt = context.now
        try context.db.save(row)
    }

    /// The address that the request names, or the factor's default.
    private func address(for strategy: String, of user: UserRecord, identifier signIn: SignInRecord) throws
        -> IdentificationRecord
    {
        let factors = try FactorList(context: context, user: user)
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
