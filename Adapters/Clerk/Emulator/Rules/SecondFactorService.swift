import LockstepEmulation
import LockstepPrimitives

/// Prepares and checks second factors: of a sign-in, and of a session's reverification.
struct SecondFactorService {
    let context: RequestContext

    /// Sends a code to an address in `offered`.
    func prepare(_ strategy: String, offered: [JSONObject], after previous: Verification?) throws -> Verification {
        let factors = offered.filter { $0["strategy"]?.string == strategy }
        guard !factors.isEmpty else { throw ClerkError.noSecondFactors(strategy) }
        let field = strategy == "phone_code" ? "phone_number_id" : "email_address_id"
        guard ["phone_code", "email_code"].contains(strategy) else { throw ClerkError.invalidValue("strategy", strategy) }
        let asked = context.form.text(field)
        guard
            let id = (asked.map { id in factors.first { $0[field]?.string?.exact == id.exact } } ?? factors.first)?[field]?.string
        else {
            throw ClerkError.notFound(asked ?? "")
        }
        guard let row = try context.db.find(IdentificationRecord.self, "id = \(id)") else {
            throw ClerkError.notFound(id)
        }
        let address: Identifier = row.kind == .email ? .email(row.value) : .phone(row.value)
        return try context.proofs.sendCode(
            strategy, to: address, target: row.id, after: previous?.strategy == strategy ? previous : nil)
    }

    /// Checks a second factor.
    ///
    /// The verification is changed in either case, and a wrong code is counted.
    func attempt(_ strategy: String, code: String?, offered: [JSONObject], _ proof: inout Verification?, _ user: UserRecord)
        throws -> ClerkError?
    {
        guard offered.contains(where: { $0["strategy"]?.string == strategy }) else { return .noSecondFactors(strategy) }
        switch strategy {
        case "totp":
            guard let code, !code.isEmpty else { return .empty("code") }
            let isRight = TOTP(secret: user.totpSecret ?? "").accepts(code, at: context.now)
            proof = attempted("verification_totp", strategy, after: proof, isRight: isRight)
            return isRight ? nil : .wrongCode
        case "backup_code":
            guard let code, !code.isEmpty else { return .empty("code") }
            let isRight = try context.secondFactors.spendBackupCode(code, of: user)
            proof = attempted("verification_backup_code", strategy, after: proof, isRight: isRight)
            return isRight ? nil : .wrongCode
        case "phone_code", "email_code":
            return context.proofs.attempt(&proof, strategy: strategy, code: code)
        default: return .invalidValue("strategy", strategy)
        }
    }

    private func attempted(_ object: String, _ strategy: String, after previous: Verification?, isRight: Bool) -> Verification {
        let former = previous?.strategy == strategy ? previous?.attempts ?? 0 : 0
        return Verification(object: object, strategy: strategy, status: isRight ? .verified : .unverified, attempts: former + 1)
    }
}
