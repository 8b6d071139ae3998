internal import LockstepContracts
internal import LockstepEmulation
internal import LockstepEmulatorTestSupport
internal import LockstepPrimitives

extension FaultForms {
    /// Firebase's errors.
    ///
    /// Every error has status 400, and its code is the text before the first colon.
    static let firebase = FaultForms(
        requests: [
            .refresh: RequestMatch("POST", "/securetoken.googleapis.com/v1/token"),
            .signUp: accounts("signUp"),
            .signIn: accounts("signInWithPassword"),
            .resend: accounts("sendOobCode").or(accounts("sendVerificationCode")),
            .reset: accounts("sendOobCode", body: "*PASSWORD_RESET*"),
            .signOut: RequestMatch("POST", SessionEndingFunction.path),
            .verification: accounts("update", body: "*oobCode*").or(accounts("signInWithEmailLink"))
                .or(accounts("signInWithPhoneNumber")).or(accounts("lookup")),
            .newPassword: accounts("resetPassword"), .user: accounts("lookup"),
            .change: accounts("update", body: "*idToken*"), .delete: accounts("delete"),
        ],
        refusal: refusal,
        sentence: { code, text, status in refusal("\(code) : \(text)", status) },
        rateLimit: { wait in refusal("QUOTA_EXCEEDED", 429).with("Retry-After", String(wait.components.seconds)) },
        wrongTypes: [
            "kind": 1, "idToken": 5, "id_token": ["x"], "refreshToken": true, "refresh_token": 7, "expiresIn": ["soon"],
            "expires_in": [:], "localId": 12, "users": "nobody",
        ])

    private static func accounts(_ method: String, body: String? = nil) -> RequestMatch {
        RequestMatch("POST", "/identitytoolkit.googleapis.com/v1/accounts:\(method)", body: body)
    }

    private static let refusal: @Sendable (String, Int) -> EmulatorResponse = { code, status in
        let first: JSON = ["message": .string(code), "reason": "invalid", "domain": "global"]
        return .json(["error": ["code": .int(Int64(status)), "message": .string(code), "errors": [first]]], status: status)
    }
}
