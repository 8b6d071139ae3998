internal import Lockstep

extension Consequence {
    /// Consequences for the screens of an app, each with its model.
    static let screens: [Consequence] = [
        screen(
            "sign-in (SignInModel)", gone: "users cannot sign in", shows: "the ways to sign in differ",
            "show `ways`, `sheetProviders`, `pageProviders` and the `offers…` of `SignInModel`"),
        screen(
            "sign-up (SignUpModel)", gone: "users cannot sign up with a password",
            shows: "the fields of the sign-up differ", "show the `fields` of `SignUpModel`"),
        screen(
            "verify the address (VerificationModel)", gone: "a sign-up requires no verification",
            shows: "the screen that verifies a new address differs",
            "show `takesCode`, `takesLink` and the countdowns of `VerificationModel`"),
        screen(
            "forgotten password (PasswordResetModel)", gone: "users cannot reset a forgotten password in the app",
            shows: "the form for a forgotten password differs", "show the fields of `PasswordResetModel`"),
        screen(
            "verify the reset (VerificationModel)", gone: "a reset requires no verification",
            shows: "the screen after the reset message differs",
            "show `takesCode` and `takesLink`; with `endsOnWebPage`, say that the user must sign in afterwards"),
        screen(
            "new password (NewPasswordModel)", gone: "the app needs no screen for a new password after a reset",
            shows: "the app needs a screen for a new password after a reset", "show `NewPasswordModel` when it is due"),
        screen(
            "guest (AnonymousUserModel)", gone: "guests are not supported", shows: "the ways to keep a guest's data differ",
            "show what `AnonymousUserModel` offers"),
        screen(
            "new device (VerificationModel)", gone: "a new device requires no extra step",
            shows: "the first sign-in on a device requires a verification",
            "show the step of `AuthModel`"),
        screen(
            "account (AccountModel)", gone: "users cannot change their account",
            shows: "the changes that users can make to their account differ", "show the `offers…` of `AccountModel`"),
        screen(
            "deletion (DeletionModel)", gone: "users cannot delete accounts in the app",
            shows: "users can delete accounts in the app", "show `DeletionModel` if it is offered"),
        screen(
            "sign in again (ReauthenticationModel)", gone: "no call requires a new sign-in",
            shows: "the ways to sign in again before a sensitive call differ", "show the `ways` of `ReauthenticationModel`"
        ),
        screen(
            "second factor (SecondFactorModel)", gone: "a second factor is not required",
            shows: "the choices on the second-factor screen differ", "show the `choices` of `SecondFactorModel`"),
    ].flatMap(\.self)

    private static func screen(
        _ name: String, gone: String, shows: String, _ action: String
    ) -> [Consequence] {
        [
            Consequence("screens", name, 27, gone, "remove that screen", when: { $0 == "not offered" }),
            Consequence("screens", name, 26, shows, action, when: { $0 != "not offered" }),
        ]
    }
}
