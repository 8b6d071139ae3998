internal import Lockstep

extension Meaning {
    /// What it means to gain or lose a capability, also for one that has no words yet.
    static func of(capability name: String) -> Meaning {
        let found = capabilities.first { $0.capability.rawValue == name }
        let capability = found?.capability ?? Capability(rawValue: name)
        let gain = Value("yes", "yes", 4, "there is more that the app can offer", "offer it where it helps")
        let loss = found?.loss ?? Loss(37, "the app cannot offer it: the call is refused as `unsupported`, before any request")
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
            _ cost: Cost, _ consequence: String, _ action: String = "show the button only where the adapter has it",
            call: String? = nil, isButton: Bool = true
        ) {
            self.isButton = isButton
            self.cost = cost
            self.consequence = consequence
            self.action = action
            self.call = call
        }

        static let wayIn = Loss(
            64, "users who came in by this way have no way in: the call is refused as `unsupported`, before any request",
            "give these users another way before the move")

        static func account(_ cost: Cost) -> Loss {
            Loss(
                cost, "the app cannot offer it: the call is refused as `unsupported`, before any request",
                "do it on your server, and show the button only where the adapter has it")
        }

        static func hiding(_ capability: Capability) -> String {
            "if auth.capabilities.contains(.\(capability.rawValue)) { screen.showButton() }"
        }
    }

    private static let capabilities: [(capability: Capability, title: String, loss: Loss)] = [
        (.password, "Sign-in by password", .wayIn),
        (.emailLinkSignIn, "Sign-in by a link by e-mail", .wayIn),
        (.emailCodeSignIn, "Sign-in by a code by e-mail", .wayIn),
        (.phoneCode, "Sign-in by a code by SMS", .wayIn),
        (
            .anonymous, "Guests",
            Loss(
                64, "there are no guests, and those who are there have no way in",
                "ask for a sign-in earlier, and keep a guest's data on the device")
        ),
        (.idToken, "Sign-in by an identity provider's ID token", .wayIn),
        (.oauth, "Sign-in through an identity provider's pages", .wayIn),
        (.ticket, "Sign-in by a ticket of your server", .wayIn),
        (.passkey, "Sign-in by a passkey", .wayIn),
        (
            .confirmationCode, "A code that proves an address",
            Loss(
                43, "no code proves an address", "hide the field, and take the link back",
                call: "if !challenge.accepts.contains(.code) { screen.hideField() }")
        ),
        (
            .confirmationLink, "A link that proves an address",
            Loss(
                47, "no link that proves an address comes back to the app", "show a field for the code",
                call: "if challenge.accepts.contains(.code) { screen.showField() }")
        ),
        (
            .poll, "Asking whether a proof was given elsewhere",
            Loss(
                57, "a screen that waits for a proof given elsewhere waits for ever",
                "let the user come back by the link, or type the code",
                call: "if challenge.accepts.contains(.poll) { screen.startPolling() }")
        ),
        (
            .secondFactor, "A second factor at sign-in",
            Loss(76, "a password is enough for users who had a second factor", "tell them before the move", isButton: false)
        ),
        (
            .backupCode, "A backup code as second factor",
            Loss(
                45, "a user who has lost the second factor has no backup code to come in by",
                "let your support take factors away", isButton: false
            )
        ),
        (
            .newPasswordStep, "A sign-in that demands a new password",
            Loss(
                14, "that step never comes", "its screen may stay",
                call: "if case .newPassword(let next) = step { screen.show(next) }")
        ),
        (
            .requirements, "A sign-up that asks for further fields",
            Loss(
                26, "that step never comes: a sign-up is done without the fields", "ask for them on a screen of your own",
                call: "if case .moreInformation(let missing) = step { screen.show(missing) }")
        ),
        (
            .captcha, "A captcha that the backend asks for",
            Loss(
                59, "no call can give a captcha: a project that asks for one lets no user in from the app",
                "switch the captcha off for the app", isButton: false)
        ),
        (.passwordReset, "Replacing a forgotten password", .account(64)),
        (.displayName, "Changing the name", .account(37)),
        (.photo, "Changing the photo", .account(37)),
        (.photoUpload, "Uploading a photo", .account(36)),
        (.userMetadata, "Changing the user's own metadata", .account(37)),
        (.passwordChange, "Changing the password", .account(64)),
        (.emailChange, "Changing the address", .account(64)),
        (.linking, "Linking further identities", .account(50)),
        (
            .factorEnrolment, "Adding a second factor in the app",
            Loss(
                76, "users cannot add a second factor in the app, and none is moved along",
                "let them add it on the backend's own pages, or do without")
        ),
        (
            .backupCodeRenewal, "Making new backup codes",
            Loss(
                44,
                "users cannot have new backup codes made in the app: the call is refused as `unsupported`, before any request",
                "let users add a second factor of another kind beside the first")
        ),
        (.passkeyManagement, "Listing and removing passkeys", .account(48)),
        (
            .passkeyRenaming, "Renaming passkeys",
            Loss(
                22, "a passkey keeps the name that it was made with: the call is refused as `unsupported`, before any request",
                "show the names, and no field for them")
        ),
        (
            .organizations, "Organizations, and the session's active one",
            Loss(
                73, "no organization stands in the access token: what a server grants to an organization's members is refused",
                "keep the members of an organization on your server, and let the app say which one a request is about")
        ),
        (.reauthentication, "Signing in again for a sensitive call", .account(58)),
        (.accountDeletion, "Deleting the account in the app", .account(69)),
        (
            .signOutOthers, "Signing out the user's other devices",
            Loss(53, "the app cannot end the user's other sessions", "do it on your server, by the administrator's API")
        ),
        (
            .signOutEverywhere, "Signing out everywhere",
            Loss(54, "the app cannot end all sessions of the user", "do it on your server, by the administrator's API")
        ),
    ]
}
