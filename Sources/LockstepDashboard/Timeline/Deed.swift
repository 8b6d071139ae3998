internal import LockstepEmulation
internal import LockstepPrimitives

/// What a person or a server does with a request, in words.
struct Deed: Sendable {
    let match: RequestMatch
    /// The end of a sentence that begins with the user: "signed up".
    let words: String

    private init(_ method: String, _ path: String, _ words: String, body: String? = nil) {
        match = RequestMatch(method, path, body: body)
        self.words = words
    }

    /// Returns the words for a request of a provider; `nil` if the request is not part of a user's story.
    static func words(for request: EmulatorRequest, of provider: String) -> String? {
        providers[provider]?.first { $0.match.matches(request) }?.words
    }

    /// The requests of each provider; the first that matches counts.
    private static let providers: [String: [Deed]] = [
        "firebase": [
            Deed("POST", "*/accounts:signUp*", "signed up", body: "*\"email\"*"),
            Deed("POST", "*/accounts:signUp*", "signed in as a guest"),
            Deed("POST", "*/accounts:signInWithPassword*", "signed in with a password"),
            Deed("POST", "*/accounts:signInWithEmailLink*", "signed in with a link"),
            Deed("POST", "*/accounts:signInWithPhoneNumber*", "signed in with a code"),
            Deed("POST", "*/accounts:signInWithIdp*", "signed in with an identity provider"),
            Deed("POST", "*/accounts:signInWithCustomToken*", "signed in with a custom token"),
            Deed("POST", "*/accounts:sendOobCode*", "asked for a mail"),
            Deed("POST", "*/accounts:sendVerificationCode*", "asked for a text message"),
            Deed("POST", "*/accounts:resetPassword*", "set a new password"),
            Deed("POST", "*/accounts:update*", "verified", body: "*\"oobCode\"*"),
            Deed("POST", "*/accounts:update*", "changed the account"), Deed("POST", "*/accounts:delete*", "deleted the account"),
            Deed("POST", "*/v1/token*", "refreshed the token"), Deed("GET", "/emulator/action*", "opened the link"),
            Deed("POST", "*/mfaEnrollment:finalize*", "added a second factor"),
            Deed("POST", "*/mfaEnrollment:withdraw*", "removed a second factor"),
            Deed("POST", "*/mfaSignIn:start*", "asked for a second factor"),
            Deed("POST", "*/mfaSignIn:finalize*", "passed the second factor"),
            Deed("POST", "*/passkeyEnrollment:finalize*", "added a passkey"),
            Deed("POST", "*/passkeySignIn:finalize*", "signed in with a passkey"),
            Deed("POST", "*/projects/*/accounts", "was created by a server"),
        ],
        "gotrue": [
            Deed("POST", "/signup*", "signed up", body: "*\"password\"*"), Deed("POST", "/signup*", "signed in as a guest"),
            Deed("POST", "/token?*grant_type=password*", "signed in with a password"),
            Deed("POST", "/token?*grant_type=refresh_token*", "refreshed the token"),
            Deed("POST", "/token?*grant_type=pkce*", "exchanged a code for a session"),
            Deed("POST", "/token?*grant_type=id_token*", "signed in with an ID token"),
            Deed("POST", "/otp*", "asked for a code"), Deed("POST", "/magiclink*", "asked for a link"),
            Deed("POST", "/recover*", "asked for a new password"), Deed("POST", "/resend*", "asked for the message again"),
            Deed("GET", "/reauthenticate*", "asked for a code"), Deed("GET", "/verify*", "opened the link"),
            Deed("POST", "/verify*", "verified"), Deed("POST", "/logout*", "signed out"),
            Deed("PUT", "/user*", "changed the account"), Deed("GET", "/authorize*", "left for an identity provider"),
            Deed("GET", "/callback*", "came back from an identity provider"),
            Deed("POST", "/factors*/challenge", "asked for a second factor"),
            Deed("POST", "/factors/*/verify", "passed the second factor"), Deed("POST", "/factors*", "began a second factor"),
            Deed("DELETE", "/factors/*", "removed a second factor"),
            Deed("POST", "/passkeys/registration/verify", "added a passkey"),
            Deed("POST", "/admin/users*", "was created by a server"), Deed("PUT", "/admin/users/*", "was changed by a server"),
            Deed("DELETE", "/admin/users/*", "was deleted by a server"), Deed("POST", "/invite*", "was invited"),
        ],
        "clerk": [
            Deed("POST", "/v1/client/sign_ups", "began a sign-up"),
            Deed("POST", "/v1/client/sign_ups/*/prepare_verification", "asked for a message"),
            Deed("POST", "/v1/client/sign_ups/*/attempt_verification", "verified"),
            Deed("PATCH", "/v1/client/sign_ups/*", "changed the sign-up"),
            Deed("POST", "/v1/client/sign_ins", "began a sign-in"),
            Deed("POST", "/v1/client/sign_ins/*/prepare_first_factor", "asked for a message"),
            Deed("POST", "/v1/client/sign_ins/*/attempt_first_factor", "passed the first factor"),
            Deed("POST", "/v1/client/sign_ins/*/prepare_second_factor", "asked for a second factor"),
            Deed("POST", "/v1/client/sign_ins/*/attempt_second_factor", "passed the second factor"),
            Deed("POST", "/v1/client/sign_ins/*/reset_password", "set a new password"),
            Deed("GET", "/v1/verify*", "opened the link"),
            Deed("POST", "/v1/client/sessions/*/tokens*", "refreshed the token"),
            Deed("POST", "/v1/client/sessions/*/remove", "signed out"), Deed("POST", "/v1/client/sessions/*/end", "signed out"),
            Deed("DELETE", "/v1/client/sessions", "signed out"), Deed("DELETE", "/v1/client", "signed out"),
            Deed("POST", "/v1/me/change_password", "set a new password"), Deed("PATCH", "/v1/me*", "changed the account"),
            Deed("DELETE", "/v1/me", "deleted the account"),
            Deed("POST", "/v1/me/totp/attempt_verification", "added a second factor"),
            Deed("POST", "/v1/users", "was created by a server"), Deed("PATCH", "/v1/users/*", "was changed by a server"),
            Deed("DELETE", "/v1/users/*", "was deleted by a server"), Deed("POST", "/v1/invitations", "was invited"),
        ],
    ]
}
