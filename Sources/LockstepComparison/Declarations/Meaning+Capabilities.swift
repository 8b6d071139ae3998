internal import Lockstep

extension Meaning {
    /// Returns the meaning of gaining or losing a capability, even if no text exists for it.
    static func of(capability name: String) -> Meaning {
        let found = capabilities.first { $0.capability.rawValue == name }
        let capability = found?.capability ?? Capability(rawValue: name)
        let gain = Value("yes", "yes", 4, "the app can offer more", "offer the new feature if it helps your users")
        let loss =
            found?.loss
            ?? Loss(37, "the app cannot offer this, because the call fails with `unsupported` before it sends a request")
        return Meaning(
            "can:\(name)", found?.title ?? "The capability \(name.inWords)",
            [
                gain,
                Value(
                    "no", "no", loss.cost, loss.consequence, loss.action,
                    call: loss.call ?? (loss.isButton ? Loss.hiding(capability) : nil)),
            ])
    }

    private struct Loss {
        let cost: Cost
        let consequence: String
        let action: String
        var call: String?
        /// Whether the app has a button for it.
        var isButton = true

        init(
            _ cost: Cost, _ consequence: String, _ action: String = "show the button only if the adapter supports the feature",
            call: String? = nil, isButton: Bool = true
        ) {
            self.isButton = isButton
            self.cost = cost
            self.consequence = consequence
            self.action = action
            self.call = call
        }

        static let wayIn = Loss(
            64, "users who sign in this way are locked out, because the call fails with `unsupported` before it sends a request",
            "give these users another way to sign in before the move")

        static func account(_ cost: Cost) -> Loss {
            Loss(
                cost, "the app cannot offer this, because the call fails with `unsupported` before it sends a request",
                "do this on your server, and show the button only if the adapter supports the feature")
        }

        static func hiding(_ capability: Capability) -> String {
            "if auth.capabilities.contains(.\(capability.rawValue)) { screen.showButton() }"
        }
    }

    private static let capabilities: [(capability: Capability, title: String, loss: Loss)] = [
        (.password, "Sign-in with a password", .wayIn),
        (.emailLinkSignIn, "Sign-in with an e-mail link", .wayIn),
        (.emailCodeSignIn, "Sign-in with an e-mail code", .wayIn),
        (.phoneCode, "Sign-in with an SMS code", .wayIn),
        (
            .anonymous, "Guests",
            Loss(
                64, "new users cannot start anonymously, and existing anonymous users are locked out",
                "ask the user to sign in earlier, and keep an anonymous user's data on the device")
        ),
        (.idToken, "Sign-in with an identity provider's ID token", .wayIn),
        (.oauth, "Sign-in on an identity provider's pages", .wayIn),
        (.ticket, "Sign-in with a ticket from your server", .wayIn),
        (.passkey, "Sign-in with a passkey", .wayIn),
        (
            .confirmationCode, "Verifying an address with a code",
            Loss(
                43, "an address cannot be verified with a code", "hide the code field, and handle the verification link",
                call: "if !challenge.accepts.contains(.code) { screen.hideField() }")
        ),
        (
            .confirmationLink, "Verifying an address with a link",
            Loss(
                47, "the app receives no verification link", "show a field for the code",
                call: "if challenge.accepts.contains(.code) { screen.showField() }")
        ),
        (
            .poll, "Waiting for verification on another device",
            Loss(
                57, "a screen that waits for verification on another device waits forever",
                "let the user open the link, or type the code",
                call: "if challenge.accepts.contains(.poll) { screen.startPolling() }")
        ),
        (
            .secondFactor, "A second factor at sign-in",
            Loss(
                76, "users who had a second factor sign in with a password alone", "inform these users before the move",
                isButton: false)
        ),
        (
            .backupCode, "A backup code as a second factor",
            Loss(
                45, "a user who lost the second factor cannot sign in with a backup code",
                "let your support team remove lost factors", isButton: false
            )
        ),
        (
            .newPasswordStep, "A sign-in that requires a new password",
            Loss(
                14, "this step never occurs", "you can keep the screen",
                call: "if case .newPassword(let next) = step { screen.show(next) }")
        ),
        (
            .requirements, "A sign-up that requires more fields",
            Loss(
                26, "this step never occurs, because a sign-up completes without the fields",
                "ask for the missing fields on your own screen",
                call: "if case .moreInformation(let missing) = step { screen.show(missing) }")
        ),
        (
            .captcha, "A captcha",
            Loss(
                59, "the app cannot pass a captcha, so no user can sign in if the project requires a captcha",
                "turn off the captcha for the app", isButton: false)
        ),
        (.passwordReset, "Resetting a forgotten password", .account(64)),
        (.displayName, "Changing the name", .account(37)),
        (.photo, "Changing the photo", .account(37)),
        (.photoUpload, "Uploading a photo", .account(36)),
        (.userMetadata, "Changing the user's own metadata", .account(37)),
        (.passwordChange, "Changing the password", .account(64)),
        (.emailChange, "Changing the address", .account(64)),
        (.linking, "Linking additional identities", .account(50)),
        (
            .factorEnrolment, "Adding a second factor in the app",
            Loss(
                76, "users cannot add a second factor in the app, and existing factors are not moved",
                "let users add a factor on the backend's own pages, or do without second factors")
        ),
        (
            .backupCodeRenewal, "Creating new backup codes",
            Loss(
                44,
                "users cannot create new backup codes in the app, because the call fails with `unsupported` before it sends a request",
                "let users add a different kind of second factor")
        ),
        (.passkeyManagement, "Listing and removing passkeys", .account(48)),
        (
            .passkeyRenaming, "Renaming passkeys",
            Loss(
                22, "a passkey keeps its original name, because the call fails with `unsupported` before it sends a request",
                "show the names, but do not let users edit them")
        ),
        (
            .organizations, "Organizations, and the active organization of a session",
            Loss(
                73, "the access token does not name an organization, so servers reject requests from the organization's members",
                "keep the members on your server, and send the organization with each request")
        ),
        (.reauthentication, "Signing in again before a sensitive call", .account(58)),
        (.accountDeletion, "Deleting the account in the app", .account(69)),
        (
            .signOutOthers, "Signing out the user's other devices",
            Loss(53, "the app cannot end the user's other sessions", "end these sessions on your server, with the admin API")
        ),
        (
            .signOutEverywhere, "Signing out everywhere",
            Loss(54, "the app cannot end all sessions of the user", "end these sessions on your server, with the admin API")
        ),
    ]
}
