internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A sign-up as the Frontend API shows it.
struct SignUpJSON {
    let context: RequestContext

    func signUp(_ signUp: SignUpRecord) throws -> JSON {
        let requirements = try SignUpRequirements(context: context, signUp: signUp)
        return [
            "object": "sign_up_attempt", "id": .string(signUp.id), "status": .string(signUp.status.rawValue),
            "required_fields": .strings(requirements.required), "optional_fields": .strings(requirements.optional),
            "missing_fields": .strings(requirements.missing), "unverified_fields": .strings(requirements.unverified),
            "verifications": [
                "email_address": verification(signUp.emailVerification),
                "phone_number": verification(signUp.phoneVerification),
                "web3_wallet": nil,
                "external_account": verification(signUp.externalVerification),
            ],
            "username": .text(signUp.username), "email_address": .text(signUp.emailAddress),
            "phone_number": .text(signUp.phoneNumber), "web3_wallet": nil,
            "password_enabled": .bool(signUp.passwordDigest != nil), "has_password": .bool(signUp.passwordDigest != nil),
            "first_name": .text(signUp.firstName), "last_name": .text(signUp.lastName),
            "unsafe_metadata": .object(signUp.unsafeMetadata), "public_metadata": .object(signUp.publicMetadata),
            "custom_action": .bool(signUp.isCustomActionDone), "external_id": .text(signUp.externalID),
            "created_session_id": .text(signUp.createdSessionID),
            "created_user_id": .text(signUp.createdUserID), "abandon_at": .time(signUp.abandonAt),
            "legal_accepted_at": .time(signUp.legalAcceptedAt), "locale": .text(signUp.locale),
        ]
    }

    private func verification(_ proof: Verification?) -> JSON {
        proof?.json(at: context.now, isOfSignUp: true) ?? .null
    }
}
