internal import LockstepPrimitives

/// A session, with the methods that it was proven by.
struct Session: Sendable {
    struct Proof: Sendable {
        var method: AuthenticationMethod
        var at: Instant
    }

    var id: String
    var userID: String
    var factorID: String?
    /// Signs version 2 refresh tokens, in hexadecimal.
    var refreshKey: String?
    var refreshCounter: Int64?
    var refreshedAt: Instant?
    var createdAt: Instant
    /// The order of creation.
    var row: Int64 = 0
    /// Newest first.
    var proofs: [Proof] = []

    var isSecondFactor: Bool { proofs.contains { $0.method.isSecond } }
    var assurance: String { isSecondFactor ? "aal2" : "aal1" }

    func isProven(by methods: [AuthenticationMethod]) -> Bool { proofs.contains { methods.contains($0.method) } }
}

/// A version 1 refresh token.
struct RefreshToken: Sendable {
    var id: Int64
    var token: String
    var parent: String?
    var userID: String
    var sessionID: String
    var isRevoked: Bool
    var updatedAt: Instant
}

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
