internal import Lockstep
internal import LockstepContracts

extension AuthState {
    /// The state in one word.
    var word: String {
        switch self {
        case .restoring: "restoring"
        case .signedOut: "signedOut"
        case .anonymous: "anonymous"
        case .unverified: "unverified"
        case .signedIn: "signedIn"
        case .unavailable: "unavailable"
        }
    }
}

extension SignInStep {
    /// The step in one word.
    var word: String {
        switch self {
        case .complete: "complete"
        case .verify: "verify"
        case .secondFactor: "secondFactor"
        case .newPassword: "newPassword"
        case .redirect: "redirect"
        case .moreInformation: "moreInformation"
        case .identityConflict: "identityConflict"
        case .other: "other"
        }
    }
}

extension SentMessage {
    /// The parts of the message that the recipient can use.
    var words: String {
        switch (link, code) {
        case (nil, nil): "one, without link or code"
        case (_?, nil): "one with a link"
        case (nil, _?): "one with a code"
        case (_?, _?): "one with a link and a code"
        }
    }
}
