public import Lockstep

/// The current screen of the app.
///
/// ```swift
/// switch auth.screen {
/// case .signedIn(let session): print("signed in as \(session.user.id)")
/// case .signedOut: print("show the sign-in")
/// case .step(let step): print("show the step \(step.name)")
/// case .anonymous, .restoring, .unavailable: print(auth.screen.name)
/// }
/// ```
@MainActor
public enum Screen {
    /// The store has not been read yet.
    ///
    /// Show an empty screen, or a splash screen.
    case restoring
    /// The store cannot be read, so it is unknown whether a user is signed in.
    ///
    /// The client reads the store again automatically.
    case unavailable(StoreFailure)
    /// No user is signed in.
    ///
    /// Show the forms for sign-in and sign-up, and the reason if the user should know it.
    case signedOut(SignOutReason)
    /// The user must complete a step before the sign-in is complete.
    ///
    /// The verification of an unverified email address is also such a step.
    case step(Step)
    /// An anonymous user is signed in.
    case anonymous(Session)
    /// A permanent user is signed in.
    case signedIn(Session)

    /// The session of the signed-in or anonymous user; `nil` on all other screens.
    public var session: Session? {
        switch self {
        case .anonymous(let session), .signedIn(let session): session
        case .restoring, .unavailable, .signedOut, .step: nil
        }
    }

    /// The step; `nil` on all other screens.
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

/// A step of a flow that the user must complete, with the model of its screen.
///
/// ```swift
/// if let step = auth.step { print(AuthStrings.english.sentence(for: step)) }
/// ```
@MainActor
public enum Step {
    /// The user must complete a verification with a link, a code or a passkey.
    case verify(VerificationModel)
    /// The user must complete a second factor.
    case secondFactor(SecondFactorModel)
    /// The user must set a new password.
    case newPassword(NewPasswordModel)
    /// The user must enter fields that the provider requires.
    case missingFields(MissingFieldsModel)
    /// The user must continue on a web page in the browser.
    ///
    /// Finally the page opens the app with a URL, which the app passes to ``AuthModel/handle(_:)``.
    case browser(BrowserModel)
    /// A step that this version does not support.
    ///
    /// Inform the user, and let the user start again.
    case unknown(BrowserModel)

    /// The name of the step's screen.
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
