internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /reauthenticate`.
struct ReauthenticateEndpoint: Endpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        var user = try context.authenticator.requireUser()
        var message: String?
        if !user.email.isEmpty {
            guard user.isEmailConfirmed else {
                throw GoTrueError.unprocessable(.emailNotConfirmed, "Please verify your email first.")
            }
            try context.mailer.sendReauthentication(to: &user)
        } else if !user.phone.isEmpty {
            guard user.isPhoneConfirmed else {
                throw GoTrueError.unprocessable(.phoneNotConfirmed, "Please verify your phone first.")
            }
            message = try context.textMessages.send(.reauthentication, to: user.phone, of: &user)
        } else {
            throw GoTrueError.invalid("Reauthentication requires the user to have an email or a phone number")
        }
        try context.auditLog.record(.reauthenticated, user)
        return .go(message.map { ["message_id": .string($0)] } ?? [:])
    }
}
