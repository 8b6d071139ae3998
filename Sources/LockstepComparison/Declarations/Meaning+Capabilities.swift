internal import Lockstep

extension Meaning {
    /// Returns the meaning of gaining or losing a capability, even if no text exists for it.
    static func of(capability name: String) -> Meaning {
        let found = capabilities.first { $0.capability.rawValue == name }
        let capability = found?.capability ?? Capability(rawValue: name)
        let gain = Value("yes", "yes", 4, .none, "the app can offer more", "offer the new feature if it helps your users")
        let loss = found?.loss ?? .account(37)
        let title = found?.title ?? "The capability \(name.inWords)"
        return Meaning(
            "can:\(name)", title,
            [
                gain,
                Value(
                    "no", "no", loss.cost, loss.effort,
                    loss.consequence ?? "\(title) \(loss.isWayIn ? Loss.lockedOut : Loss.fails)",
                    loss.action,
                    call: loss.call ?? (loss.isButton ? Loss.hiding(capability) : nil)),
            ])
    }

    /// Returns the name of a capability whose loss leaves users without a replacement; `nil` if there is one.
    static func lost(capability name: String) -> String? {
        guard let found = capabilities.first(where: { $0.capability.rawValue == name }) else { return name.inWords }
        return found.loss.isReplaced ? nil : found.title.prefix(1).lowercased() + found.title.dropFirst()
    }

    private struct Loss {
        static let fails = "is not possible: the call fails with `unsupported` before it sends a request"
        static let lockedOut = "is not possible: users who sign in only this way are locked out"

        let cost: Cost
        let effort: Effort
        /// The consequence; `nil` if it is only that the call fails.
        let consequence: String?
        let action: String
        var call: String?
        /// Whether the app has a button for it.
        let isButton: Bool
        /// Whether users reach the same goal in another way, such as with a code instead of a link.
        let isReplaced: Bool
        var isWayIn = false

        init(
            _ cost: Cost, _ effort: Effort, _ consequence: String?, _ action: String, call: String? = nil, isButton: Bool = true,
            isReplaced: Bool = false
        ) {
            self.isButton = isButton
            self.isReplaced = isReplaced
            self.cost = cost
            self.effort = effort
            self.consequence = consequence
            self.action = action
            self.call = call
        }

        static let wayIn: Loss = {
            var loss = Loss(64, .server, nil, "give these users another way to sign in before the move")
            loss.isWayIn = true
            return loss
        }()

        static func account(_ cost: Cost) -> Loss {
            Loss(
                cost, .server, nil,
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
            .anonymous, "Anonymous users",
            Loss(
                64, .screen, "new users cannot start anonymously, and existing anonymous users are locked out",
                "ask the user to sign in earlier, and keep an anonymous user's data on the device")
        ),
        (.idToken, "Sign-in with an identity provider's ID token", .wayIn),
        (.oauth, "Sign-in on an identity provider's pages", .wayIn),
        (.ticket, "Sign-in with a ticket from your server", .wayIn),
        (.passkey, "Sign-in with a passkey", .wayIn),
        (
            .confirmationCode, "Verifying an address with a code",
            Loss(
                43, .screen, "an address cannot be verified with a code", "hide the code field, and handle the verification link",
                call: "if !challenge.accepts.contains(.code) { screen.hideField() }", isReplaced: true)
        ),
        (
            .confirmationLink, "Verifying an address with a link",
            Loss(
                47, .screen, "the app receives no verification link", "show a field for the code",
                call: "if challenge.accepts.contains(.code) { screen.showField() }", isReplaced: true)
        ),
        (
            .poll, "Waiting for verification on another device",
            Loss(
                57, .screen, "a screen that waits for verification on another device waits forever",
                "let the user open the link, or type the code",
                call: "if challenge.accepts.contains(.poll) { screen.startPolling() }", isReplaced: true)
        ),
        (
            .secondFactor, "A second factor at sign-in",
            Loss(
                76, .screen, "users who had a second factor sign in with a password alone", "inform these users before the move",
                isButton: false)
        ),
        (
            .backupCode, "A backup code as a second factor",
            Loss(
                45, .server, "a user who lost the second factor cannot sign in with a backup code",
                "let your support team remove lost factors", isButton: false
            )
        ),
        (
            .newPasswordStep, "A sign-in that requires a new password",
            Loss(
                14, .none, "this step never occurs", "you can keep the screen",
                call: "if case .newPassword(let next) = step { screen.show(next) }", isReplaced: true)
        ),
        (
            .requirements, "A sign-up that requires more fields",
            Loss(
                26, .screen, "this step never occurs, because a sign-up completes without the fields",
                "ask for the missing fields on your own screen",
                call: "if case .moreInformation(let missing) = step { screen.show(missing) }", isReplaced: true)
        ),
        (
            .captcha, "A captcha",
            Loss(
                59, .setting, "the app cannot pass a captcha, so no user can sign in if the project requires a captcha",
                "turn off the captcha for the app", isButton: false, isReplaced: true)
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
                76, .screen, "users cannot add a second factor in the app, and existing factors are not moved",
                "let users add a factor on the backend's own pages, or do without second factors")
        ),
        (
            .backupCodeRenewal, "Creating new backup codes",
            Loss(
                44, .screen,
                "users cannot create new backup codes in the app, because the call fails with `unsupported` before it sends a request",
                "let users add a different kind of second factor")
        ),
        (.passkeyManagement, "Listing and removing passkeys", .account(48)),
        (
            .passkeyRenaming, "Renaming passkeys",
            Loss(
                22, .screen,
                "a passkey keeps its original name, because the call fails with `unsupported` before it sends a request",
                "show the names, but do not let users edit them")
        ),
        (
            .organizations, "Organizations, and the active organization of a session",
            Loss(
                73, .server,
                "the access token does not name an organization, so servers reject requests from the organization's members",
                "keep the members on your server, and send the organization with each request")
        ),
        (.reauthentication, "Signing in again before a sensitive call", .account(58)),
        (.accountDeletion, "Deleting the account in the app", .account(69)),
        (
            .signOutOthers, "Signing out the user's other devices",
            Loss(
                53, .server, "the app cannot end the user's other sessions",
                "end these sessions on your server, with the admin API")
        ),
        (
            .signOutEverywhere, "Signing out everywhere",
            Loss(
                54, .server, "the app cannot end all sessions of the user",
                "end these sessions on your server, with the admin API")
        ),
    ]
}
