public import Lockstep

/// The screen that is due.
@MainActor
public enum Screen {
    /// The store has not been read yet: show nothing, or a splash.
    case restoring
    /// The store cannot be read, so that it is unknown who is signed in; it is read again by itself.
    case unavailable(StoreFailure)
    /// No user is signed in: sign-in and sign-up, with the reason where it is one to tell.
    case signedOut(SignOutReason)
    /// A step of a flow is due before a user is signed in; an account whose address is not proven is one, too.
    case step(Step)
    /// A guest.
    case anonymous(Session)
    /// A user.
    case signedIn(Session)

    /// The session of a guest or a user; an account whose address is not proven has none here.
    public var session: Session? {
        switch self {
        case .anonymous(let session), .signedIn(let session): session
        case .restoring, .unavailable, .signedOut, .step: nil
        }
    }

    /// The step, where one is due.
    public var step: Step? { if case .step(let step) = self { step } else { nil } }

    /// Which screen it is.
    public var name: ScreenName {
        switch self {
        case .restoring: .restoring
        case .unavailable: .unavailable
        case .signedOut: .signedOut
        case .step(let step): step.name
        case .anonymous: .anonymous
        case .signedIn: .signedIn
        }
    }
}

/// What a flow asks the user for, with the model that answers it.
@MainActor
public enum Step {
    /// A link or a code, or a passkey.
    case verify(VerificationModel)
    /// A second factor.
    case secondFactor(SecondFactorModel)
    /// A new password.
    case newPassword(NewPasswordModel)
    /// Fields that the provider wants.
    case missingFields(MissingFieldsModel)
    /// A page to open in the browser; the link that comes back goes to ``AuthModel/handle(_:)``.
    case browser(BrowserModel)
    /// A step that this version does not know: tell the user, and let them begin again.
    case unknown(BrowserModel)

    /// Which screen it is.
    public var name: ScreenName {
        switch self {
        case .verify: .verify
        case .secondFactor: .secondFactor
        case .newPassword: .newPassword
        case .missingFields: .missingFields
        case .browser: .browser
        case .unknown: .unknown
        }
    }
}

/// Names of screens, for routers, previews and words.
public enum ScreenName: String, Sendable, Hashable, CaseIterable {
    case restoring, unavailable, signedOut, verify, secondFactor, newPassword, missingFields, browser, unknown, anonymous, signedIn
}
