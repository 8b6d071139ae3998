public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Codes and links of messages for the control routes.
extension FirebaseAdministrator {
    /// Returns whether the code and the link of a message still work.
    ///
    /// - Throws: An error of the emulator's database.
    public func standing(of message: MessageProof) throws -> MessageStanding {
        try perform { context in
            let lifetimes = context.settings.lifetimes
            let (sentAt, life): (Instant, Duration?)
            if let link = message.link {
                guard let code = try context.db.find(ActionCode.self, "link = \(link)") else { return .spent }
                (sentAt, life) = (code.createdAt, code.kind.lifetime(lifetimes))
            } else {
                let sent = try context.db.find(
                    TextCode.self, "code = \(message.code ?? "") AND phone_number = \(message.recipient)")
                guard let sent else { return .spent }
                (sentAt, life) = (sent.createdAt, lifetimes.textMessage)
            }
            guard let life else { return .open }
            return context.now - sentAt <= life ? .open : .expired
        }
    }
}
