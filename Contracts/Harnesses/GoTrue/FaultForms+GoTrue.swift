internal import LockstepContracts
internal import LockstepEmulation
internal import LockstepEmulatorTestSupport
internal import LockstepPrimitives

extension FaultForms {
    /// GoTrue's errors.
    ///
    /// An error has a status and a code, in the format of 2024-01-01.
    static let goTrue = FaultForms(
        requests: [
            .refresh: RequestMatch("POST", "/token?*grant_type=refresh_token*"), .signUp: RequestMatch("POST", "/signup"),
            .signIn: RequestMatch("POST", "/token?*grant_type=password*"), .signOut: RequestMatch("POST", "/logout"),
            .resend: RequestMatch("POST", "/resend").or(RequestMatch("POST", "/otp")).or(RequestMatch("POST", "/recover")),
            .reset: RequestMatch("POST", "/recover"),
            .verification: RequestMatch("POST", "/verify").or(RequestMatch("POST", "/token?*grant_type=pkce*")),
            .newPassword: RequestMatch("PUT", "/user"), .user: RequestMatch("GET", "/user"),
            .change: RequestMatch("PUT", "/user"), .delete: RequestMatch("POST", DeletionFunction.path),
        ],
        refusal: refusal,
        sentence: refusal(_:_:_:),
        // GoTrue does not send Retry-After. The message contains the waiting time.
        rateLimit: { wait in
            refusal(
                "over_request_rate_limit",
                "For security purposes, you can only request this after \(wait.components.seconds) seconds.", 429)
        },
        wrongTypes: [
            "access_token": 5, "token_type": true, "expires_in": "soon", "refresh_token": ["x"], "user": "nobody", "id": 12,
        ])

    private static let refusal: @Sendable (String, Int) -> EmulatorResponse = { code, status in
        refusal(code, "The backend refuses.", status)
    }

    @Sendable private static func refusal(_ code: String, _ message: String, _ status: Int) -> EmulatorResponse {
        .json(["code": .string(code), "message": .string(message)], status: status)
            .with("X-Supabase-Api-Version", "2024-01-01")
            .with("x-sb-error-code", String(decoding: code.utf8.filter { $0 >= 0x20 && $0 < 0x7f }.prefix(6000), as: UTF8.self))
    }
}
