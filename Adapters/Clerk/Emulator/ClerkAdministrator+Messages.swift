public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Codes and links of messages for the control routes.
extension ClerkAdministrator {
    /// Returns whether the code and the link of a message still work.
    ///
    /// - Throws: An error of the emulator's database.
    public func standing(of message: MessageProof) throws -> MessageStanding {
        try perform { context in
            if let link = message.link {
                guard let row = try context.db.find(LinkRecord.self, "instr(\(link), token) > 0"), row.usedAt == nil else {
                    return .spent
                }
                return row.expireAt > context.now ? .open : .expired
            }
            let pending = try Self.verifications(with: message.code ?? "", to: message.recipient, context)
            let last = pending.max { ($0.sentAt ?? .distantPast) < ($1.sentAt ?? .distantPast) }
            return switch last?.status(at: context.now) {
            case .unverified?: .open
            case .expired?: .expired
            case .verified?, .failed?, .transferable?, nil: .spent
            }
        }
    }

    /// Returns the verifications that expect a code from an address or a number.
    private static func verifications(
        with code: String, to recipient: String, _ context: RequestContext
    ) throws -> [Verification] {
        let signIns = try context.db.all(SignInRecord.self, "instr(first, \(code)) > 0 OR instr(second, \(code)) > 0")
        let signUps = try context.db.all(
            SignUpRecord.self, "instr(email_verification, \(code)) > 0 OR instr(phone_verification, \(code)) > 0")
        let sessions = try context.db.all(SessionRecord.self, "instr(reverification, \(code)) > 0")
        let addresses = try context.db.all(IdentificationRecord.self, "value = \(recipient)")
        let found =
            signIns.flatMap { [$0.first, $0.second] } + signUps.flatMap { [$0.emailVerification, $0.phoneVerification] }
            + sessions.flatMap { [$0.reverification?.first, $0.reverification?.second] } + addresses.map(\.verification)
        return found.compactMap(\.self).filter { verification in
            guard verification.code?.exact == code.exact, let target = verification.target else { return false }
            return target.exact == recipient.exact || addresses.contains { $0.id.exact == target.exact }
        }
    }
}
