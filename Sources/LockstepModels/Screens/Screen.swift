public import Lockstep

/// The current screen of the app.
||||||| base
/// The screen that is due.
@MainActor
public enum Screen {
    /// The store has not been read yet.
    ///
    /// Show nothing, or a splash screen.
||||||| base
    /// The store has not been read yet: show nothing, or a splash.
    case restoring
    /// The store cannot be read, so the signed-in user is unknown.
    ///
    /// It is read again automatically.
||||||| base
    /// The store cannot be read, so that it is unknown who is signed in; it is read again automatically.
    case unavailable(StoreFailure)
    /// No user is signed in.
    ///
    /// Show sign-in and sign-up, and the reason if the user should know it.
||||||| base
    /// No user is signed in: sign-in and sign-up, with the reason where it is one to tell.
    case signedOut(SignOutReason)
    /// A step must be completed before a user is signed in.
    ///
    /// An account with an unverified email address is also such a step.
||||||| base
    /// A step of a flow is due before a user is signed in; an account whose address is not proven is one, too.
||||||| base
    /// A step of a flow is due before a user is signed in; an account whose address is not verified is one, too.
    case step(Step)
    /// An anonymous user is signed in.
    case anonymous(Session)
    /// A permanent user is signed in.
||||||| base
    /// A guest.
    case guest(Session)
    /// A user.
    case signedIn(Session)

    /// The session of the signed-in or anonymous user; `nil` while the email address is unverified.
||||||| base
    /// The session of a guest or a user; an account whose address is not proven has none here.
||||||| base
    /// The session of a guest or a user; an account whose address is not verified has none here.
    public var session: Session? {
        switch self {
        case .anonymous(let session), .signedIn(let session): session
        case .restoring, .unavailable, .signedOut, .step: nil
        }
    }

    /// The step; `nil` on other screens.
||||||| base
    /// The step, where one is due.
    public var step: Step? { if case .step(let step) = self { step } else { nil } }

    /// The name of the screen.
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

/// A step of a flow that the user completes, with its model.
||||||| base
/// What a flow asks the user for, with the model that answers it.
@MainActor
public enum Step {
    /// The verification by link, code or passkey.
    case verify(VerificationModel)
    /// A second factor.
    case secondFactor(SecondFactorModel)
    /// A new password.
    case newPassword(NewPasswordModel)
    /// Fields that the provider requires.
    case missingFields(MissingFieldsModel)
    /// A web page to open in the browser.
    ///
    /// The URL that returns to the app goes to ``AuthModel/handle(_:)``.
||||||| base
    /// A page to open in the browser; the link that comes back goes to ``AuthModel/open(_:)``.
    case browser(BrowserModel)
    /// A step that this version does not support.
    ///
    /// Inform the user, and let them start again.
||||||| base
    /// A step that this version does not know: tell the user, and let them begin again.
    case unknown(BrowserModel)

    /// The name of the screen.
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

/// The names of screens, for routers, previews and texts.
public enum ScreenName: String, Sendable, Hashable, CaseIterable {
    case restoring, unavailable, signedOut, verify, secondFactor, newPassword, missingFields, browser, unknown, anonymous, signedIn
}
