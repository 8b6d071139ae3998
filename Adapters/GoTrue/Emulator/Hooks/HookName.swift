/// A hook's name in the message to it.
enum HookName: String, Sendable {
    case sendSMS = "send-sms"
    case sendEmail = "send-email"
    case customAccessToken = "customize-access-token"
    case beforeUserCreated = "before-user-created"
    case passwordVerification = "password-verification"
    case factorVerification = "mfa-verification"
}
