internal import Lockstep

extension Consequence {
    /// Consequences for the screens of an app, each with its model.
    static let screens: [Consequence] = [
        screen(
            "sign-in (SignInModel)", gone: "users cannot sign in", shows: "the sign-in screen has different sign-in methods",
            "show `ways`, `sheetProviders` and `pageProviders` of `SignInModel`, and the buttons for its true `offers…` properties"
        ),
        screen(
            "sign-up (SignUpModel)", gone: "users cannot sign up with a password",
            shows: "the sign-up form has different fields", "show the `fields` of `SignUpModel`"),
        screen(
            "verify the address (VerificationModel)", gone: "a sign-up requires no verification",
            shows: "the screen for verifying a new address is different",
            "follow `takesCode` and `takesLink` of `VerificationModel`, and show its countdowns"),
        screen(
            "forgotten password (PasswordResetModel)", gone: "users cannot reset a forgotten password in the app",
            shows: "the form for a forgotten password has different fields", "show the fields of `PasswordResetModel`"),
        screen(
            "verify the reset (VerificationModel)", gone: "a reset requires no verification",
            shows: "the screen that follows the reset message is different",
            "follow `takesCode` and `takesLink`; if `endsOnWebPage` is true, say that the user must sign in afterwards"),
        screen(
            "new password (NewPasswordModel)", gone: "the app needs no screen for a new password after a reset",
            shows: "the app needs a screen for a new password after a reset",
            "show a screen for `NewPasswordModel` after the reset"),
        screen(
            "anonymous user (AnonymousUserModel)", gone: "anonymous users are not supported",
            shows: "the ways to keep an anonymous user's data are different",
            "show a button for each way that `AnonymousUserModel` offers"),
        screen(
            "new device (VerificationModel)", gone: "a new device requires no extra step",
            shows: "the first sign-in on a device requires a verification",
            "show the step of `AuthModel`"),
        screen(
            "account (AccountModel)", gone: "users cannot change their account",
            shows: "the account screen offers different changes",
            "show a button for each true `offers…` property of `AccountModel`"),
        screen(
            "deletion (DeletionModel)", gone: "users cannot delete accounts in the app",
            shows: "users can delete accounts in the app", "show `DeletionModel` if it is offered"),
        screen(
            "sign in again (ReauthenticationModel)", gone: "no call requires a new sign-in",
            shows: "the ways to sign in again before a sensitive call are different", "show the `ways` of `ReauthenticationModel`"
        ),
        screen(
            "second factor (SecondFactorModel)", gone: "a second factor is not required",
            shows: "the second-factor screen offers different choices", "show the `choices` of `SecondFactorModel`"),
    ].flatMap(\.self)

    private static func screen(
        _ name: String, gone: String, shows: String, _ action: String
    ) -> [Consequence] {
        [
            Consequence("screens", name, 27, .screen, gone, "remove that screen", when: { $0 == "not offered" }),
            Consequence("screens", name, 26, .screen, shows, action, when: { $0 != "not offered" }),
        ]
    }
}
