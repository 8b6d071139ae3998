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

extension AuthStep {
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
        case (nil, nil): "no link, no code"
        case (_?, nil): "a link, no code"
        case (nil, _?): "a code, no link"
        case (_?, _?): "a link and a code"
        }
    }
}
