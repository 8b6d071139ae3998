internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A text message with a code, for a new user too.
struct PhoneCode {
    var phone: String
    var data: JSONObject
    var channel: String

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        guard turn.settings.signIn.allowsPhone else {
            throw GoTrueError.bad(.phoneProviderDisabled, "Unsupported phone provider")
        }
        let number = try Address.phone(phone)
        try turn.checkChannel(channel)
        var known = try db.user(phone: number, audience: turn.audience)
        if known?.isPhoneConfirmed != true {
            guard !turn.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
            let outcome = try turn.signUp(NewAccount(phone: number, data: data, channel: channel), &db)
            guard case .confirmed(let user) = outcome else { return .go([:] as JSONObject) }
            known = try turn.reload(user, &db)
        }
        guard var user = known else { throw GoTrueError.unhandled }
        let message = try turn.sendSMS(.confirmation, to: number, of: &user, &db)
        try turn.audit(.recoveryRequested, user, &db, traits: ["channel": .string(channel.isEmpty ? "sms" : channel)])
        return .go(message.map { ["message_id": .string($0)] } ?? [:])
    }
}
