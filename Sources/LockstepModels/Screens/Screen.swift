public import Lockstep

/// The current screen of the app.
@MainActor
public enum Screen {
    /// The store has not been read yet.
    ///
    /// Show nothing, or a splash screen.
    case restoring
    /// The store cannot be read, so the signed-in user is unknown.
    ///
    /// It is read again automatically.
    case unavailable(StoreFailure)
    /// No user is signed in.
    ///
    /// Show sign-in and sign-up, and the reason if the user should know it.
    case signedOut(SignOutReason)
    /// A step must be completed before a user is signed in.
    ///
    /// An account with an unverified email address is also such a step.
    case step(Step)
    /// An anonymous user is signed in.
    case anonymous(Session)
    /// A permanent user is signed in.
    case signedIn(Session)

    /// The session of the signed-in or anonymous user; `nil` while the email address is unverified.
    public var session: Session? {
        switch self {
        case .anonymous(let session), .signedIn(let session): session
        case .restoring, .unavailable, .signedOut, .step: nil
        }
    }

    /// The step; `nil` on other screens.
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
    case browser(BrowserModel)
    /// A step that this version does not support.
    ///
    /// Inform the user, and let them start again.
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
    case restoring, unavailable, signedOut, verify, secondFactor, newPassword, missingFields, browser, unknown, anonymous,
        signedIn
}
