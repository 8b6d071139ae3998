internal import Lockstep

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

extension Set<ChallengeResponse.Kind> {
    /// The kinds in their order, joined.
    var words: String { isEmpty ? "nothing" : sorted().map(\.rawValue).joined(separator: ", ") }
}
