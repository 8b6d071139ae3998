internal import Lockstep
public import LockstepPrimitives

/// A proof for Firebase that an SMS request comes from the real app or from a human user.
///
/// The app gets the proof from its platform. Each proof is valid for one SMS, except ``unproven`` (Identity Platform's
/// REST reference, `sendVerificationCode`).
///
/// ```swift
/// var configuration = try FirebaseConfiguration(key: "AIza…")
/// configuration.appProof = { phone in .unproven }     // sufficient for test numbers and an emulator
/// ```
public enum AppProof: Sendable, Hashable {
    /// The platform on which a token of reCAPTCHA Enterprise was created.
    public enum Client: String, Sendable, Hashable {
        /// A web page.
        case web = "CLIENT_TYPE_WEB"
        /// An app on Android.
        case android = "CLIENT_TYPE_ANDROID"
        /// An app on an Apple platform.
        case apple = "CLIENT_TYPE_IOS"
    }

    /// The solution of a reCAPTCHA on a web page.
    case recaptcha(Secret)
    /// A token of reCAPTCHA Enterprise, if the project requires one.
    case recaptchaEnterprise(Secret, client: Client)
    /// The receipt that `verifyClient` returned, and the secret that the app then received in a push notification
    /// (APNs).
    case notification(receipt: Secret, secret: Secret)
    /// A token of Play Integrity.
    case playIntegrity(Secret)
    /// No proof.
    ///
    /// This is sufficient for an emulator and for the project's test phone numbers.
    case unproven

    /// The members that the proof adds to a request for an SMS.
    var members: JSONObject {
        switch self {
        case .recaptcha(let token): ["recaptchaToken": .string(token.reveal())]
        case .recaptchaEnterprise(let token, let client):
            [
                "captchaResponse": .string(token.reveal()), "clientType": .string(client.rawValue),
                "recaptchaVersion": "RECAPTCHA_ENTERPRISE",
            ]
        case .notification(let receipt, let secret):
            ["iosReceipt": .string(receipt.reveal()), "iosSecret": .string(secret.reveal())]
        case .playIntegrity(let token): ["playIntegrityToken": .string(token.reveal())]
        case .unproven: [:]
        }
    }

    /// The values of the proof that no log may contain.
    var secrets: [Secret] {
        switch self {
        case .recaptcha(let token), .recaptchaEnterprise(let token, _), .playIntegrity(let token): [token]
        case .notification(let receipt, let secret): [receipt, secret]
        case .unproven: []
        }
    }
}

extension FirebaseAPI {
    /// Returns the members of a request with a token of reCAPTCHA Enterprise, if the app has passed one for the
    /// request.
    ///
    /// - `name`: The name of the member with the token; `accounts:sendOobCode` calls it `captchaResp` (Google's
    ///   `GetOobCodeRequest`).
    func captcha(in flow: FlowMemory, as name: String = "captchaResponse") -> JSONObject {
        guard let token = flow.takeCaptcha() else { return [:] }
        return [
            name: .string(token.reveal()), "clientType": .string(configuration.captchaClient.rawValue),
            "recaptchaVersion": "RECAPTCHA_ENTERPRISE",
        ]
    }
}

extension JSONObject {
    /// Returns the object with additional members.
    func adding(_ members: JSONObject) -> JSONObject {
        var copy = self
        for (name, value) in members { copy[name] = value }
        return copy
    }
}
