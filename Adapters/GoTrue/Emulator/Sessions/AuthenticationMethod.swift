/// An authentication method: an entry of `amr`.
struct AuthenticationMethod: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let password = AuthenticationMethod(rawValue: "password")
    static let otp = AuthenticationMethod(rawValue: "otp")
    static let magicLink = AuthenticationMethod(rawValue: "magiclink")
    static let recovery = AuthenticationMethod(rawValue: "recovery")
    static let emailSignUp = AuthenticationMethod(rawValue: "email/signup")
    static let emailChange = AuthenticationMethod(rawValue: "email_change")
    static let invite = AuthenticationMethod(rawValue: "invite")
    static let oauth = AuthenticationMethod(rawValue: "oauth")
    static let anonymous = AuthenticationMethod(rawValue: "anonymous")
    static let totp = AuthenticationMethod(rawValue: "totp")
    static let phoneFactor = AuthenticationMethod(rawValue: "mfa/phone")
    static let webAuthnFactor = AuthenticationMethod(rawValue: "mfa/webauthn")
    static let passkey = AuthenticationMethod(rawValue: "passkey")

    /// Whether it is a second factor.
    var isSecond: Bool { [.totp, .phoneFactor, .webAuthnFactor].contains(self) }

    /// The method of a flow that a link of this type completes; `nil` for types without a method.
    init?(linkType: String) {
        switch linkType {
        case "signup": self = .emailSignUp
        case "invite": self = .invite
        case "recovery": self = .recovery
        case "magiclink": self = .magicLink
        case "email_change": self = .emailChange
        default: return nil
        }
    }

    init(rawValue: String) { self.rawValue = rawValue }
}
