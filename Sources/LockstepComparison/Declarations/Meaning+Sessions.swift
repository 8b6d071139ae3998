extension Meaning {
    /// Sessions: how they end, and what is left of their tokens.
    static let sessions = [
        Meaning(
            "tokenOfCalls", "The client's own calls to the backend",
            [
                Value(
                    "accessToken", "show the access token", 10,
                    "a dead access token is noticed by the client's own calls, which then renew it"),
                Value(
                    "refreshToken", "show the session's long-lived token", 24,
                    "a proxy in front of the backend sees a secret that lives for months", "keep it out of the proxy's logs"),
            ]),
        Meaning(
            "accessTokenAfterSignOut", "The access token after a sign-out",
            [
                Value(
                    "dies", "is refused by the backend at once", 19,
                    "a request of the app that is still on its way at the sign-out gets a 401", "drop such answers"),
                Value(
                    "livesUntilExpiry", "is taken until it expires", 78,
                    "your servers take the token of a user who has signed out, until it expires",
                    "ask the backend where it matters, or keep a list of ended sessions by the claim `sid` or `session_id`"),
                Value(
                    "lives", "is taken for good", 92, "a copied token works after a sign-out, for ever",
                    "do not move with this setting"),
            ]),
        Meaning(
            "refreshTokenAfterSignOut", "The refresh token after a sign-out",
            [
                Value("dies", "is dead", 8, "a sign-out ends the session at the backend too"),
                Value(
                    "livesUntilExpiry", "is taken until it expires", 82, "a copied refresh token outlives a sign-out",
                    "end sessions from your server"),
                Value(
                    "lives", "still gives new tokens", 86,
                    "a sign-out ends the session on this device only: a copied refresh token goes on working",
                    "end the user's sessions from your server, through the backend's administrator API, when the user signs out"),
            ]),
        ended(
            "sessionOfDeletedUser", "A session whose user was deleted by an administrator", unlike: "userDeleted",
            "the screen for a deleted account is not shown; the user is only signed out",
            goesOn: "a deleted user stays signed in on every device"),
        ended(
            "sessionOfDisabledUser", "A session whose user was disabled by an administrator", unlike: "userDisabled",
            "the screen for a blocked account is not shown; the user is only signed out, and the next sign-in tells why",
            goesOn: "a blocked user stays signed in on every device"),
        ended(
            "endedSession", "A session that an administrator has ended", unlike: "revoked",
            "the app gets another reason for the sign-out", goesOn: "ending a session at the backend does not sign the device out"
        ),
        ended(
            "sessionAfterNewPassword", "A session whose user was given a new password by an administrator",
            unlike: "credentialChanged", "the app cannot say that the password was changed; it says that the session has ended",
            goesOn: "a person who knew the old password stays signed in after it was changed"),
        ended(
            "sessionAfterReset", "Another session of a user who has replaced a forgotten password", unlike: "credentialChanged",
            "the app cannot say that the password was replaced; it says that the session has ended",
            goesOn: "a person who knew the forgotten password stays signed in after it was replaced",
            "end the user's other sessions after the reset", call: "try await auth.signOut(.others)", needs: .signOutOthers),
        ended(
            "sessionWithSpentToken", "A session whose refresh token another client has used", unlike: "goesOn",
            "two clients that share one refresh token, as a copy of the store or a server beside the app does, are both signed out",
            goesOn: "a stolen refresh token is not noticed: thief and user go on side by side", costs: 58,
            "sign out everywhere when a device is lost", call: "try await auth.signOut(.everywhere)", needs: .signOutEverywhere),
        ended(
            "sessionAfterLostRefresh", "A session whose refresh succeeded while the answer was lost on the way", unlike: "goesOn",
            "a user on a bad network is signed out once in a while",
            goesOn: "a lost answer costs nothing: the next try gets tokens",
            costs: 6, ""),
        ended(
            "sessionsAfterPasswordChange", "The user's other sessions after the password was changed",
            unlike: "credentialChanged",
            "the app cannot say that the password was changed; it says that the session has ended",
            goesOn: "a person who knew the old password stays signed in on other devices", "end their sessions with the change",
            call: "try await auth.signOut(.others)", needs: .signOutOthers),
        ended(
            "sessionAfterAddressChange", "A session whose user has changed the address", unlike: "goesOn",
            "the user signs in once more after the new address is proven",
            goesOn: "the change of the address is no sign-out", costs: 8, ""),
    ]

    /// A statement about what ends a session.
    ///
    /// - Parameter action: what to do where it goes on; empty where nothing has to be done.
    private static func ended(
        _ name: String, _ title: String, unlike usual: String, _ lost: String, goesOn: String, costs: Cost = 88,
        _ action: String = "end the user's sessions on your server too, by the administrator's API", call: String? = nil,
        needs: Effect.Need? = nil
    ) -> Meaning {
        let reasons: [(name: String, words: String)] = [
            ("userDeleted", "the account is gone"), ("userDisabled", "the account is blocked"),
            ("revoked", "the session was ended"),
            ("credentialChanged", "the password was changed"), ("refreshReuse", "a token was used twice"),
        ]
        let ends = reasons.map { reason in
            let words = "ends at the next refresh: signedOut(\(reason.name)), \(reason.words)"
            guard reason.name != "refreshReuse" else {
                return Value(
                    reason.name, words, 72, lost, "give every process the one store, and every server a session of its own")
            }
            return Value(
                reason.name, words, reason.name == usual ? 12 : 38,
                reason.name == usual ? "the app learns why the session has ended" : lost, "show words for this reason",
                call: "if case .signedOut(.\(reason.name)) = auth.state { screen.show(\"Please sign in again.\") }")
        }
        return Meaning(
            name, title,
            ends + [Value("goesOn", "goes on", costs, goesOn, action, call: call, needs: needs)])
    }
}
