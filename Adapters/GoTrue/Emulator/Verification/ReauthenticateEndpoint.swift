internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /reauthenticate`.
struct ReauthenticateEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        var user = try turn.user()
        var message: String?
        if !user.email.isEmpty {
            guard user.isEmailConfirmed else {
                throw GoTrueError.unprocessable(.emailNotConfirmed, "Please verify your email first.")
            }
            try turn.sendReauthentication(to: &user, &db)
        } else if !user.phone.isEmpty {
            guard user.isPhoneConfirmed else {
                throw GoTrueError.unprocessable(.phoneNotConfirmed, "Please verify your phone first.")
            }
            message = try turn.sendSMS(.reauthentication, to: user.phone, of: &user, &db)
        } else {
            throw GoTrueError.invalid("Reauthentication requires the user to have an email or a phone number")
        }
        try turn.audit(.reauthenticated, user, &db)
        return .go(message.map { ["message_id": .string($0)] } ?? [:])
    }
}
