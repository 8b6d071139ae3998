internal import LockstepContracts
internal import LockstepEmulation
internal import LockstepEmulatorTestSupport
internal import LockstepPrimitives

extension FaultForms {
    /// Clerk's errors and steps.
    ///
    /// An error is a list, and the status of an attempt names the next step.
    static let clerk = FaultForms(
        requests: [
            .refresh: RequestMatch("POST", "/v1/client/sessions/*/tokens"),
            .signUp: RequestMatch("POST", "/v1/client/sign_ups"),
            .signIn: RequestMatch("POST", "/v1/client/sign_ins"),
            .signOut: RequestMatch("POST", "/v1/client/sessions/*/remove").or(RequestMatch("POST", "/v1/me/sessions/*/revoke"))
                .or(RequestMatch("GET", "/v1/me/sessions/active")),
            .resend: RequestMatch("POST", "/v1/client/*/prepare_*").or(RequestMatch("POST", "/v1/me/*/prepare_verification")),
            .reset: RequestMatch("POST", "/v1/client/sign_ins/*/prepare_first_factor"),
            .verification: RequestMatch("POST", "/v1/client/sign_ups/*/attempt_verification")
                .or(RequestMatch("POST", "/v1/client/sign_ins/*/attempt_first_factor"))
                .or(RequestMatch("POST", "/v1/client/magic_links/complete"))
                .or(RequestMatch("POST", "/v1/me/*/attempt_verification")),
            .newPassword: RequestMatch("POST", "/v1/client/sign_ins/*/reset_password"),
            .user: RequestMatch("GET", "/v1/me"),
            .change: RequestMatch("PATCH", "/v1/me*").or(RequestMatch("POST", "/v1/me/change_password"))
                .or(RequestMatch("POST", "/v1/me/email_addresses")),
            .delete: RequestMatch("DELETE", "/v1/me"),
        ],
        refusal: refusal,
        sentence: sentence,
        rateLimit: { wait in
            refusal("too_many_requests", 429).with("Retry-After", String(wait.components.seconds))
        },
        wrongTypes: [
            "object": 1, "jwt": ["x"], "response": ["object": 2, "id": 5, "status": ["complete"], "created_session_id": true],
            "client": ["sessions": "none", "last_active_session_id": 7],
        ],
        credentialRefusals: [("authentication_invalid", 401), ("signed_out", 401), ("resource_not_found", 404)],
        unknownStep: { name in
            .json([
                "response": [
                    "object": "sign_in_attempt", "id": "sia_2unknownstep000000000000000", "status": .string(name),
                    "supported_first_factors": .null, "supported_second_factors": .null, "first_factor_verification": .null,
                    "second_factor_verification": .null, "created_session_id": .null,
                ],
                "client": .null,
            ])
        })

    private static let refusal: @Sendable (String, Int) -> EmulatorResponse = { code, status in
        sentence(code, "The request was refused.", status)
    }

    private static let sentence: @Sendable (String, String, Int) -> EmulatorResponse = { code, text, status in
        let first: JSON = ["message": "refused", "long_message": .string(text), "code": .string(code)]
        return .json(["errors": [first], "clerk_trace_id": "5f0e7c1f2a9b4d6c8e3a1b0c9d8e7f60"], status: status)
    }
}
