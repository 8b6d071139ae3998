internal import Lockstep

extension Consequence {
    /// The screens that an app needs, each with its model.
    static let screens: [Consequence] = [
        screen(
            "sign-in (SignInModel)", gone: "no way to sign in is left", shows: "the ways to sign in differ",
            "show what `ways`, `sheetProviders`, `pageProviders` and the `offers…` of `SignInModel` name"),
        screen(
            "sign-up (SignUpModel)", gone: "no account is made by password",
            shows: "the fields of the sign-up differ", "show the `fields` of `SignUpModel`"),
        screen(
            "proof of the address (VerificationModel)", gone: "a sign-up asks for no proof",
            shows: "the screen for the proof of a new address differs",
            "show `takesCode`, `takesLink` and the countdowns of `VerificationModel`"),
        screen(
            "forgotten password (PasswordResetModel)", gone: "a forgotten password cannot be replaced in the app",
            shows: "the form for a forgotten password differs", "look at `PasswordResetModel`"),
        screen(
            "proof of the reset (VerificationModel)", gone: "a reset asks for no proof",
            shows: "what follows the message of a reset differs",
            "show `takesCode` and `takesLink`, and say where `endsOnWebPage` that the user comes back to the sign-in"),
        screen(
            "new password (NewPasswordModel)", gone: "the app has no screen for a new password after a reset",
            shows: "the app needs a screen for a new password after a reset", "show `NewPasswordModel` where it is due"),
        screen(
            "guest (GuestModel)", gone: "there are no guests", shows: "the ways in which a guest stays differ",
            "show what `GuestModel` offers"),
        screen(
            "new device (VerificationModel)", gone: "a new device asks for nothing more",
            shows: "the first sign-in on a device leads to a screen that asks for a proof",
            "show the step that `AuthModel` says is due"),
        screen(
            "account (AccountModel)", gone: "there is nothing to change in the account",
            shows: "what a user can change in the account differs", "show what the `offers…` of `AccountModel` name"),
        screen(
            "deletion (DeletionModel)", gone: "accounts cannot be deleted in the app",
            shows: "the app can delete accounts", "show `DeletionModel` where it is offered"),
        screen(
            "sign in again (ReauthenticationModel)", gone: "no call asks for another sign-in",
            shows: "a sensitive call may ask for another sign-in, whose ways differ", "show the `ways` of `ReauthenticationModel`"
        ),
        screen(
            "second factor (SecondFactorModel)", gone: "no second factor is asked for",
            shows: "the choices of the screen for a second factor differ", "show the `choices` of `SecondFactorModel`"),
    ].flatMap(\.self)

    private static func screen(
        _ name: String, gone: String, shows: String, _ action: String
    ) -> [Consequence] {
        [
            Consequence("screens", name, 27, gone, "leave that screen out", when: { $0 == "not offered" }),
            Consequence("screens", name, 26, shows, action, when: { $0 != "not offered" }),
        ]
    }
}
