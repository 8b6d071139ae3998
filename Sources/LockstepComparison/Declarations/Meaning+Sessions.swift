extension Meaning {
    /// Statements about sessions: how they end, and whether their tokens still work.
    static let sessions = [
        Meaning(
            "tokenOfCalls", "The client's own calls to the backend",
            [
                Value(
                    "accessToken", "send the access token", 10, .none,
                    "the client detects an invalid access token when it calls the backend, and renews the token"),
                Value(
                    "refreshToken", "send the session's long-lived token", 24, .server,
                    "a proxy in front of the backend sees a secret that is valid for months",
                    "remove this secret from the proxy's logs"),
            ]),
        Meaning(
            "accessTokenAfterSignOut", "The access token after a sign-out",
            [
                Value(
                    "dies", "is rejected by the backend immediately", 19, .line,
                    "a request that is in progress during the sign-out fails with 401", "ignore such responses"),
                Value(
                    "livesUntilExpiry", "is accepted until it expires", 78, .server,
                    "your servers accept the token of a signed-out user until it expires",
                    "for sensitive requests, ask the backend about the session, or keep a list of ended sessions (claim `sid` or `session_id`)"
                ),
                Value(
                    "lives", "is accepted forever", 92, .setting, "a copied token keeps working forever after a sign-out",
                    "change this setting before the move"),
            ]),
        Meaning(
            "refreshTokenAfterSignOut", "The refresh token after a sign-out",
            [
                Value("dies", "is invalid", 8, .none, "a sign-out also ends the session on the backend"),
                Value(
                    "livesUntilExpiry", "is accepted until it expires", 82, .server,
                    "a copied refresh token still works after a sign-out",
                    "end sessions from your server"),
                Value(
                    "lives", "still returns new tokens", 86, .server,
                    "a sign-out ends the session on this device only, so a copied refresh token still works",
                    "when the user signs out, end the sessions from your server, with the admin API"),
            ]),
        ended(
            "sessionOfDeletedUser", "A session after an administrator deleted the user", unlike: "userDeleted",
            "the user is signed out and does not see the screen for a deleted account",
            goesOn: "a deleted user stays signed in on every device"),
        ended(
            "sessionOfDisabledUser", "A session after an administrator disabled the user", unlike: "userDisabled",
            "the user is signed out and learns the reason at the next sign-in",
            goesOn: "a blocked user stays signed in on every device"),
        ended(
            "endedSession", "A session that an administrator ended", unlike: "revoked",
            "the app gets a different reason for the sign-out",
            goesOn: "if a session ends on the backend, the device stays signed in"
        ),
        Meaning(
            "refusedCredential", "A session after the backend rejected the token of one request",
            [
                Value(
                    "asksBackend", "continues, unless the backend no longer has the session", 4, .none,
                    "the client asks the backend about the session before it signs the user out"),
                Value(
                    "endsSession", "ends, because the backend cannot be asked", 14, .none,
                    "a wrong response of the backend, for example during an outage, signs the user out"),
            ]),
        ended(
            "sessionAfterNewPassword", "A session after an administrator set a new password for the user",
            unlike: "credentialChanged", "the app can report only that the session ended, not that the password changed",
            goesOn: "a person who knows the old password stays signed in after the change"),
        ended(
            "sessionAfterReset", "The user's other sessions after a forgotten password was reset", unlike: "credentialChanged",
            "the app can only report that the session ended, not that the password was reset",
            goesOn: "a person who knows the forgotten password stays signed in after the reset", takes: .line,
            "end the user's other sessions after the reset", call: "try await auth.signOut(.others)", needs: .signOutOthers),
        ended(
            "sessionWithSpentToken", "A session after another client used the session's refresh token", unlike: "goesOn",
            "two clients that share a refresh token, such as copies of a store, are both signed out",
            goesOn: "a stolen refresh token goes unnoticed, so the thief and the user both stay signed in", costs: 58,
            takes: .screen,
            "sign out everywhere if a device is lost", call: "try await auth.signOut(.everywhere)", needs: .signOutEverywhere),
        ended(
            "sessionAfterReplay", "A session after a thief sent one of its spent refresh tokens again", unlike: "refreshReuse",
            "a stolen token is noticed, and the user must sign in again",
            goesOn: "a thief who sends an old refresh token is not noticed, and the user stays signed in", costs: 58,
            takes: .screen,
            "sign out everywhere if a device is lost", call: "try await auth.signOut(.everywhere)", needs: .signOutEverywhere),
        ended(
            "sessionAfterLostRefresh", "A session after a lost refresh response", unlike: "goesOn",
            "a user with a bad connection is sometimes signed out",
            goesOn: "a lost response does no harm, because the next attempt returns tokens",
            costs: 6, ""),
        ended(
            "sessionsAfterPasswordChange", "The user's other sessions after the password was changed",
            unlike: "credentialChanged",
            "the app can report only that the session ended, not that the password changed",
            goesOn: "a person who knew the old password stays signed in on other devices", takes: .line,
            "end the sessions on other devices when the password changes",
            call: "try await auth.signOut(.others)", needs: .signOutOthers),
        ended(
            "sessionAfterAddressChange", "The session after a change of the email address", unlike: "goesOn",
            "the user must sign in again after the new address is verified",
            goesOn: "a change of the address does not sign the user out", costs: 8, ""),
    ]

    /// Returns the meaning of a statement about the end of a session.
    ///
    /// - Parameters:
    ///   - title: The display name.
    ///   - lost: The consequence if the session ends.
    ///   - goesOn: The consequence if the session continues.
    ///   - effort: The work if the session continues; `nil` for code on a server, if there is an action.
    ///   - action: What to do if the session continues; empty if nothing is necessary.
    ///   - needs: The capability that the call requires.
    private static func ended(
        _ name: String, _ title: String, unlike usual: String, _ lost: String, goesOn: String, costs: Cost = 88,
        takes effort: Effort? = nil,
        _ action: String = "also end the user's sessions from your server, with the admin API", call: String? = nil,
        needs: Effect.Need? = nil
    ) -> Meaning {
        let reasons: [(name: String, words: String)] = [
            ("userDeleted", "the account is gone"), ("userDisabled", "the account is blocked"),
            ("revoked", "the session was ended"),
            ("credentialChanged", "the password was changed"), ("refreshReuse", "a token was used twice"),
        ]
        let ends = reasons.map { reason in
            let words = "ends at the next refresh, because \(reason.words): signedOut(\(reason.name))"
            guard reason.name != "refreshReuse" else {
                return Value(
                    reason.name, words, 72, .line, lost,
                    "share one store between processes, and give every server its own session")
            }
            return Value(
                reason.name, words, reason.name == usual ? 12 : 38, .screen,
                reason.name == usual ? "the app learns why the session ended" : lost, "show this reason on the screen",
                call: "if case .signedOut(.\(reason.name)) = auth.state { screen.show(\"Please sign in again.\") }")
        }
        return Meaning(
            name, title,
            ends + [
                Value(
                    "goesOn", "continues", costs, effort ?? (action.isEmpty ? .none : .server), goesOn, action, call: call,
                    needs: needs)
            ])
    }
}
